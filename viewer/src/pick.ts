// SPDX-License-Identifier: BSD-3-Clause
// What is under the pointer.
import type { Camera, Intersection, Object3D, Vector3 } from 'three';
import { Raycaster, Vector2 } from 'three';

/// A part of the run: its group of quantities, its item there, and how to call it.
export interface Picked {
  group: string;
  item: string;
  label: string;
  /// Where it was hit, in space.
  point?: Vector3;
}

/// Small parts are found this near to the pointer [px].
const kReach = 6;
const kRound = [0, 45, 90, 135, 180, 225, 270, 315].map((angle) => (angle * Math.PI) / 180);

export class Picker {
  private readonly ray = new Raycaster();
  private readonly place = new Vector2();

  /// The nearest part at a place in [-1, 1]² of a picture of this size, joints and contacts before
  /// the bodies they lie in.
  at(x: number, y: number, width: number, height: number, camera: Camera, root: Object3D): Picked | null {
    this.ray.setFromCamera(this.place.set(x, y), camera);
    const hits = this.ray.intersectObject(root, true).filter((hit) => hit.object.userData.pick);
    const small = hits.find((hit) => hit.object.userData.first) ?? this.around(x, y, width, height, camera, root);
    const hit: Intersection | undefined = small ?? hits[0];
    if (!hit) return null;
    const picked = (hit.object.userData.pick as (i: number) => Picked | null)(hit.instanceId ?? 0);
    return picked && { ...picked, point: hit.point.clone() };
  }

  // small parts near the pointer
  private around(x: number, y: number, width: number, height: number, camera: Camera, root: Object3D): Intersection | undefined {
    const small: Object3D[] = [];
    root.traverseVisible((part) => {
      if (part.userData.first && part.userData.pick) small.push(part);
    });
    for (const distance of [0.5 * kReach, kReach])
      for (const angle of kRound) {
        const [dx, dy] = [(2 * distance * Math.cos(angle)) / width, (2 * distance * Math.sin(angle)) / height];
        this.ray.setFromCamera(this.place.set(x + dx, y + dy), camera);
        const [hit] = this.ray.intersectObjects(small, false);
        if (hit) return hit;
      }
    return undefined;
  }
}
