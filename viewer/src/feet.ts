// SPDX-License-Identifier: BSD-3-Clause
// Where contacts would touch the other side: points of planes that move.
import { Vector3 } from 'three';

import type { Quantity, Run } from './run';

export class Feet {
  private readonly point: Quantity | undefined;
  private readonly normal: Quantity | undefined;
  private readonly gap: Quantity | undefined;
  private readonly places = new Map<string, number>();

  constructor(private readonly run: Run) {
    [this.point, this.normal, this.gap] = run.findAll('contacts', ['point', 'normal', 'gap']);
    this.point?.items.forEach((name, i) => this.places.set(name, i));
  }

  /// The point less the gap along the normal; false when the contact is not recorded.
  at(contact: string, t: number, to: Vector3): boolean {
    const { index, fraction } = this.run.place(t);
    return this.read(contact, index, fraction, to) !== null;
  }

  /// The same at a sample: the gap, or null when the contact is not recorded.
  atSample(contact: string, sample: number, to: Vector3): number | null {
    return this.read(contact, sample, 0, to);
  }

  private read(contact: string, index: number, fraction: number, to: Vector3): number | null {
    const { point, normal, gap, run } = this;
    const c = this.places.get(contact);
    if (!point || !normal || !gap || c === undefined) return null;
    const distance = run.between(gap, c, index, fraction);
    const foot = [0, 1, 2].map(
      (k) => run.between(point, 3 * c + k, index, fraction) - distance * run.between(normal, 3 * c + k, index, fraction),
    );
    to.set(foot[0], foot[1], foot[2]);
    return distance;
  }
}
