// SPDX-License-Identifier: BSD-3-Clause
// What is behind the mechanism: a grid for the sense of scale, planes of contacts.
import {
  Box3,
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Quaternion,
  Vector3,
} from 'three';

import { niceNumber } from './bounds';
import type { Feet } from './feet';
import type { Poses } from './poses';
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

interface Sheet {
  data: PlaneData;
  mesh: Group;
}

export class Backdrop {
  readonly object = new Group();
  readonly spacing: number;
  private readonly lines: LineSegments;
  private readonly sheets: Sheet[] = [];
  private readonly face = new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.35, depthWrite: false });
  private readonly edge = new LineBasicMaterial();
  private readonly flat: boolean;
  private readonly centre: Vector3;
  private readonly across: Vector3[];

  /// `endless`: the eye goes along, and planes do not end in sight.
  constructor(scene: SceneData, bounds: Box3, extent: number, private readonly endless: boolean) {
    const flat = scene.dimension === 2;
    this.flat = flat;
    this.centre = bounds.getCenter(new Vector3());
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
      // below everything
      const lowest = Math.min(...[bounds.min, bounds.max].map((p) => p.dot(up)));
      centre.addScaledVector(up, lowest - centre.dot(up) - 0.002 * extent);
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
    const size = bounds.getSize(new Vector3());
    for (const plane of scene.planes) this.addPlane(plane, flat, extent, size);
  }

  private addPlane(data: PlaneData, flat: boolean, extent: number, room: Vector3): void {
    // the same plane under many balls is drawn once
    const keyOf = (plane: PlaneData) => JSON.stringify([plane.body, plane.at, plane.axis, plane.moves && plane.name]);
    if (this.sheets.some((s) => keyOf(s.data) === keyOf(data))) return;
    if (this.sheets.length >= 24) return;
    const mesh = new Group();
    // as wide as what moves along it
    const n = (data.axis ?? [0, 0, 1]).map(Math.abs);
    const beside = room.toArray().map((length, k) => (n[k] > 0.7 ? 0 : length));
    const size = (this.endless ? 4 : 1) * Math.max((flat ? 1 : 1.15) * Math.max(...beside), (flat ? 0.6 : 0.22) * extent);
    if (flat) {
      // a line with a band on its far side
      const band = new Mesh(new PlaneGeometry(1, 1).translate(0, -0.5, 0), this.face);
      band.scale.set(size, 0.035 * extent, 1);
      band.renderOrder = -2;
      const line = new LineSegments(
        new BufferGeometry().setFromPoints([new Vector3(-size / 2, 0, 0), new Vector3(size / 2, 0, 0)]),
        this.edge,
      );
      line.renderOrder = -1;
      mesh.add(band, line);
    } else {
      const sheet = new Mesh(new PlaneGeometry(size, size), this.face);
      sheet.renderOrder = -2;
      const h = size / 2;
      const corners = [[-h, -h], [h, -h], [h, h], [-h, h], [-h, -h]];
      const points = corners.slice(0, 4).flatMap(([x, y], i) => [
        new Vector3(x, y, 0), new Vector3(corners[i + 1][0], corners[i + 1][1], 0),
      ]);
      mesh.add(sheet, new LineSegments(new BufferGeometry().setFromPoints(points), this.edge));
    }
    this.sheets.push({ data, mesh });
    this.object.add(mesh);
  }

  paint(theme: Theme): void {
    (this.lines.material as LineBasicMaterial).color = new Color(theme.grid);
    this.face.color = new Color(theme.ground);
    this.edge.color = new Color(theme.faint);
  }

  // under the middle of what is seen
  private centreOn(middle: Vector3, normal: Vector3, place: Vector3): void {
    const height = normal.dot(middle) - normal.dot(place);
    place.copy(middle).addScaledVector(normal, -height);
    if (this.flat) place.z = 0;
  }

  /// `shift`: how far the eye has gone from the bounds.
  update(poses: Poses, feet: Feet, t: number, shift: Vector3): void {
    this.lines.position.set(0, 0, 0);
    for (const axis of this.across)
      this.lines.position.addScaledVector(axis, Math.round(shift.dot(axis) / this.spacing) * this.spacing);
    const q = new Quaternion();
    const normal = new Vector3();
    const foot = new Vector3();
    const middle = this.centre.clone().add(shift);
    for (const { data, mesh } of this.sheets) {
      poses.pointOf(data.body, new Vector3(...data.at), mesh.position);
      normal.set(...(data.axis ?? [0, 0, 1])).applyQuaternion(poses.turn(data.body, q)).normalize();
      if (data.moves && feet.at(data.name, t, foot)) mesh.position.addScaledVector(normal, foot.sub(mesh.position).dot(normal));
      if (data.body === undefined) this.centreOn(middle, normal, mesh.position);
      if (this.flat) mesh.quaternion.setFromAxisAngle(new Vector3(0, 0, 1), Math.atan2(normal.y, normal.x) - Math.PI / 2);
      else mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    }
  }
}
