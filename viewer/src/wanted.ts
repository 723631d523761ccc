// SPDX-License-Identifier: BSD-3-Clause
// The plots that a model names (plots:), and those of the page where it names none.
import { channelName, channelsOf, channelsOfAll } from './channels';
import { overviewPanels } from './overview';
import type { Panel, Series } from './panel';
import { channelSeries, limited } from './panel';
import type { Channel, Run } from './run';
import { sceneOf } from './sceneData';
import type { PlotData } from './sceneData';

const kMostNamed = 12;

/// What tells names apart: their parts without those that all share at the beginning and the end.
export function labelsOf(names: string[]): string[] {
  const parts = names.map((name) => name.split('.'));
  if (names.length === 1) return [parts[0].slice(parts[0].length > 2 ? 1 : 0).join(' ')];
  const shares = (k: number) => parts.every((p) => p.length > 1 && p.at(k) === parts[0].at(k));
  let first = 0;
  while (first < 3 && shares(first)) ++first;
  let last = 0;
  while (last < 3 && shares(-1 - last)) ++last;
  // of different groups the part says more than the group
  const isMixed = first === 0 && last === 0;
  const own = (p: string[]) => (isMixed ? p.slice(1).filter((word) => word !== 'value') : p.slice(first, Math.max(first + 1, p.length - last)));
  const labels = parts.map((p) => own(p).join(' '));
  return new Set(labels).size === labels.length ? labels : names;
}

/// Channels by unit; numbers without one go to the first.
function byUnit(channels: Channel[]): Map<string, Channel[]> {
  const main = channels.map((c) => c.quantity.unit).find((unit) => unit !== '') ?? '';
  const groups = new Map<string, Channel[]>();
  for (const channel of channels) {
    const unit = channel.quantity.unit || main;
    groups.set(unit, [...(groups.get(unit) ?? []), channel]);
  }
  return groups;
}

function seriesOf(run: Run, channels: Channel[]): Series[] {
  const labels = labelsOf(channels.map(channelName));
  return channels.map((c, i) => channelSeries(run, c, labels[i]));
}

function panelsOfPlot(run: Run, plot: PlotData): Panel[] {
  const title = plot.title || [plot.x, plot.y.join(', ')].filter(Boolean).join(' → ');
  const y = channelsOfAll(run, plot.y);
  const missing = [...plot.y, ...(plot.x ? [plot.x] : [])].filter((w) => channelsOfAll(run, [w]).length === 0);
  const note = missing.length > 0 ? `no channel is called ${missing.join(', ')}` : undefined;
  if (y.length === 0) return [{ title, unit: '', series: [], note }];
  if (plot.x) {
    const x = seriesOf(run, channelsOf(run, plot.x));
    if (x.length === 0) return [{ title, unit: '', series: [], note }];
    return [{ title, unit: y[0].quantity.unit, series: seriesOf(run, y), x, note }];
  }
  const groups = [...byUnit(y)];
  return groups.map(([unit, channels]) => {
    const steps = channels.every((c) => c.quantity.name === 'mode');
    const panel: Panel = { title, unit, series: seriesOf(run, channels), steps, note };
    return limited(panel, kMostNamed);
  });
}

/// What a page shows first.
export function firstPanels(run: Run): Panel[] {
  const { plots } = sceneOf(run.head.scene);
  return plots.length > 0 ? plots.flatMap((plot) => panelsOfPlot(run, plot)) : overviewPanels(run);
}
