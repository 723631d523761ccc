// SPDX-License-Identifier: BSD-3-Clause
// A panel of curves with the time cursor of the page.
import uPlot from 'uplot';

import { make, prettyNumber, tickText } from './dom';
import type { Run } from './run';
import type { Panel } from './series';
import { seriesColours } from './theme';

export interface PlotOwner {
  /// The user chose a time, or a range of times; null for all.
  seek(t: number): void;
  zoom(range: [number, number] | null): void;
}

const kHeight = 148;

function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/// Over many decades lines at 2, 3, … 9 would be a grey carpet.
function decades(_: uPlot, ticks: number[]): (number | null)[] {
  const isWide = ticks.length > 0 && ticks[ticks.length - 1] > 1e3 * ticks[0];
  return isWide ? ticks.map((v) => (Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 ? v : null)) : ticks;
}

/// Decimals that tell ticks of this distance apart.
function decimalsOf(step: number): number {
  let decimals = 0;
  while (decimals < 12 && Math.abs(Math.round(step * 10 ** decimals) / 10 ** decimals - step) > 1e-6 * step) ++decimals;
  return decimals;
}

/// Times with as many decimals as their distance needs.
function timeTicks(_u: uPlot, ticks: number[], _axis: number, _space: number, step: number): string[] {
  const decimals = decimalsOf(step);
  return ticks.map((t) => (decimals === 0 ? String(Math.round(t)) : t.toFixed(decimals).replace(/\.?0+$/, '')));
}

/// Room for such ticks [px].
function timeSpace(_u: uPlot, _axis: number, min: number, max: number): number {
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.max(1e-12, max - min))));
  const whole = String(Math.trunc(Math.max(Math.abs(min), Math.abs(max)))).length;
  return 20 + 7 * (whole + decimals);
}

export class Plot {
  readonly element: HTMLElement;
  private readonly chart: uPlot;
  private readonly cursor = make('div', { class: 'time-cursor' });
  private readonly readouts: HTMLElement[] = [];
  private data: uPlot.AlignedData;
  private time = 0;

  constructor(
    private readonly run: Run,
    private readonly panel: Panel,
    private readonly owner: PlotOwner,
    width: number,
    onClose?: () => void,
  ) {
    const legend = make('div', { class: 'legend' });
    panel.series.forEach((series, i) => {
      const value = make('span', { class: 'value' });
      this.readouts.push(value);
      const chip = make('span', { class: 'chip' });
      chip.style.background = seriesColours[i % seriesColours.length];
      legend.append(make('span', { class: 'entry' }, chip, series.label, ' ', value));
    });
    const unit = panel.unit ? ` [${panel.unit}]` : '';
    const head = make('header', {}, make('h3', {}, panel.title, make('span', { class: 'unit' }, unit)), legend);
    if (onClose)
      head.append(make('button', { class: 'close', title: 'Close this plot', 'aria-label': `close ${panel.title}`, click: onClose }, '×'));
    this.element = make('section', { class: 'plot' }, head);
    this.data = this.read();
    this.chart = new uPlot(this.options(width), this.data, this.element);
    this.chart.over.append(this.cursor);
    this.listen();
    this.setTime(this.time);
  }

  private read(): uPlot.AlignedData {
    // where there is no number the curve has a gap, which uPlot calls null
    const withGaps = (values: Float64Array) =>
      values.some(Number.isNaN) ? Array.from(values, (v) => (Number.isNaN(v) ? null : v)) : values;
    return [this.run.plotTime, ...this.panel.series.map((s) => withGaps(s.values()))] as unknown as uPlot.AlignedData;
  }

  private options(width: number): uPlot.Options {
    const axis = {
      stroke: () => cssColour('--faint'),
      grid: { stroke: () => cssColour('--rule'), width: 1 },
      ticks: { stroke: () => cssColour('--rule'), width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
    };
    const { names } = this.panel;
    const path = this.panel.steps ? uPlot.paths.stepped?.({ align: -1 }) : undefined;
    return {
      width,
      height: kHeight,
      pxAlign: false,
      padding: [7, 12, 0, 0],
      scales: {
        x: { time: false },
        y: { distr: this.panel.logarithmic ? 3 : 1, ...(names ? { range: [-0.2, names.length - 0.8] as [number, number] } : {}) },
      },
      axes: [
        { ...axis, size: 24, gap: 3, values: timeTicks, space: timeSpace },
        {
          ...axis,
          ...(this.panel.logarithmic ? { grid: { ...axis.grid, filter: decades }, ticks: { ...axis.ticks, filter: decades } } : {}),
          size: 62,
          gap: 4,
          space: 26,
          ...(names ? { splits: () => names.map((_, i) => i) } : {}),
          values: (_, ticks) => ticks.map((v) => (v === null ? '' : names?.[v] ?? tickText(v))),
        },
      ],
      ...(this.panel.band ? { bands: [{ series: [1, 2] as [number, number], fill: 'rgb(59 127 196 / 22%)' }] } : {}),
      legend: { show: false },
      cursor: {
        sync: { key: 'picus' },
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
      },
      series: [
        {},
        ...this.panel.series.map((_, i) => ({
          stroke: seriesColours[i % seriesColours.length],
          width: 1.5,
          points: { show: false },
          ...(path ? { paths: path } : {}),
        })),
      ],
      hooks: {
        setSelect: [
          (u) => {
            if (u.select.width < 4) return;
            this.owner.zoom([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
        setScale: [() => this.setTime(this.time)],
      },
    };
  }

  private listen(): void {
    const over = this.chart.over;
    let pressed = 0;
    over.addEventListener('mousedown', (e) => (pressed = e.clientX));
    let before = this.time; // a double click is no choice of a time
    over.addEventListener('click', (e) => {
      if (Math.abs(e.clientX - pressed) >= 4 || e.detail > 1) return;
      before = this.time;
      this.owner.seek(this.chart.posToVal(e.offsetX, 'x'));
    });
    over.addEventListener('dblclick', () => {
      this.owner.seek(before);
      this.owner.zoom(null);
    });
  }

  setTime(t: number): void {
    this.time = t;
    if (!this.chart) return;
    const x = this.chart.valToPos(t, 'x');
    // asking the document for widths here would lay it out anew in every frame
    const inside = x >= -1 && x <= this.chart.bbox.width / devicePixelRatio + 1;
    this.cursor.style.display = inside ? '' : 'none';
    this.cursor.style.transform = `translateX(${x}px)`;
    const i = this.nearest(t);
    this.readouts.forEach((value, k) => {
      const x = (this.data[k + 1][i] as number | null) ?? NaN;
      const text = this.panel.names?.[Math.round(x)] ?? prettyNumber(x);
      if (value.textContent !== text) value.textContent = text;
    });
  }

  private nearest(t: number): number {
    const { index, fraction } = this.run.place(t);
    const sample = fraction > 0.5 ? index + 1 : index;
    return this.run.isThinned ? 3 * sample : sample;
  }

  setRange(range: [number, number] | null): void {
    const [min, max] = range ?? [this.run.begin, this.run.end];
    this.chart.setScale('x', { min, max });
  }

  resize(width: number): void {
    this.chart.setSize({ width, height: kHeight });
    this.setTime(this.time);
  }

  /// The run has grown.
  refresh(): void {
    this.data = this.read();
    this.chart.setData(this.data);
    this.setTime(this.time);
  }

  repaint(): void {
    this.chart.redraw(false, true);
  }

  destroy(): void {
    this.chart.destroy();
    this.element.remove();
  }
}
