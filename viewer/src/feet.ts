// SPDX-License-Identifier: BSD-3-Clause
// Where contacts would touch the other side: points of planes that move.
import { Vector3 } from 'three';

import type { Quantity, Run } from './run';

export class Feet {
  private readonly point: Quantity | undefined;
  private readonly normal: Quantity | undefined;
  private readonly gap: Quantity | undefined;

  constructor(private readonly run: Run) {
    this.point = run.find('contacts', 'point');
    this.normal = run.find('contacts', 'normal');
    this.gap = run.find('contacts', 'gap');
  }

  /// The point less the gap along the normal; false when the contact is not recorded.
  at(contact: string, t: number, to: Vector3): boolean {
    const { point, normal, gap, run } = this;
    const c = point?.items.indexOf(contact) ?? -1;
    if (!point || !normal || !gap || c < 0) return false;
    const { index, fraction } = run.place(t);
    const distance = run.between(gap, c, index, fraction);
    const foot = [0, 1, 2].map(
      (k) => run.between(point, 3 * c + k, index, fraction) - distance * run.between(normal, 3 * c + k, index, fraction),
    );
    to.set(foot[0], foot[1], foot[2]);
    return true;
  }
}
