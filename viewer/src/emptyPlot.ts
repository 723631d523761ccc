// SPDX-License-Identifier: BSD-3-Clause
// A plot without curves: its title, and why there are none.
import { Card } from './card';
import type { CardOwner } from './card';
import type { Panel } from './panel';
import type { Run } from './run';

export class EmptyPlot {
  readonly element: HTMLElement;
  readonly card: Card;

  constructor(run: Run, readonly panel: Panel, owner: CardOwner) {
    this.card = new Card(run, panel, owner, () => null);
    this.element = this.card.element;
  }
  setTime(_: number): void {}
  setRange(_: [number, number] | null): void {}
  resize(_: number): void {}
  refresh(): void {}
  repaint(): void {}
  destroy(): void {
    this.element.remove();
  }
}
