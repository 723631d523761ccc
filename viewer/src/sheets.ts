// SPDX-License-Identifier: BSD-3-Clause
// Planes of contacts, no larger than what they carry.
import {
  Box3,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Quaternion,
  Vector3,
} from 'three';

import type { Feet } from './feet';
import type { Poses } from './poses';
import type { Run } from './run';
import type { PlaneData } from './sceneData';
import type { Support } from './shapes';
import type { Theme } from './theme';

const kMost = 40;
// Parts of the size of the picture.
const kMargin = 0.05, kNear = 0.05, kBand = 0.03, kLeast = 0.06;
// Planes along which the eye travels go on out of sight.
const kEndless = 4;

/// A rectangle in a plane, from its point along two directions.
interface Patch {
  low: [number, number];
  high: [number, number];
}

interface Sheet {
  data: PlaneData;
  mesh: Group;
  /// Directions in the plane and the middle of the patch, in the frame of the body.
  middle: Vector3;
}

function emptyPatch(): Patch {
  return { low: [Infinity, Infinity], high: [-Infinity, -Infinity] };
}

function isEmpty({ low, high }: Patch): boolean {
  return !(low[0] <= high[0] && low[1] <= high[1]);
}

function include(patch: Patch, a: number, b: number): void {
  if (!Number.isFinite(a + b)) return;
  patch.low = [Math.min(patch.low[0], a), Math.min(patch.low[1], b)];
  patch.high = [Math.max(patch.high[0], a), Math.max(patch.high[1], b)];
}

/// The same plane under many balls.
function keyOf(plane: PlaneData): string {
  return JSON.stringify([plane.body, plane.at, plane.axis, plane.moves && plane.name]);
}

export interface SheetRoom {
  run: Run;
  poses: Poses;
  feet: Feet;
  bounds: Box3;
  extent: number;
  flat: boolean;
  endless: boolean;
  /// Of the shapes of bodies, in their frames.
  supports: Map<string, Support>;
}

export class Sheets {
  readonly object = new Group();
  readonly sheets: Sheet[] = [];
  private readonly face = new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.35, depthWrite: false });
  private readonly edge = new LineBasicMaterial();
  private readonly centre: Vector3;

  constructor(planes: PlaneData[], private readonly room: SheetRoom) {
    this.centre = room.bounds.getCenter(new Vector3());
    const families = new Map<string, PlaneData[]>();
    for (const plane of planes) families.set(keyOf(plane), [...(families.get(keyOf(plane)) ?? []), plane]);
    for (const family of [...families.values()].slice(0, kMost)) this.add(family);
  }

  // Directions in the plane.
  private basis(data: PlaneData): { a: Vector3; b: Vector3; n: Vector3 } {
    const n = new Vector3(...(data.axis ?? [0, 0, 1])).normalize();
    if (this.room.flat) return { a: new Vector3(n.y, -n.x, 0), b: new Vector3(0, 0, 1), n };
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), n);
    return { a: new Vector3(1, 0, 0).applyQuaternion(turn), b: new Vector3(0, 1, 0).applyQuaternion(turn), n };
  }

  // Where the balls of these contacts are over the plane, in the frame of its body.
  private touched(family: PlaneData[], a: Vector3, b: Vector3): Patch {
    const { run, poses, feet, extent } = this.room;
    const patch = emptyPatch();
    const [foot, inverse, origin] = [new Vector3(), new Matrix4(), new Vector3(...family[0].at)];
    const every = Math.max(1, Math.floor((run.time.length * family.length) / 4000));
    for (let i = 0; i < run.time.length; i += every) {
      poses.seekSample(i);
      poses.matrix(family[0].body, inverse).invert();
      for (const { name, body } of family) {
        const gap = feet.atSample(name, i, foot);
        // of a plane that travels only what is near it counts
        if (gap === null || (body !== undefined && gap > kNear * extent)) continue;
        foot.applyMatrix4(inverse).sub(origin);
        include(patch, foot.dot(a), foot.dot(b));
      }
    }
    return patch;
  }

  private ownPatch(support: Support, data: PlaneData, a: Vector3, b: Vector3): Patch {
    const origin = new Vector3(...data.at);
    const far = (d: Vector3) => support(d) - origin.dot(d);
    const [left, below] = [a.clone().negate(), b.clone().negate()];
    return { low: [-far(left), -far(below)], high: [far(a), far(b)] };
  }

  private projected(points: Vector3[], data: PlaneData, a: Vector3, b: Vector3): Patch {
    const [patch, p, origin] = [emptyPatch(), new Vector3(), new Vector3(...data.at)];
    for (const point of points) {
      p.copy(point).sub(origin);
      include(patch, p.dot(a), p.dot(b));
    }
    return patch;
  }

  private patchOf(family: PlaneData[], a: Vector3, b: Vector3): Patch {
    const { bounds, supports, extent } = this.room;
    const [data] = family;
    // a body with a shape shows where its faces end
    const own = data.body === undefined ? undefined : supports.get(data.body);
    if (own) return this.ownPatch(own, data, a, b);
    let patch = this.touched(family, a, b);
    const { min, max } = bounds;
    const box = [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
    if (isEmpty(patch) && data.body === undefined) patch = this.projected(box, data, a, b);
    if (isEmpty(patch)) include(patch, 0, 0);
    const margin = kMargin * extent;
    const low = patch.low.map((v) => v - margin) as [number, number];
    const high = patch.high.map((v) => v + margin) as [number, number];
    return { low, high };
  }

  private add(family: PlaneData[]): void {
    const { flat, extent, endless } = this.room;
    const [data] = family;
    const { a, b, n } = this.basis(data);
    const { low, high } = this.patchOf(family, a, b);
    const longer = endless && data.body === undefined ? kEndless : 1;
    const size = [0, 1].map((k) => longer * Math.max(high[k] - low[k], kLeast * extent));
    const mesh = new Group();
    if (flat) {
      // a line with a band on its far side
      const band = new Mesh(new PlaneGeometry(1, 1).translate(0, -0.5, 0), this.face);
      band.scale.set(size[0], Math.min(kBand * extent, 0.15 * size[0]), 1);
      band.renderOrder = -2;
      const ends = [-0.5, 0.5].map((k) => new Vector3(k * size[0], 0, 0));
      const line = new LineSegments(new BufferGeometry().setFromPoints(ends), this.edge);
      line.renderOrder = -1;
      mesh.add(band, line);
    } else {
      const sheet = new Mesh(new PlaneGeometry(size[0], size[1]), this.face);
      sheet.renderOrder = -2;
      const [x, y] = [size[0] / 2, size[1] / 2];
      const corners = [[-x, -y], [x, -y], [x, y], [-x, y], [-x, -y]].map(([u, v]) => new Vector3(u, v, 0));
      const edges = corners.slice(0, 4).flatMap((corner, i) => [corner, corners[i + 1]]);
      mesh.add(sheet, new LineSegments(new BufferGeometry().setFromPoints(edges), this.edge));
    }
    const middle = new Vector3(...data.at).addScaledVector(a, (low[0] + high[0]) / 2);
    if (!flat) middle.addScaledVector(b, (low[1] + high[1]) / 2);
    mesh.userData.normal = n;
    this.sheets.push({ data, mesh, middle });
    this.object.add(mesh);
  }

  paint(theme: Theme): void {
    this.face.color = new Color(theme.ground);
    this.edge.color = new Color(theme.faint);
  }

  // under the middle of what is seen
  private centreOn(middle: Vector3, normal: Vector3, place: Vector3): void {
    const height = normal.dot(middle) - normal.dot(place);
    place.copy(middle).addScaledVector(normal, -height);
    if (this.room.flat) place.z = 0;
  }

  /// `shift`: how far the eye has gone from the bounds.
  update(poses: Poses, t: number, shift: Vector3): void {
    const [q, normal, foot] = [new Quaternion(), new Vector3(), new Vector3()];
    for (const { data, mesh, middle } of this.sheets) {
      poses.pointOf(data.body, middle, mesh.position);
      poses.turn(data.body, q);
      normal.copy(mesh.userData.normal as Vector3).applyQuaternion(q);
      if (data.moves && this.room.feet.at(data.name, t, foot)) mesh.position.addScaledVector(normal, foot.sub(mesh.position).dot(normal));
      if (data.body === undefined && this.room.endless) this.centreOn(this.centre.clone().add(shift), normal, mesh.position);
      if (this.room.flat) mesh.quaternion.setFromAxisAngle(new Vector3(0, 0, 1), Math.atan2(normal.y, normal.x) - Math.PI / 2);
      // as its basis was made, then turned with the body
      else mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), mesh.userData.normal as Vector3).premultiply(q);
    }
  }
}
