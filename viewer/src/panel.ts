// SPDX-License-Identifier: BSD-3-Clause
// What a plot shows.
import { channelName, counterpart } from './channels';
import type { Channel, Quantity, Run } from './run';

export interface Series {
  label: string;
  /// Name of the channel, or of what was computed from one: heads of columns.
  name: string;
  unit: string;
  /// Over run.plotTime; asked again when the run has grown.
  values(): Float64Array;
  /// The same for another run, over its own times; null where it has none.
  of?(run: Run): Series | null;
  /// Number of its colour; its own place otherwise.
  colour?: number;
  /// Of a run that this one is compared with.
  isOther?: boolean;
}

export interface Panel {
  title: string;
  unit: string;
  series: Series[];
  /// Abscissae other than time: curves in a plane, pairwise with the series, or one for all.
  x?: Series[];
  logarithmic?: boolean;
  /// A number that jumps, as modes do.
  steps?: boolean;
  /// What whole numbers from zero on mean.
  names?: string[];
  /// The room between the first two curves is filled.
  band?: boolean;
  /// In place of curves.
  note?: string;
  /// Curves that were left out, and the panel with them.
  more?: { count: number; panel: () => Panel };
}

/// Curves of one plot before it says "+ more".
export const kMostCurves = 6;

/// A panel of the first curves, with the others a click away.
export function limited(panel: Panel, most = kMostCurves): Panel {
  if (panel.series.length <= most + 1) return panel;
  return {
    ...panel,
    series: panel.series.slice(0, most),
    more: { count: panel.series.length - most, panel: () => panel },
  };
}

/// Computed from one channel, of any run that has it.
export function derived(run: Run, channel: Channel, words: { label: string; name?: string; unit?: string },
  compute: (run: Run, channel: Channel) => Float64Array): Series {
  return {
    label: words.label,
    name: words.name ?? channelName(channel),
    unit: words.unit ?? channel.quantity.unit,
    values: () => compute(run, channel),
    of: (other) => {
      const there = counterpart(other, channel);
      return there ? derived(other, there, words, compute) : null;
    },
  };
}

export function channelSeries(run: Run, channel: Channel, label: string): Series {
  return derived(run, channel, { label }, (r, c) => r.series(c));
}

/// One quantity of several items in one panel.
export function overlay(run: Run, quantity: Quantity, items: number[], component = 0): Panel {
  const suffix = quantity.components.length > 0 ? ` ${quantity.components[component]}` : '';
  return {
    title: `${quantity.group} · ${quantity.name.replaceAll('_', ' ')}${suffix}`,
    unit: quantity.unit,
    series: items.map((item) => channelSeries(run, { quantity, item, component }, quantity.items[item] ?? quantity.name)),
  };
}
