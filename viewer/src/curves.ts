// SPDX-License-Identifier: BSD-3-Clause
// Curves that points slide on, as far as the motion goes.
import { Box3, Curve, Group, Mesh, MeshBasicMaterial, TubeGeometry, Vector3 } from 'three';

import type { Picked } from './pick';
import type { Poses } from './poses';
import type { CurveData } from './sceneData';
import type { Theme } from './theme';

class Polyline extends Curve<Vector3> {
  constructor(private readonly points: Vector3[]) {
    super();
  }
  override getPoint(t: number, target = new Vector3()): Vector3 {
    const at = t * (this.points.length - 1);
    const i = Math.min(this.points.length - 2, Math.floor(at));
    return target.lerpVectors(this.points[i], this.points[i + 1], at - i);
  }
  // pieces are drawn as they are, not by their length
  override getPointAt(t: number, target?: Vector3): Vector3 {
    return this.getPoint(t, target);
  }
  override getTangentAt(t: number, target?: Vector3): Vector3 {
    return this.getTangent(t, target);
  }
}

export class Curves {
  readonly object = new Group();
  private readonly material = new MeshBasicMaterial();
  private readonly drawn: { data: CurveData; mesh: Mesh }[] = [];

  constructor(curves: CurveData[], bounds: Box3, extent: number) {
    const room = bounds.clone().expandByScalar(0.3 * extent);
    const near = new Box3().setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1).multiplyScalar(3 * extent));
    for (const data of curves) {
      const points = data.points.map((p) => new Vector3(...p)).filter((p) => (data.body === undefined ? room : near).containsPoint(p));
      if (points.length < 2) continue;
      const mesh = new Mesh(new TubeGeometry(new Polyline(points), points.length - 1, 0.003 * extent, 6), this.material);
      mesh.userData.pick = (): Picked => ({ group: 'contacts', item: data.name, label: `${data.name} (curve)` });
      this.drawn.push({ data, mesh });
      this.object.add(mesh);
    }
  }

  paint(theme: Theme): void {
    this.material.color.set(theme.faint);
  }

  update(poses: Poses): void {
    for (const { data, mesh } of this.drawn) {
      if (data.body === undefined) continue;
      poses.point(data.body, mesh.position);
      poses.turn(data.body, mesh.quaternion);
    }
  }
}
