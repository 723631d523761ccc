// SPDX-License-Identifier: BSD-3-Clause
// Curves of one quantity over another, with a dot where the mechanism is.
import { Card, colourOf, figureColours, figureOf } from './card';
import type { CardOwner } from './card';
import { make } from './dom';
import type { Frame } from './figure';
import { figureSvg, frameOf } from './figure';
import type { Panel } from './panel';
import type { Run } from './run';

const kHeight = 260;

export class PlanePlot {
  readonly element: HTMLElement;
  readonly card: Card;
  private readonly stage = make('div', { class: 'plane' });
  private readonly picture = make('div');
  private readonly dots: HTMLElement[];
  private frame: Frame | null = null;
  private time = 0;

  constructor(
    private readonly run: Run,
    readonly panel: Panel,
    owner: CardOwner,
    private width: number,
  ) {
    this.card = new Card(run, panel, owner, () => null);
    this.dots = panel.series.map((s, i) => {
      const dot = make('span', { class: s.isOther ? 'dot other' : 'dot' });
      dot.style.background = colourOf(s, i);
      return dot;
    });
    this.stage.append(this.picture, ...this.dots);
    this.card.element.append(this.stage);
    this.element = this.card.element;
    this.draw();
  }

  private draw(): void {
    const figure = figureOf(this.run, this.panel, null, false);
    this.frame = frameOf(figure, this.width, kHeight);
    this.picture.innerHTML = figureSvg(figure, this.width, kHeight, figureColours());
    this.setTime(this.time);
  }

  setTime(t: number): void {
    this.time = t;
    const { frame, panel } = this;
    const values = panel.series.map((series, i) => {
      const x = (panel.x?.[i] ?? panel.x?.[0])?.values();
      const y = series.values();
      // curves of another run have times of their own
      const at = series.isOther && y.length !== this.run.plotTime.length ? null : this.run.nearest(t);
      if (!x || !frame || at === null) {
        this.dots[i].hidden = true;
        return null;
      }
      this.dots[i].hidden = !Number.isFinite(x[at] + y[at]);
      this.dots[i].style.transform = `translate(${frame.x(x[at])}px, ${frame.y(y[at])}px)`;
      return y[at];
    });
    this.card.show(values);
  }

  setRange(_range: [number, number] | null): void {
    // a curve in a plane has no times to zoom into
  }
  resize(width: number): void {
    if (width === this.width) return;
    this.width = width;
    this.draw();
  }
  refresh(): void {
    this.draw();
  }
  repaint(): void {
    this.draw();
  }
  destroy(): void {
    this.element.remove();
  }
}
