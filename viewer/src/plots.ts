// SPDX-License-Identifier: BSD-3-Clause
// A column of plots that share their time, their range and their width.
import { make } from './dom';
import type { PlotOwner } from './plot';
import { Plot } from './plot';
import type { Run } from './run';
import type { Panel } from './series';

export class Plots {
  readonly element = make('div', { class: 'plots' });
  private plots: Plot[] = [];
  private range: [number, number] | null = null;
  private time = 0;
  private width = 300;

  constructor(
    private readonly run: Run,
    private readonly owner: PlotOwner,
    private readonly closable: boolean,
  ) {}

  show(panels: Panel[]): void {
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    this.element.replaceChildren();
    for (const panel of panels) this.add(panel);
    if (panels.length === 0)
      this.element.append(make('p', { class: 'hint' }, 'Nothing was recorded of this part.'));
  }

  add(panel: Panel): void {
    const plot: Plot = new Plot(this.run, panel, this.owner, this.width, this.closable ? () => this.remove(plot) : undefined);
    this.plots.push(plot);
    this.element.append(plot.element);
    plot.setRange(this.range);
    plot.setTime(this.time);
  }

  private remove(plot: Plot): void {
    this.plots = this.plots.filter((p) => p !== plot);
    plot.destroy();
  }

  setTime(t: number): void {
    this.time = t;
    for (const plot of this.plots) plot.setTime(t);
  }
  setRange(range: [number, number] | null): void {
    this.range = range;
    for (const plot of this.plots) plot.setRange(range);
  }
  resize(width: number): void {
    this.width = Math.max(200, width);
    for (const plot of this.plots) plot.resize(this.width);
  }
  refresh(): void {
    for (const plot of this.plots) {
      plot.refresh();
      plot.setRange(this.range);
    }
  }
  repaint(): void {
    for (const plot of this.plots) plot.repaint();
  }
}
