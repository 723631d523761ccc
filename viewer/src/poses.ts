// SPDX-License-Identifier: BSD-3-Clause
// Where bodies are at a time: positions between samples on straight lines, orientations between
// quaternions.
import { Matrix4, Quaternion, Vector3 } from 'three';

import type { Quantity, Run } from './run';

export class Poses {
  private readonly position: Quantity | undefined;
  private readonly orientation: Quantity | undefined;
  private readonly places = new Map<string, { position: number; orientation: number }>();
  private index = 0;
  private fraction = 0;
  private readonly q = new Quaternion();
  private readonly r = new Vector3();
  private readonly one = new Vector3(1, 1, 1);

  constructor(private readonly run: Run) {
    this.position = run.find('bodies', 'position');
    this.orientation = run.find('bodies', 'orientation');
    this.position?.items.forEach((name, i) =>
      this.places.set(name, { position: i, orientation: -1 }),
    );
    this.orientation?.items.forEach((name, i) => {
      const place = this.places.get(name);
      if (place) place.orientation = i;
    });
  }

  get names(): string[] {
    return this.position?.items ?? [];
  }

  seek(t: number): void {
    ({ index: this.index, fraction: this.fraction } = this.run.place(t));
  }
  seekSample(sample: number): void {
    this.index = sample;
    this.fraction = 0;
  }

  private mix(quantity: Quantity, channel: number): number {
    return this.run.between(quantity, channel, this.index, this.fraction);
  }

  /// The place of a body; the origin for one that is not recorded.
  point(name: string | undefined, to: Vector3): Vector3 {
    const place = name === undefined ? undefined : this.places.get(name);
    if (!place || !this.position) return to.set(0, 0, 0);
    const first = 3 * place.position;
    return to.set(
      this.mix(this.position, first),
      this.mix(this.position, first + 1),
      this.mix(this.position, first + 2),
    );
  }

  turn(name: string | undefined, to: Quaternion): Quaternion {
    const place = name === undefined ? undefined : this.places.get(name);
    if (!place || place.orientation < 0 || !this.orientation) return to.identity();
    const c = 4 * place.orientation;
    const o = this.orientation;
    const i = this.index;
    const run = this.run;
    const w = run.at(o, c, i);
    const x = run.at(o, c + 1, i);
    const y = run.at(o, c + 2, i);
    const z = run.at(o, c + 3, i);
    if (this.fraction === 0) return to.set(x, y, z, w).normalize();
    const w1 = run.at(o, c, i + 1);
    const x1 = run.at(o, c + 1, i + 1);
    const y1 = run.at(o, c + 2, i + 1);
    const z1 = run.at(o, c + 3, i + 1);
    const side = w * w1 + x * x1 + y * y1 + z * z1 < 0 ? -1 : 1; // q and −q are one orientation
    const f = this.fraction;
    const mix = (a: number, b: number) => a + f * (side * b - a);
    return to.set(mix(x, x1), mix(y, y1), mix(z, z1), mix(w, w1)).normalize();
  }

  matrix(name: string | undefined, to: Matrix4): Matrix4 {
    return to.compose(this.point(name, this.r), this.turn(name, this.q), this.one);
  }

  /// A point of space in the frame of a body.
  inFrame(name: string, point: Vector3): Vector3 {
    this.turn(name, this.q).invert();
    this.point(name, this.r);
    return point.clone().sub(this.r).applyQuaternion(this.q);
  }

  /// A point of a body, in space.
  pointOf(name: string | undefined, at: Vector3, to: Vector3): Vector3 {
    this.turn(name, this.q);
    this.point(name, this.r);
    return to.copy(at).applyQuaternion(this.q).add(this.r);
  }
}
