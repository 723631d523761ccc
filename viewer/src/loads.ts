// SPDX-License-Identifier: BSD-3-Clause
// What colours flexible parts: the stress at the outline of a beam, or its bending moment where the
// section has no outline, or the axial force of a bar.
import type { Quantity, Run } from './run';
import type { LineData } from './sceneData';

export interface Measure {
  meaning: string;
  unit: string;
  /// Over the whole run and all lines that it colours.
  largest: number;
}

/// A number for each element of a line.
export class Load {
  constructor(
    private readonly run: Run,
    private readonly quantity: Quantity,
    private readonly components: number[], // of an item; the largest counts
    private readonly first: number, // item of the first element
    private readonly elements: number,
    readonly measure: Measure,
  ) {}

  of(element: number, sample: number): number {
    const item = this.first + Math.max(0, Math.min(this.elements - 1, element));
    const stride = Math.max(1, this.quantity.components.length);
    let found = 0;
    for (const component of this.components) {
      const value = this.run.at(this.quantity, item * stride + component, sample);
      if (Math.abs(value) > Math.abs(found)) found = value;
    }
    return found;
  }

  /// At a node: the mean of its elements, relative to the largest of the run.
  atNode(node: number, sample: number, fraction: number): number {
    const mean = (at: number) => 0.5 * (this.of(node - 1, at) + this.of(node, at));
    const a = mean(sample);
    const value = fraction > 0 ? a + fraction * (mean(sample + 1) - a) : a;
    return value / (this.measure.largest || 1);
  }

  largest(): number {
    let most = 0;
    for (let e = 0; e < this.elements; ++e)
      for (let i = 0; i < this.run.time.length; ++i) most = Math.max(most, Math.abs(this.of(e, i)));
    return most;
  }
}

const kMeasures = [
  { name: 'stress', components: [0], meaning: 'largest stress', unit: 'Pa' },
  { name: 'section_moment', components: [1, 2], meaning: 'bending moment', unit: 'N m' },
  { name: 'axial_force', components: [0], meaning: 'axial force', unit: 'N' },
];

/// Loads of the lines of a run, which share their measures.
export class Loads {
  readonly measures = new Map<string, Measure>();

  constructor(private readonly run: Run) {}

  of(line: LineData): Load | null {
    for (const { name, components, meaning, unit } of kMeasures) {
      const quantity = this.run.find('elements', name);
      const first = quantity?.items.indexOf(`${line.name}.1`) ?? -1;
      if (!quantity || first < 0) continue;
      const measure = this.measures.get(name) ?? { meaning, unit, largest: 0 };
      this.measures.set(name, measure);
      const load = new Load(this.run, quantity, components, first, line.through.length - 1, measure);
      measure.largest = Math.max(measure.largest, load.largest());
      return load;
    }
    return null;
  }
}
