// SPDX-License-Identifier: BSD-3-Clause
// Curves that belong to a part, to the energy and to the integrator.
import { channelSeries, derived, overlay } from './panel';
import type { Panel, Series } from './panel';
import type { Quantity, Run } from './run';
import { spread } from './scale';
import { modes } from './theme';

/// The angle about z of a planar body, full turns counted.
function angleSeries(run: Run, quantity: Quantity, item: number): Series {
  const name = `bodies.${quantity.items[item]}.angle`;
  return derived(run, { quantity, item, component: 0 }, { label: 'angle', name, unit: 'rad' }, (r, { quantity: q, item: i }) =>
    angleOf(r.series({ quantity: q, item: i, component: 0 }), r.series({ quantity: q, item: i, component: 3 })));
}

function angleOf(w: Float64Array, z: Float64Array): Float64Array {
  const result = new Float64Array(w.length);
  let turns = 0;
  for (let i = 0; i < w.length; ++i) {
    const angle = 2 * Math.atan2(z[i], w[i]);
    if (i > 0) turns += -2 * Math.PI * Math.round((angle + turns - result[i - 1]) / (2 * Math.PI));
    result[i] = angle + turns;
  }
  return result;
}

function isPlanar(run: Run): boolean {
  return (run.head.scene as { dimension?: number } | undefined)?.dimension === 2;
}

export function panelOf(run: Run, quantity: Quantity, item: number): Panel {
  const name = quantity.items[item];
  if (quantity.name === 'orientation' && isPlanar(run))
    return { title: `${name} · angle`, unit: 'rad', series: [angleSeries(run, quantity, item)] };
  const all = Array.from({ length: quantity.perItem }, (_, component) =>
    channelSeries(run, { quantity, item, component }, quantity.components[component] ?? quantity.name),
  );
  // components that are zero all the time are those of the third dimension
  const moving = all.filter((s) => !run.scales.isZero(quantity.unit, s.values()));
  return {
    title: `${name === undefined ? quantity.group : name} · ${quantity.name.replaceAll('_', ' ')}`,
    unit: quantity.unit,
    series: moving.length > 0 ? moving : all.slice(0, 1),
    steps: quantity.name === 'mode',
    ...(quantity.name === 'mode' ? { names: modes.map((m) => m.name) } : {}),
  };
}

// Methods that stop at events record forces of the moment and impulses that are exact at every sample.
function meanForce(run: Run, impulse: Quantity, item: number, unit: string): Series {
  const label = impulse.items[item];
  return derived(run, { quantity: impulse, item, component: 0 }, { label, name: `contacts.${label}.mean_force`, unit }, (r, c) => meanRate(r, r.series(c)));
}

function meanRate(run: Run, p: Float64Array): Float64Array {
  const t = run.plotTime;
  // of a thinned run only kept samples are in the order of time
  const every = run.isThinned ? 3 : 1;
  const result = new Float64Array(p.length).fill(NaN);
  for (let i = every; i < p.length; i += every) {
    const force = (p[i] - p[i - every]) / (t[i] - t[i - every]);
    for (let k = i - every + 1; k <= i; ++k) result[k] = force;
  }
  return result;
}

/// Means over the time between samples: no impact is missed.
export function forcePanel(run: Run, force: Quantity, items: number[], of: string): Panel {
  const [impulse] = run.stopsAtEvents ? run.findAll('contacts', ['impulse', 'force']) : [undefined];
  return {
    title: `${of} · mean normal force between samples`,
    unit: force.unit,
    steps: true,
    series: items.map((item) =>
      impulse ? meanForce(run, impulse, item, force.unit) : channelSeries(run, { quantity: force, item, component: 0 }, force.items[item]),
    ),
  };
}

const kOrder = ['position', 'velocity', 'acceleration', 'angle', 'orientation', 'angular_velocity', 'gap', 'force', 'mode', 'gap_velocity'];
// Drawn in the scene, not worth a curve by itself.
const kUnplotted = new Set(['point', 'normal', 'reaction']);

function rank(quantity: Quantity): number {
  const at = kOrder.indexOf(quantity.name);
  return at < 0 ? kOrder.length : at;
}

function contactPanel(run: Run, quantity: Quantity, item: number): Panel {
  if (quantity.name === 'force') return forcePanel(run, quantity, [item], quantity.items[item]);
  const panel = panelOf(run, quantity, item);
  if (quantity.name.startsWith('friction')) panel.title += ', mean between samples';
  return panel;
}

// The orientation of a planar body is its angle, which newer results record.
function isTold(run: Run, quantity: Quantity, item: string): boolean {
  return quantity.name === 'orientation' && isPlanar(run) && (run.find('bodies', 'angle')?.items.includes(item) ?? false);
}

/// Everything that is recorded of a part.
export function panelsOf(run: Run, group: string, item: string): Panel[] {
  if (group === 'elements') return elementPanels(run, item);
  return run.quantities
    .filter((q) => q.group === group && q.items.includes(item) && !kUnplotted.has(q.name) && !isTold(run, q, item))
    .sort((a, b) => rank(a) - rank(b))
    .map((q) => (group === 'contacts' ? contactPanel(run, q, q.items.indexOf(item)) : panelOf(run, q, q.items.indexOf(item))));
}

// Some elements of a flexible part, and its ends.
export function elementPanels(run: Run, part: string): Panel[] {
  const panels: Panel[] = [];
  for (const quantity of run.quantities.filter((q) => q.group === 'elements')) {
    const items = quantity.items.flatMap((name, i) => (name.startsWith(`${part}.`) ? [i] : []));
    const some = items.length <= 5 ? items : [0, 0.25, 0.5, 0.75, 1].map((f) => items[Math.round(f * (items.length - 1))]);
    if (some.length > 0) panels.push(overlay(run, quantity, some));
  }
  for (const name of ['position', 'velocity']) {
    const quantity = run.find('bodies', name);
    if (!quantity) continue;
    const nodes = quantity.items.flatMap((n, i) => (n.startsWith(`${part}.node`) ? [i] : []));
    if (nodes.length < 2) continue;
    const ends = [nodes[0], nodes[nodes.length - 1]];
    const spans = [0, 1, 2].map((c) => spread(run.series({ quantity, item: ends[0], component: c })));
    panels.push(overlay(run, quantity, ends, spans.indexOf(Math.max(...spans))));
  }
  return panels;
}

// zero has no logarithm
function positive(run: Run, quantity: Quantity, label: string): Series {
  return derived(run, { quantity, item: 0, component: 0 }, { label }, (r, c) => r.series(c).map((v) => (v > 0 ? v : NaN)));
}

/// What the integrator did.
export function solverPanels(run: Run): Panel[] {
  const logarithmic = new Set(['step', 'error', 'constraint_position', 'constraint_velocity']);
  const [shortest, longest] = ['shortest_step', 'longest_step'].map((name) => run.find('solver', name));
  const band: Panel[] = shortest && longest ? [{
    title: 'steps between samples', unit: 's', logarithmic: true, steps: true, band: true,
    series: [longest, shortest].map((q, i) => positive(run, q, ['longest', 'shortest'][i])),
  }] : [];
  const hidden = new Set(band.length > 0 ? ['step', 'shortest_step', 'longest_step'] : []);
  return band.concat(run.quantities
    .filter((q) => q.group === 'solver' && !hidden.has(q.name))
    .map((q) => {
      const panel = panelOf(run, q, 0);
      panel.title = q.meaning || panel.title;
      panel.logarithmic = logarithmic.has(q.name);
      panel.steps = !logarithmic.has(q.name);
      if (panel.logarithmic) panel.series[0] = positive(run, q, q.name.replaceAll('_', ' '));
      return panel;
    }))
    .filter((panel) => panel.series[0].values().some((v) => !Number.isNaN(v)));
}

/// Energies, and what is left of their balance when the losses of impacts are added.
export function energyPanels(run: Run): Panel[] {
  const parts = ['kinetic', 'potential', 'total'].flatMap((name) => {
    const q = run.find('energy', name);
    return q ? [channelSeries(run, { quantity: q, item: 0, component: 0 }, name)] : [];
  });
  if (parts.length === 0) return [];
  const panels: Panel[] = [{ title: 'energy', unit: 'J', series: parts }];
  const total = run.find('energy', 'total');
  if (!total) return panels;
  const series = [totalChange(run, total)];
  if (run.head.impacts.time.length > 0) series.push(balance(run, total));
  panels.push({ title: 'change of the energy', unit: 'J', series });
  return panels;
}

function totalChange(run: Run, total: Quantity): Series {
  const channel = { quantity: total, item: 0, component: 0 };
  return derived(run, channel, { label: 'total − start', name: 'energy.change' }, (r, c) => {
    const e = r.series(c);
    return e.map((v) => v - e[0]);
  });
}

function balance(run: Run, total: Quantity): Series {
  const channel = { quantity: total, item: 0, component: 0 };
  const words = { label: 'with the losses of impacts added', name: 'energy.change_and_losses' };
  return derived(run, channel, words, (r, c) => {
    const e = r.series(c);
    const { impacts } = r.head;
    let lost = 0;
    let k = 0;
    return e.map((v, i) => {
      while (k < impacts.time.length && impacts.time[k] <= r.plotTime[i]) lost += impacts.lost[k++];
      return v - e[0] + lost;
    });
  });
}
