// SPDX-License-Identifier: BSD-3-Clause
// What is under the pointer.
import type { Camera, Intersection, Object3D } from 'three';
import { Raycaster, Vector2 } from 'three';

/// A part of the run: its group of quantities, its item there, and how to call it.
export interface Picked {
  group: string;
  item: string;
  label: string;
}

export class Picker {
  private readonly ray = new Raycaster();
  private readonly place = new Vector2();

  /// The nearest part at a place in [-1, 1]², joints and contacts before the bodies they lie in.
  at(x: number, y: number, camera: Camera, root: Object3D): Picked | null {
    this.ray.setFromCamera(this.place.set(x, y), camera);
    const hits = this.ray.intersectObject(root, true).filter((hit) => hit.object.userData.pick);
    const small = hits.find((hit) => hit.object.userData.first);
    const hit: Intersection | undefined = small ?? hits[0];
    if (!hit) return null;
    return (hit.object.userData.pick as (i: number) => Picked | null)(hit.instanceId ?? 0);
  }
}
