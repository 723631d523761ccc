// SPDX-License-Identifier: BSD-3-Clause
// A column of plots that share their time, their range and their width.
import type { Comparison } from './compare';
import { make } from './dom';
import { EmptyPlot } from './emptyPlot';
import type { Panel } from './panel';
import { PlanePlot } from './planePlot';
import type { PlotOwner } from './plot';
import { Plot } from './plot';
import type { Run } from './run';

type AnyPlot = Plot | PlanePlot | EmptyPlot;

export class Plots {
  readonly element = make('div', { class: 'plots' });
  private plots: AnyPlot[] = [];
  private panels: Panel[] = [];
  private other: Comparison | null = null;
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
    this.panels = [...panels];
    this.element.replaceChildren();
    this.plots = panels.map((panel) => this.plotOf(panel));
    this.element.append(...this.plots.map((plot) => plot.element));
    if (panels.length === 0)
      this.element.append(make('p', { class: 'hint' }, 'Nothing was recorded of this part.'));
  }

  /// Another run beside this one, or none.
  compare(other: Comparison | null): void {
    this.other = other;
    if (this.element.hasChildNodes()) this.show(this.panels);
  }

  private plotOf(panel: Panel): AnyPlot {
    const replace = this.closable ? (by: Panel | null) => this.replace(panel, by) : undefined;
    const joined = this.other ? this.other.joined(this.run, panel) : panel;
    if (panel.series.length === 0) return new EmptyPlot(this.run, panel, { replace });
    const plot = panel.x
      ? new PlanePlot(this.run, joined, { replace }, this.width)
      : new Plot(this.run, joined, { ...this.owner, replace }, this.width);
    plot.setRange(this.range);
    plot.setTime(this.time);
    return plot;
  }

  private replace(old: Panel, by: Panel | null): void {
    const at = this.panels.indexOf(old);
    const plot = this.plots[at];
    if (by) {
      const next = this.plotOf(by);
      plot.element.before(next.element);
      this.plots[at] = next;
      this.panels[at] = by;
    } else {
      this.plots.splice(at, 1);
      this.panels.splice(at, 1);
    }
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
