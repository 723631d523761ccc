// SPDX-License-Identifier: BSD-3-Clause
// The run from left to right: a track to scrub on, impacts, and what every contact did.
import { make } from './dom';
import type { Quantity, Run } from './run';
import { modes } from './theme';

const kTrack = 22;
const kLane = 15;
const kMostLanes = 300;

/// More impacts than this part of the pixels are shown as their density.
const kDense = 0.2;

/// A contact, or a friction without one.
interface Lane {
  mode: Quantity;
  item: number;
  name: string;
}

/// All of a run, contacts first.
function lanesOf(run: Run): Lane[] {
  return ['contacts', 'friction'].flatMap((group) => {
    const mode = run.find(group, 'mode');
    return mode ? mode.items.map((name, item) => ({ mode, item, name })) : [];
  });
}

function modeOf(run: Run, { mode, item }: Lane, sample: number): number {
  return run.modeAt(mode, item, sample);
}

export interface TimelineOwner {
  seek(t: number): void;
}

export class Timeline {
  readonly element: HTMLElement;
  readonly slider: HTMLInputElement;
  private readonly labels = make('div', { class: 'lane-labels' });
  private readonly canvas = make('canvas', { class: 'lanes' });
  private readonly cursor = make('div', { class: 'time-cursor' });
  private readonly stage: HTMLElement;
  /// How many lanes are out of sight.
  readonly count = make('span', { class: 'lane-count' });
  private lanes: Lane[] = [];
  private width = 0;
  private range: [number, number] | null = null;

  constructor(
    private readonly run: Run,
    owner: TimelineOwner,
    private readonly choose: (group: string, item: string) => void,
  ) {
    this.slider = make('input', {
      type: 'range', min: 0, max: 10000, value: 0, class: 'scrub', 'aria-label': 'time',
      input: () => owner.seek(this.begin + (Number(this.slider.value) / 10000) * (this.end - this.begin)),
    });
    this.stage = make('div', { class: 'stage' }, this.canvas, this.cursor, this.slider);
    this.element = make('div', { class: 'timeline', scroll: () => this.showCount() }, this.labels, this.stage);
    this.canvas.addEventListener('pointerdown', (e) => {
      this.canvas.setPointerCapture(e.pointerId);
      owner.seek(this.timeAt(e.offsetX));
    });
    this.canvas.addEventListener('pointermove', (e) => {
      if (e.buttons & 1) owner.seek(this.timeAt(e.offsetX));
    });
    this.label();
  }

  private get begin(): number {
    return this.range?.[0] ?? this.run.begin;
  }
  private get end(): number {
    return this.range?.[1] ?? this.run.end;
  }
  private timeAt(x: number): number {
    return this.begin + (x / Math.max(1, this.width)) * (this.end - this.begin);
  }
  private xOf(t: number): number {
    const span = this.end - this.begin;
    return span > 0 ? ((t - this.begin) / span) * this.width : 0;
  }

  /// The times that are shown; null for all.
  setRange(range: [number, number] | null): void {
    this.range = range;
    this.draw();
  }

  // a lane for each; of very many only those that ever close
  private label(): void {
    this.labels.replaceChildren(make('span', { class: 'track-label' }, this.run.head.impacts.time.length > 0 ? 'impacts' : ''));
    this.lanes = lanesOf(this.run);
    if (this.lanes.length > 24)
      this.lanes = this.lanes.filter((lane) => this.run.time.some((_, i) => this.run.at(lane.mode, lane.item, i) > 0));
    this.lanes = this.lanes.slice(0, kMostLanes);
    this.element.classList.toggle('bare', this.lanes.length === 0 && this.run.head.impacts.time.length === 0);
    for (const { mode, name } of this.lanes)
      this.labels.append(
        make('button', { class: 'lane-label', title: `Plot ${name}`, click: () => this.choose(mode.group, name) }, name),
      );
  }

  resize(): void {
    this.width = this.stage.clientWidth;
    this.draw();
    this.showCount();
  }

  private showCount(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    const hidden = Math.ceil((scrollHeight - scrollTop - clientHeight - 4) / kLane);
    this.element.classList.toggle('more', hidden > 0);
    this.count.textContent = hidden > 0 ? `${hidden} more below` : '';
  }

  draw(): void {
    const ratio = devicePixelRatio;
    const height = kTrack + kLane * this.lanes.length;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    const c = this.canvas.getContext('2d');
    if (!c) return;
    c.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    c.fillStyle = colour('--rule');
    c.fillRect(0, kTrack / 2 - 2, this.width, 4);
    this.lanes.forEach((lane, i) => this.drawLane(c, lane, kTrack + i * kLane, colour('--lane')));
    this.drawImpacts(c, colour('--ink'));
  }

  private drawLane(c: CanvasRenderingContext2D, lane: Lane, y: number, empty: string): void {
    const { run } = this;
    const height = kLane - 4;
    c.fillStyle = empty;
    c.fillRect(0, y, this.width, height);
    let begin = 0;
    const n = run.time.length;
    const at = (i: number) => modeOf(run, lane, i);
    for (let i = 1; i <= n; ++i) {
      if (i < n && at(i) === at(begin)) continue;
      // a sample tells of the step that led to it
      const left = this.xOf(run.time[Math.max(0, begin - 1)]);
      const right = this.xOf(run.time[i - 1]);
      const m = at(begin);
      if (m > 0) {
        c.fillStyle = modes[m].colour;
        c.fillRect(left, y, Math.max(1, right - left), height);
      }
      begin = i;
    }
  }

  private drawImpacts(c: CanvasRenderingContext2D, ink: string): void {
    const { impacts } = this.run.head;
    const lane = new Map(this.lanes.map(({ name }, i) => [name, i]));
    c.fillStyle = ink;
    const columns = new Float64Array(Math.max(1, Math.ceil(this.width)));
    let count = 0;
    impacts.time.forEach((t, i) => {
      const x = Math.round(this.xOf(t));
      if (x < 0 || x >= columns.length) return;
      ++columns[x];
      ++count;
      const row = lane.get(impacts.contact[i]);
      c.globalAlpha = 0.8;
      if (row !== undefined) c.fillRect(x, kTrack + row * kLane, 1, kLane - 4);
    });
    const isDense = count > kDense * columns.length;
    const most = Math.max(...columns);
    columns.forEach((n, x) => {
      if (n === 0) return;
      c.globalAlpha = isDense ? 0.1 + 0.6 * (n / most) : 0.55;
      const height = isDense ? 4 + 10 * (n / most) : 12;
      c.fillRect(x, kTrack / 2 - height / 2, 1, height);
    });
    c.globalAlpha = 1;
  }

  setTime(t: number): void {
    const span = this.end - this.begin;
    const part = span > 0 ? (t - this.begin) / span : 0;
    const isInside = part > -1e-9 && part < 1 + 1e-9;
    for (const mark of [this.cursor, this.slider]) mark.classList.toggle('outside', !isInside);
    this.cursor.style.transform = `translateX(${this.xOf(t)}px)`;
    this.slider.value = String(Math.round(10000 * part));
  }

  refresh(): void {
    this.label();
    this.draw();
  }
}

/// The colours of the modes that occur.
export function modeLegend(run: Run): HTMLElement {
  const legend = make('div', { class: 'mode-legend' });
  const seen = new Set<number>();
  for (const lane of lanesOf(run).slice(0, 200))
    for (let i = 0; i < run.time.length; ++i) seen.add(modeOf(run, lane, i));
  for (const m of [...seen].sort()) {
    if (!modes[m]) continue;
    const chip = make('span', { class: 'chip' });
    chip.style.background = modes[m].colour;
    legend.append(make('span', { class: 'entry' }, chip, modes[m].name));
  }
  return legend;
}
