// SPDX-License-Identifier: BSD-3-Clause
// The frame of a plot: its title, legend with the numbers of the moment, and buttons.
import { make, prettyNumber } from './dom';
import type { Figure, FigureColours } from './figure';
import { figureSvg } from './figure';
import type { Panel, Series } from './panel';
import type { Run } from './run';
import { csvOf, fileNameOf, pngOf, save } from './save';
import { seriesColours } from './theme';

const kSaved: [number, number] = [720, 420]; // size of saved pictures

export interface CardOwner {
  /// The user wants this panel in place of that one; null to close it.
  replace?(panel: Panel | null): void;
}

export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function figureColours(): FigureColours {
  return { paper: cssColour('--paper'), ink: cssColour('--ink'), faint: cssColour('--faint'), rule: cssColour('--rule') };
}

export function colourOf(series: Series, i: number): string {
  return seriesColours[(series.colour ?? i) % seriesColours.length];
}

function axisLabel(label: string, unit: string): string {
  return unit ? `${label} [${unit}]` : label;
}

/// The panel as a picture; the abscissa is time unless it has others.
export function figureOf(run: Run, panel: Panel, range: [number, number] | null, whole: boolean): Figure {
  const { series, x } = panel;
  const units = new Set(series.map((s) => s.unit).filter(Boolean));
  const curves = series.map((s, i) => ({
    label: s.label, colour: colourOf(s, i), dashed: s.isOther,
    x: x ? (x[i] ?? x[0]).values() : run.plotTime, y: s.values(),
  }));
  const only = series.length === 1 ? series[0].label : '';
  return {
    title: panel.title,
    xLabel: x ? axisLabel(x[0].label, x[0].unit) : 't [s]',
    yLabel: axisLabel(only, panel.unit),
    curves, whole, steps: panel.steps, logarithmic: panel.logarithmic, names: panel.names,
    xRange: x ? undefined : range ?? [run.begin, run.end],
    square: x !== undefined && x[0].unit !== '' && units.size === 1 && units.has(x[0].unit),
  };
}

export class Card {
  readonly element: HTMLElement;
  private readonly readouts: HTMLElement[] = [];
  private readonly noises: number[];

  constructor(
    private readonly run: Run,
    private readonly panel: Panel,
    owner: CardOwner,
    private readonly range: () => [number, number] | null,
  ) {
    this.noises = panel.series.map((s) => run.scales.noise(s.unit, s.values()));
    const unit = panel.unit ? ` [${panel.unit}]` : '';
    const head = make('header', {}, make('h3', {}, panel.title, make('span', { class: 'unit' }, unit)), this.legend(owner));
    const buttons = make('div', { class: 'plot-buttons' });
    if (panel.series.length > 0) buttons.append(this.menu());
    if (owner.replace)
      buttons.append(make('button', { class: 'close', title: 'Close this plot', 'aria-label': `close ${panel.title}`, click: () => owner.replace?.(null) }, '×'));
    head.append(buttons);
    this.element = make('section', { class: 'plot' }, head);
    if (panel.note) this.element.append(make('p', { class: 'hint' }, panel.note));
  }

  private legend(owner: CardOwner): HTMLElement {
    const { panel } = this;
    const legend = make('div', { class: 'legend' });
    panel.series.forEach((series, i) => {
      const value = make('span', { class: 'value' });
      this.readouts.push(value);
      const chip = make('span', { class: series.isOther ? 'chip dashed' : 'chip' });
      chip.style.color = colourOf(series, i);
      legend.append(make('span', { class: 'entry' }, chip, series.label, ' ', value));
    });
    const { more } = panel;
    if (more && owner.replace)
      legend.append(make('button', { class: 'more', title: 'Draw them, too', click: () => owner.replace?.(more.panel()) }, `+${more.count} more`));
    return legend;
  }

  /// The numbers of the moment, rounding told as zero.
  show(values: (number | null)[]): void {
    this.readouts.forEach((readout, k) => {
      const x = values[k] ?? NaN;
      const text = this.panel.names?.[Math.round(x)] ?? prettyNumber(Math.abs(x) <= this.noises[k] ? 0 : x);
      if (readout.textContent !== text) readout.textContent = text;
    });
  }

  private menu(): HTMLElement {
    const choice = (name: string, action: () => void | Promise<void>) =>
      make('button', { role: 'menuitem', click: () => {
        menu.open = false;
        void action();
      } }, name);
    const summary = make('summary', { title: 'Save this plot', 'aria-label': `save ${this.panel.title}` }, '⤓');
    const menu: HTMLDetailsElement = make('details', { class: 'save' }, summary,
      make('div', { class: 'menu', role: 'menu' },
        choice('CSV', () => save(this.csv(), 'text/csv', fileNameOf(this.panel.title, 'csv'))),
        choice('SVG', () => save(this.svg(), 'image/svg+xml', fileNameOf(this.panel.title, 'svg'))),
        choice('PNG', async () => save(await pngOf(this.svg(), ...kSaved), 'image/png', fileNameOf(this.panel.title, 'png')))));
    menu.addEventListener('focusout', (e) => {
      if (!menu.contains(e.relatedTarget as Node | null)) menu.open = false;
    });
    return menu;
  }

  /// As it is drawn: the times that are shown, with the extremes between samples of a thinned run.
  csv(): string {
    const { run, panel } = this;
    const [low, high] = this.range() ?? [-Infinity, Infinity];
    const time = run.plotTime;
    const rows = Array.from(time, (_, i) => i).filter((i) => time[i] >= low && time[i] <= high);
    const isOwn = (s: Series) => panel.x === undefined || !s.isOther; // others have times of their own
    const columns = [...(panel.x ?? []).filter(isOwn), ...panel.series.filter(isOwn)].map((s) => ({ name: s.name, unit: s.unit, values: s.values() }));
    return csvOf([{ name: 'time', unit: 's', values: time }, ...columns], rows);
  }

  svg(): string {
    return figureSvg(figureOf(this.run, this.panel, this.range(), true), ...kSaved, figureColours());
  }
}
