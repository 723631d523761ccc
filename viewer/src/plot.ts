// SPDX-License-Identifier: BSD-3-Clause
// A panel of curves with the time cursor of the page.
import uPlot from 'uplot';

import { Card, colourOf, cssColour } from './card';
import type { CardOwner } from './card';
import { make, tickText } from './dom';
import type { Panel } from './panel';
import type { Run } from './run';

export interface PlotOwner {
  /// The user chose a time, or a range of times; null for all.
  seek(t: number): void;
  zoom(range: [number, number] | null): void;
}

const kHeight = 148;
const kTimeName = 40; // room for "t [s]" at the end of the axis [px]

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

/// Times with as many decimals as their distance needs, up to the name of the axis.
function timeTicks(u: uPlot, ticks: number[], _axis: number, _space: number, step: number): string[] {
  const decimals = decimalsOf(step);
  const room = u.bbox.width / devicePixelRatio - kTimeName;
  const text = (t: number) => (decimals === 0 ? String(Math.round(t)) : t.toFixed(decimals).replace(/\.?0+$/, ''));
  return ticks.map((t) => (u.valToPos(t, 'x') > room ? '' : text(t)));
}

/// Room for such ticks [px].
function timeSpace(_u: uPlot, _axis: number, min: number, max: number): number {
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.max(1e-12, max - min))));
  const whole = String(Math.trunc(Math.max(Math.abs(min), Math.abs(max)))).length;
  return 20 + 7 * (whole + decimals);
}

/// Curves over time with the time cursor of the page.
export class Plot {
  readonly element: HTMLElement;
  readonly card: Card;
  private readonly chart: uPlot;
  private readonly cursor = make('div', { class: 'time-cursor' });
  private data: uPlot.AlignedData;
  private time = 0;
  private range: [number, number] | null = null;

  constructor(
    private readonly run: Run,
    readonly panel: Panel,
    private readonly owner: PlotOwner & CardOwner,
    width: number,
  ) {
    this.card = new Card(run, panel, owner, () => this.range);
    this.element = this.card.element;
    this.data = this.read();
    const stage = make('div', { class: 'plot-stage' });
    this.element.append(stage);
    this.chart = new uPlot(this.options(width), this.data, stage);
    this.chart.over.append(this.cursor);
    stage.append(make('span', { class: 'axis-name' }, 't [s]'));
    this.listen();
    this.setTime(this.time);
  }

  // Rounding errors do not fill a plot.
  private yRange = (_: uPlot, min: number | null, max: number | null): [number | null, number | null] => {
    if (min === null || max === null) return [null, null];
    const { unit, series } = this.panel;
    const noise = Math.max(0, ...series.map((s) => this.run.scales.noise(s.unit || unit, s.values())));
    if (max - min > 10 * noise) return uPlot.rangeNum(min, max, 0.1, true);
    const middle = Math.abs(min + max) / 2 <= noise ? 0 : (min + max) / 2;
    const half = Math.abs(middle) / 2 || (unit ? this.run.scales.of(unit) : 0) || 1;
    return [middle - half, middle + half];
  };

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
        y: this.panel.logarithmic ? { distr: 3 } : { range: names ? ([-0.2, names.length - 0.8] as [number, number]) : this.yRange },
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
        ...this.panel.series.map((series, i) => ({
          stroke: colourOf(series, i),
          width: 1.5,
          ...(series.isOther ? { dash: [5, 4] } : {}),
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
    const i = this.run.nearest(t);
    this.card.show(this.panel.series.map((_, k) => this.data[k + 1][i] as number | null));
  }

  setRange(range: [number, number] | null): void {
    this.range = range;
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
