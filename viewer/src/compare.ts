// SPDX-License-Identifier: BSD-3-Clause
// Another run beside this one: its curves are dashed in the same colours.
import type { Panel, Series } from './panel';
import type { Run } from './run';

/// Values of another run at the times of this one, on straight lines; none outside of its time.
export function resampled(time: Float64Array, values: Float64Array, at: Float64Array): Float64Array {
  const result = new Float64Array(at.length).fill(NaN);
  const last = time.length - 1;
  const slack = 1e-9 * (time[last] - time[0]);
  let k = 0;
  for (let i = 0; i < at.length; ++i) {
    const t = Math.min(at[i], time[last]);
    if (last < 1 || t < time[0] || at[i] > time[last] + slack) continue;
    while (k + 1 < last && time[k + 1] < t) ++k;
    const span = time[k + 1] - time[k];
    const part = span > 0 ? (t - time[k]) / span : 0;
    result[i] = values[k] + part * (values[k + 1] - values[k]);
  }
  return result;
}

export class Comparison {
  constructor(
    readonly run: Run,
    readonly name: string,
  ) {}

  private beside(mine: Run, series: Series, colour: number, isTime: boolean): Series[] {
    const other = series.of?.(this.run);
    if (!other) return [];
    const values = isTime ? () => resampled(this.run.plotTime, other.values(), mine.plotTime) : other.values;
    return [{ ...other, label: `${other.label} (${this.name})`, name: `${other.name} (${this.name})`, values, colour, isOther: true }];
  }

  /// The panel with the curves of both runs.
  joined(mine: Run, panel: Panel): Panel {
    const isTime = panel.x === undefined;
    const others = panel.series.map((s, i) => this.beside(mine, s, i, isTime));
    const series = [...panel.series, ...others.flat()];
    if (isTime || !panel.x) return { ...panel, series };
    const mineX = panel.series.map((_, i) => (panel.x as Series[])[i] ?? (panel.x as Series[])[0]);
    const theirX = others.flatMap((list, i) => (list.length > 0 ? this.beside(mine, mineX[i], i, false) : []));
    return { ...panel, series, x: [...mineX, ...theirX] };
  }
}
