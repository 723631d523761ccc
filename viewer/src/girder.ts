// SPDX-License-Identifier: BSD-3-Clause
// A flexible part with the shape of its section, turned with its nodes and coloured by its load.
import { Color, Quaternion, ShapeUtils, SRGBColorSpace, Vector2, Vector3, type Mesh } from 'three';

import type { Load } from './loads';
import type { Poses } from './poses';
import type { Run } from './run';
import type { LineData, Triple } from './sceneData';
import { Skin } from './skin';
import { divergingColour } from './theme';

const kRoundSides = 16;
// Corners sharper than this are edges.
const kSmooth = Math.cos(Math.PI / 6);

function circle(radius: number): Triple[] {
  return Array.from({ length: kRoundSides }, (_, k) => {
    const angle = (2 * Math.PI * k) / kRoundSides;
    return [0, radius * Math.cos(angle), radius * Math.sin(angle)] as Triple;
  });
}

export class Girder {
  private readonly outline: Vector3[];
  private readonly normals: Vector3[]; // two for each point: of the sides before and after it
  private readonly skin: Skin;

  /// `least` and `most`: half the size of the section that can be seen and does not hide the rest.
  constructor(
    readonly data: LineData,
    private readonly load: Load | null,
    private readonly run: Run,
    least: number,
    most: number,
  ) {
    const stated = data.outline ?? circle(data.area ? Math.sqrt(data.area / Math.PI) : least);
    const half = Math.max(...stated.map(([, y, z]) => Math.hypot(y, z)));
    const factor = Math.max(least, Math.min(half, most)) / half;
    // thin sections keep a thickness that can be seen
    this.outline = stated.map(([, y, z]) => new Vector3(0, factor * y, factor * z));
    const m = this.outline.length;
    const sides = this.outline.map((p, k) => {
      const along = this.outline[(k + 1) % m].clone().sub(p);
      return new Vector3(0, along.z, -along.y).normalize();
    });
    // outwards, whichever way the outline runs
    const inwards = sides.reduce((sum, n, k) => sum + n.dot(this.outline[k]), 0) < 0;
    if (inwards) sides.forEach((n) => n.negate());
    this.normals = this.outline.flatMap((_, k) => {
      const [before, after] = [sides[(k + m - 1) % m], sides[k]];
      const mean = before.clone().add(after).normalize();
      return before.dot(after) > kSmooth ? [mean, mean] : [before, after];
    });
    const n = data.through.length;
    const count = 2 * m * n + 2 * m; // the skin and two lids
    this.skin = new Skin(data, count, this.triangles(n));
  }

  get mesh(): Mesh {
    return this.skin.mesh;
  }

  private triangles(n: number): number[] {
    const m = this.outline.length;
    const index: number[] = [];
    for (let i = 0; i + 1 < n; ++i)
      for (let k = 0; k < m; ++k) {
        const a = 2 * (i * m + k) + 1;
        const b = 2 * (i * m + ((k + 1) % m));
        index.push(a, b, a + 2 * m, b, b + 2 * m, a + 2 * m);
      }
    const flat = this.outline.map((p) => new Vector2(p.y, p.z));
    for (const lid of [0, 1])
      for (const triangle of ShapeUtils.triangulateShape(flat, []))
        index.push(...triangle.map((k) => 2 * m * n + lid * m + k));
    return index;
  }

  update(poses: Poses, t: number, dark: boolean): void {
    const { data, outline, normals } = this;
    const m = outline.length;
    const n = data.through.length;
    const [at, turn, point, normal, tint] = [new Vector3(), new Quaternion(), new Vector3(), new Vector3(), new Color()];
    const { index, fraction } = this.run.place(t);
    for (let i = 0; i < n; ++i) {
      const end = data.through[i];
      poses.pointOf(end.body, point.set(...end.at), at);
      poses.turn(end.body, turn);
      const share = this.load ? this.load.atNode(i, index, fraction) : 0;
      tint.setRGB(...divergingColour(share, dark), SRGBColorSpace);
      const lid = i === 0 ? 0 : i === n - 1 ? 1 : -1;
      for (let k = 0; k < m; ++k) {
        point.copy(outline[k]).applyQuaternion(turn).add(at);
        for (const side of [0, 1]) {
          normal.copy(normals[2 * k + side]).applyQuaternion(turn);
          this.skin.put(2 * (i * m + k) + side, point, normal, tint);
        }
        if (lid < 0) continue;
        normal.set(lid === 0 ? -1 : 1, 0, 0).applyQuaternion(turn);
        this.skin.put(2 * m * n + lid * m + k, point, normal, tint);
      }
    }
    this.skin.show();
  }
}
