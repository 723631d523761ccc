// SPDX-License-Identifier: BSD-3-Clause
// What is a signal and what is rounding: numbers are judged by the largest ones of their unit.
import type { Quantity, Run } from './run';

/// Changes below this part of the scale of their unit are not drawn.
const kRoundOff = 1e-8;

/// Least and largest number; infinite for none.
export function rangeOf(values: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; ++i) {
    const v = values[i];
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
}

export function spread(values: ArrayLike<number>): number {
  const [low, high] = rangeOf(values);
  return high >= low ? high - low : 0;
}

/// The size of numbers in a run, unit by unit.
export class Scales {
  private readonly sizes = new Map<string, number>();

  constructor(private readonly run: Run) {}

  private sizeOf(quantity: Quantity): number {
    const { length } = this.run.time;
    let size = 0;
    for (let c = 0; c < quantity.offsets.length; ++c)
      for (let i = 0; i < length; ++i) {
        const v = Math.abs(quantity.values[c * length + i] + quantity.offsets[c]);
        if (v > size && Number.isFinite(v)) size = v;
      }
    return size;
  }

  /// The largest number of this unit; what a mechanism of its size does in the time of the run at
  /// least.
  of(unit: string): number {
    const known = this.sizes.get(unit);
    if (known !== undefined) return known;
    const largest = this.run.quantities
      .filter((q) => q.unit === unit && q.group !== 'solver' && q.group !== 'audit')
      .reduce((size, q) => Math.max(size, this.sizeOf(q)), 0);
    this.sizes.set(unit, largest); // below, a length asks for itself no more
    const seconds = this.run.end - this.run.begin || 1;
    const least: Record<string, () => number> = {
      rad: () => 1,
      'rad/s': () => 1 / seconds,
      'm/s': () => this.of('m') / seconds,
    };
    const scale = Math.max(largest, least[unit]?.() ?? 0);
    this.sizes.set(unit, scale);
    return scale;
  }

  /// Smaller changes are rounding; numbers without a unit are judged by themselves.
  noise(unit: string, values: ArrayLike<number>): number {
    const [low, high] = rangeOf(values);
    const own = Math.max(Math.abs(low), Math.abs(high));
    return kRoundOff * (unit === '' ? (Number.isFinite(own) ? own : 0) : this.of(unit));
  }

  isFlat(unit: string, values: ArrayLike<number>): boolean {
    return spread(values) <= this.noise(unit, values);
  }

  /// Constant, and as good as zero.
  isZero(unit: string, values: ArrayLike<number>): boolean {
    const [low, high] = rangeOf(values);
    const noise = this.noise(unit, values);
    return !(low < -noise || high > noise);
  }
}
