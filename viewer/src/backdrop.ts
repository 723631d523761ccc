// SPDX-License-Identifier: BSD-3-Clause
// What is behind or under the mechanism: a grid for the sense of scale, and a floor that takes
// shadows.
import {
  Box3,
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PlaneGeometry,
  Quaternion,
  ShadowMaterial,
  Vector3,
} from 'three';

import { niceNumber } from './bounds';
import type { PlaneData, SceneData } from './sceneData';
import type { Theme } from './theme';

/// Lines of a grid in the plane of two axes.
function grid(spacing: number, a: Vector3, b: Vector3, centre: Vector3, half: number): BufferGeometry {
  const points: number[] = [];
  const line = (along: Vector3, across: Vector3, offset: number) => {
    for (const end of [-half, half]) {
      const p = centre.clone().addScaledVector(along, end).addScaledVector(across, offset);
      points.push(p.x, p.y, p.z);
    }
  };
  const n = Math.floor(half / spacing);
  for (let i = -n; i <= n; ++i) {
    line(a, b, i * spacing);
    line(b, a, i * spacing);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  return geometry;
}

/// The height of the floor: below everything, or where a fixed plane is that bears it.
function floorHeight(planes: PlaneData[], bounds: Box3, up: Vector3, extent: number): number {
  const lowest = Math.min(...[bounds.min, bounds.max].map((p) => p.dot(up)));
  const borne = planes
    .filter((plane) => plane.body === undefined && !plane.moves && new Vector3(...(plane.axis ?? [0, 0, 1])).dot(up) > 0.99)
    .map((plane) => new Vector3(...plane.at).dot(up))
    .filter((height) => Math.abs(height - lowest) < 0.3 * extent);
  return Math.min(lowest, ...borne);
}

export class Backdrop {
  readonly object = new Group();
  readonly spacing: number;
  private readonly lines: LineSegments;
  private readonly floor: Mesh | null = null;
  private readonly across: Vector3[];

  constructor(scene: SceneData, bounds: Box3, extent: number) {
    const flat = scene.dimension === 2;
    const up = new Vector3(...scene.gravity).normalize().negate();
    if (up.lengthSq() === 0) up.set(0, 0, 1);
    const centre = bounds.getCenter(new Vector3());
    this.spacing = niceNumber(extent / 8);
    const snap = (x: number) => Math.round(x / this.spacing) * this.spacing;
    let a = new Vector3(1, 0, 0);
    let b = new Vector3(0, 1, 0);
    if (flat) {
      centre.z = bounds.min.z - 0.05 * extent;
    } else {
      centre.addScaledVector(up, floorHeight(scene.planes, bounds, up, extent) - centre.dot(up) - 0.002 * extent);
      a = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
      a.addScaledVector(up, -a.dot(up)).normalize();
      b = up.clone().cross(a);
    }
    for (const axis of [a, b]) centre.addScaledVector(axis, snap(centre.dot(axis)) - centre.dot(axis));
    this.across = [a, b];
    const half = this.spacing * (flat ? 40 : 10);
    this.lines = new LineSegments(grid(this.spacing, a, b, centre, half), new LineBasicMaterial());
    this.lines.renderOrder = -3;
    this.object.add(this.lines);
    if (flat) return;
    this.floor = new Mesh(new PlaneGeometry(2 * half, 2 * half), new ShadowMaterial({ depthWrite: false }));
    this.floor.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
    this.floor.userData.at = centre;
    this.floor.position.copy(centre);
    this.floor.receiveShadow = true;
    this.floor.renderOrder = -2;
    this.object.add(this.floor);
  }

  paint(theme: Theme): void {
    (this.lines.material as LineBasicMaterial).color = new Color(theme.grid);
    if (this.floor) (this.floor.material as ShadowMaterial).opacity = theme.dark ? 0.45 : 0.16;
  }

  /// `shift`: how far the eye has gone from the bounds.
  update(shift: Vector3): void {
    this.lines.position.set(0, 0, 0);
    for (const axis of this.across)
      this.lines.position.addScaledVector(axis, Math.round(shift.dot(axis) / this.spacing) * this.spacing);
    this.floor?.position.copy(this.floor.userData.at as Vector3).add(this.lines.position);
  }
}
