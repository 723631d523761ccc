// SPDX-License-Identifier: BSD-3-Clause
// A run in memory: times, and numbers by quantity, item and component.
import type { Head, Payload, QuantityHead } from './payload';
import { Scales } from './scale';

/// One number over time.
export interface Channel {
  quantity: Quantity;
  item: number;
  component: number;
}

export class Quantity {
  readonly group: string;
  readonly name: string;
  readonly items: string[];
  readonly components: string[];
  readonly unit: string;
  readonly meaning: string;
  readonly perItem: number;
  /// Channel after channel, at the kept samples; offsets are to be added.
  values!: Float32Array;
  offsets!: Float64Array;
  /// Two for every gap between kept samples, or none.
  extremes!: Float32Array | null;

  constructor(head: QuantityHead, payload: Payload, kept: number) {
    this.group = head.group;
    this.name = head.name;
    this.items = head.items;
    this.components = head.components;
    this.unit = head.unit;
    this.meaning = head.meaning;
    this.perItem = Math.max(1, head.components.length);
    this.load(head, payload, kept);
  }

  load(head: QuantityHead, payload: Payload, kept: number): void {
    const width = Math.max(1, head.items.length) * this.perItem;
    this.offsets = payload.doubles(head.offsets, width);
    const quanta = head.quanta === undefined ? null : payload.doubles(head.quanta, width);
    const numbers = (at: number, run: number) =>
      quanta ? payload.multiples(at, width * run, run, quanta) : payload.floats(at, width * run, run);
    this.values = numbers(head.values, kept);
    this.extremes = head.extremes === undefined ? null : numbers(head.extremes, 2 * Math.max(0, kept - 1));
  }
}

export class Run {
  head!: Head;
  time!: Float64Array;
  readonly quantities: Quantity[];
  /// Times of what series() gives: two more between kept samples when the run is thinned out.
  plotTime!: Float64Array;
  /// Of its numbers, unit by unit.
  scales!: Scales;
  private cache = new Map<string, Float64Array>();

  constructor(payload: Payload) {
    this.setTimes(payload);
    this.quantities = this.head.quantities.map((q) => new Quantity(q, payload, this.head.kept));
  }

  /// Later data of the same run.
  replace(payload: Payload): void {
    this.setTimes(payload);
    this.cache.clear();
    this.quantities.forEach((q, i) => q.load(this.head.quantities[i], payload, this.head.kept));
  }

  private setTimes(payload: Payload): void {
    this.head = payload.head;
    this.time = payload.doubles(this.head.time, this.head.kept);
    this.plotTime = this.isThinned ? this.spreadTime() : this.time;
    this.scales = new Scales(this);
  }

  /// Whether forces are recorded as they are at the time of a sample.
  get stopsAtEvents(): boolean {
    return this.head.integrator.startsWith('event_');
  }
  get isThinned(): boolean {
    return this.head.kept < this.head.samples;
  }
  get begin(): number {
    return this.time.length > 0 ? this.time[0] : 0;
  }
  get end(): number {
    return this.time.length > 0 ? this.time[this.time.length - 1] : 0;
  }

  find(group: string, name: string): Quantity | undefined {
    return this.quantities.find((q) => q.group === group && q.name === name);
  }

  /// Quantities that belong together; none of them unless all are recorded of the same items.
  findAll(group: string, names: string[]): (Quantity | undefined)[] {
    const found = names.map((name) => this.find(group, name));
    const items = JSON.stringify(found[0]?.items);
    return found.every((q) => q !== undefined && JSON.stringify(q.items) === items) ? found : names.map(() => undefined);
  }

  /// Where a time lies: number of the sample before it and the way to the next one.
  place(t: number): { index: number; fraction: number } {
    const last = this.time.length - 1;
    if (last < 1 || t <= this.time[0]) return { index: 0, fraction: 0 };
    if (t >= this.time[last]) return { index: last - 1, fraction: 1 };
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle;
    }
    const span = this.time[high] - this.time[low];
    return { index: low, fraction: span > 0 ? (t - this.time[low]) / span : 0 };
  }

  /// The number of the time in plotTime that belongs to the kept sample nearest to a time.
  nearest(t: number): number {
    const { index, fraction } = this.place(t);
    const sample = fraction > 0.5 ? index + 1 : index;
    return this.isThinned ? 3 * sample : sample;
  }

  /// The value of a channel at a kept sample.
  at(quantity: Quantity, channel: number, sample: number): number {
    return quantity.values[channel * this.time.length + sample] + quantity.offsets[channel];
  }

  /// A mode at a kept sample: of a contact that is open there, what it did since the one before.
  modeAt(mode: Quantity, item: number, sample: number): number {
    const m = Math.round(this.at(mode, item, sample));
    if (m > 0 || sample === 0 || !mode.extremes) return m;
    const gap = item * 2 * (this.time.length - 1) + 2 * (sample - 1);
    return Math.round(Math.max(mode.extremes[gap], mode.extremes[gap + 1]) + mode.offsets[item]);
  }

  /// A value at a place between two samples.
  between(quantity: Quantity, channel: number, index: number, fraction: number): number {
    const a = this.at(quantity, channel, index);
    return fraction === 0 ? a : a + fraction * (this.at(quantity, channel, index + 1) - a);
  }

  /// A channel over plotTime.
  series({ quantity, item, component }: Channel): Float64Array {
    const number = item * quantity.perItem + component;
    const key = `${quantity.group}/${quantity.name}/${number}`;
    let values = this.cache.get(key);
    if (!values) {
      values = this.spread(quantity, number);
      this.cache.set(key, values);
    }
    return values;
  }

  private spread(quantity: Quantity, channel: number): Float64Array {
    const count = this.time.length;
    const offset = quantity.offsets[channel];
    const first = channel * count;
    const result = new Float64Array(this.plotTime.length);
    const extremes = quantity.extremes;
    if (!extremes) {
      for (let i = 0; i < count; ++i) result[i] = quantity.values[first + i] + offset;
      return result;
    }
    const firstGap = channel * 2 * (count - 1);
    for (let i = 0; i < count; ++i) {
      result[3 * i] = quantity.values[first + i] + offset;
      if (i + 1 === count) break;
      result[3 * i + 1] = extremes[firstGap + 2 * i] + offset;
      result[3 * i + 2] = extremes[firstGap + 2 * i + 1] + offset;
    }
    return result;
  }

  private spreadTime(): Float64Array {
    const count = this.time.length;
    const result = new Float64Array(3 * count - 2);
    for (let i = 0; i < count; ++i) {
      result[3 * i] = this.time[i];
      if (i + 1 === count) break;
      const third = (this.time[i + 1] - this.time[i]) / 3;
      result[3 * i + 1] = this.time[i] + third;
      result[3 * i + 2] = this.time[i] + 2 * third;
    }
    return result;
  }
}
