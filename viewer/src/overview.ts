// SPDX-License-Identifier: BSD-3-Clause
// What a page shows first when its model does not say: what drives the mechanism, what it does, and
// where it hits.
import { channelsOf } from './channels';
import type { Panel, Series } from './panel';
import { channelSeries, derived, limited, overlay } from './panel';
import type { Channel, Quantity, Run } from './run';
import { spread } from './scale';
import { sceneOf } from './sceneData';
import type { SceneData } from './sceneData';
import { elementPanels, forcePanel, panelOf } from './series';

const kMostPanels = 8;
// Controls whose changes differ by more than this need axes of their own.
const kComparable = 20;
// Bodies that are looked at to find the one that goes farthest.
const kLooked = 400;
// A component that moves less than this part of the others is a straight line beside them.
const kStraight = 1e-4;
// A page has some plots.
const kFewPanels = 3;

function isAlive(run: Run, series: Series): boolean {
  return !run.scales.isFlat(series.unit, series.values());
}

function alive(run: Run, panel: Panel): Panel[] {
  const series = panel.series.filter((s) => isAlive(run, s));
  return series.length > 0 ? [limited({ ...panel, series })] : [];
}

/// Numbers that the model asks for by formula, those of one unit together.
function outputs(run: Run): Panel[] {
  const all = run.quantities.filter((q) => q.group === 'outputs');
  const units = [...new Set(all.map((q) => q.unit))];
  return units.flatMap((unit) => {
    const own = all.filter((q) => q.unit === unit);
    const series = own.map((quantity) => channelSeries(run, { quantity, item: 0, component: 0 }, quantity.name));
    const title = own.length === 1 ? `outputs · ${own[0].name}` : 'outputs';
    return alive(run, { title, unit, series });
  });
}

/// Forces and torques of motors.
function motors(run: Run, scene: SceneData): Panel[] {
  const names = new Set(scene.controls.filter((c) => c.motor !== undefined).map((c) => c.name));
  return run.quantities.filter((q) => q.group === 'forces').flatMap((q) => {
    const items = q.items.flatMap((name, i) => (names.has(name) ? [i] : []));
    return alive(run, { ...overlay(run, q, items), title: `motors · ${q.name}` });
  });
}

/// Forces and torques of prescribed motions.
function motions(run: Run, scene: SceneData): Panel[] {
  const names = new Set(scene.joints.filter((j) => j.type === 'motion').map((j) => j.name));
  return ['torque', 'force'].flatMap((name) => {
    const quantity = run.find('joints', name);
    if (!quantity) return [];
    const series = quantity.items.flatMap((item, i) =>
      names.has(item) ? quantity.components.map((axis, component) => channelSeries(run, { quantity, item: i, component }, `${item} ${axis}`)) : [],
    );
    return alive(run, { title: `motions · ${name}`, unit: quantity.unit, series });
  });
}

/// What controllers compare: coordinates and their set points.
function setPoints(run: Run, scene: SceneData): Panel[] {
  return scene.controls.flatMap(({ name, reads, motor }) => {
    const driven = motor === undefined ? [] : channelsOf(run, `joints.${motor}`).filter(isCoordinate).slice(0, 1);
    const found = [...driven, ...(reads ?? []).flatMap((read) => {
      const cut = read.lastIndexOf('.');
      const wanted = cut < 0 ? [`controls.${read}.value`] : [`joints.${read}`, `controls.${read}.value`, `bodies.${read.slice(0, cut)}.position${read.slice(cut)}`];
      return wanted.map((w) => channelsOf(run, w)).find((channels) => channels.length === 1) ?? [];
    })];
    if (found.length < 2) return [];
    const unit = found.map((c) => c.quantity.unit).find((u) => u !== '') ?? '';
    return [{ title: `${name} · set point and coordinate`, unit, series: found.map((c) => channelSeries(run, c, shortName(c))) }];
  });
}

function shortName({ quantity, item }: Channel): string {
  return quantity.group === 'controls' ? quantity.items[item] : `${quantity.items[item]} ${quantity.name}`;
}

/// Those that are not shown yet.
function controls(run: Run, shown: Panel[]): Panel[] {
  const quantity = run.find('controls', 'value');
  if (!quantity) return [];
  const known = new Set(shown.flatMap((panel) => panel.series.map((s) => s.name)));
  const isInner = (name: string) => name.includes('.') || known.has(`controls.${name}.value`);
  const all = quantity.items.flatMap((name, item) => (isInner(name) ? [] : [channelSeries(run, { quantity, item, component: 0 }, name)]));
  const moving = all.filter((s) => isAlive(run, s));
  const sizes = moving.map((s) => spread(s.values()));
  if (moving.length === 0) return [];
  if (Math.max(...sizes) <= kComparable * Math.min(...sizes))
    return [limited({ title: 'controls', unit: quantity.unit, series: moving })];
  return moving.slice(0, 3).map((series) => ({ title: `controls · ${series.label}`, unit: quantity.unit, series: [series] }));
}

function isCoordinate({ quantity }: { quantity: Quantity }): boolean {
  return quantity.group === 'joints' && quantity.components.length === 0 && !quantity.name.endsWith('_rate');
}

function coordinates(run: Run): Panel[] {
  return run.quantities.filter((quantity) => isCoordinate({ quantity })).flatMap((q) => alive(run, overlay(run, q, q.items.map((_, i) => i))));
}

function displacement(run: Run, channel: Channel, label: string): Series {
  const { quantity, item, component } = channel;
  const name = `bodies.${quantity.items[item]}.displacement.${quantity.components[component]}`;
  return derived(run, channel, { label, name }, (r, c) => {
    const x = r.series(c);
    return x.map((v) => v - x[0]);
  });
}

/// Axes of space, the vertical one first.
function axesOf(scene: SceneData): number[] {
  const along = scene.gravity.map(Math.abs);
  return [0, 1, 2].sort((a, b) => along[b] - along[a]);
}

/// Of the body that goes farthest, and of all of them along the axis of the largest motion.
function displacements(run: Run, scene: SceneData, isDescribed: boolean): Panel[] {
  const quantity = run.find('bodies', 'position');
  if (!quantity) return [];
  const bodies = quantity.items.flatMap((n, i) => (/\.node[0-9]+$/.test(n) ? [] : [i])).slice(0, kLooked);
  const ways = bodies.map((item) => [0, 1, 2].map((component) => spread(run.series({ quantity, item, component }))));
  const farthest = ways.reduce((best, way, i) => (Math.max(...way) > Math.max(...ways[best]) ? i : best), 0);
  // what only turns on the spot has no curve here
  if (bodies.length === 0 || !(Math.max(...ways[farthest]) > 0)) return [];
  const item = bodies[farthest];
  const one: Panel = {
    title: `${quantity.items[item]} · displacement from the start`,
    unit: quantity.unit,
    series: axesOf(scene).map((component) => displacement(run, { quantity, item, component }, quantity.components[component])),
  };
  one.series = one.series.filter((s) => spread(s.values()) > kStraight * Math.max(...ways[farthest]));
  const panels = alive(run, one);
  if (bodies.length < 2 || isDescribed) return panels;
  const total = [0, 1, 2].map((k) => ways.reduce((sum, way) => sum + way[k], 0));
  const component = total.indexOf(Math.max(...total));
  const order = bodies.map((_, i) => i).sort((a, b) => ways[b][component] - ways[a][component]);
  return [...panels, ...alive(run, {
    title: `bodies · displacement ${quantity.components[component]}`,
    unit: quantity.unit,
    series: order.map((i) => displacement(run, { quantity, item: bodies[i], component }, quantity.items[bodies[i]])),
  })];
}

/// The only curve of a panel is one of the others, but for its sign.
function isTold(panel: Panel, others: Panel[]): boolean {
  if (panel.series.length !== 1) return false;
  const own = panel.series[0].values();
  const small = 1e-6 * spread(own);
  const isSame = (v: Float64Array, sign: number) => v.every((x, i) => Math.abs(x - v[0] - sign * (own[i] - own[0])) <= small);
  return others.some((other) => other.series.some((s) => isSame(s.values(), 1) || isSame(s.values(), -1)));
}

/// Forces of other parts than motors.
function forces(run: Run, scene: SceneData): Panel[] {
  const motor = new Set(scene.controls.filter((c) => c.motor !== undefined).map((c) => c.name));
  const others = (q: Quantity) => q.items.flatMap((name, i) => (motor.has(name) ? [] : [i]));
  return run.quantities.filter((q) => q.group === 'forces').flatMap((q) => alive(run, overlay(run, q, others(q))));
}

function contacts(run: Run): Panel[] {
  const [force, gap] = ['force', 'gap'].map((name) => run.find('contacts', name));
  const all = (q: Quantity) => q.items.map((_, i) => i);
  const panels: Panel[] = [];
  if (force) panels.push(limited(forcePanel(run, force, all(force), 'contacts')));
  if (gap) panels.push(...alive(run, overlay(run, gap, all(gap))));
  for (const name of ['contacts', 'force']) {
    const q = run.find('collisions', name);
    if (q) panels.push(limited({ ...overlay(run, q, all(q)), title: `collisions · ${q.meaning}` }));
  }
  return panels;
}

/// Velocities of the body that goes farthest, or of the first one.
function velocities(run: Run): Panel[] {
  const velocity = run.find('bodies', 'velocity');
  if (!velocity || velocity.items.length === 0) return [];
  const ways = velocity.items.slice(0, kLooked).map((_, item) => Math.max(...[0, 1, 2].map((component) => spread(run.series({ quantity: velocity, item, component })))));
  const name = velocity.items[ways.indexOf(Math.max(...ways))];
  return ['velocity', 'angular_velocity'].flatMap((quantity) => {
    const q = run.find('bodies', quantity);
    const item = q?.items.indexOf(name) ?? -1;
    return q && item >= 0 ? alive(run, panelOf(run, q, item)) : [];
  });
}

/// A few panels: what drives it, what it does, where it hits.
export function overviewPanels(run: Run): Panel[] {
  const scene = sceneOf(run.head.scene);
  const load = ['axial_force', 'stress', 'section_moment'].map((name) => run.find('elements', name)).find((q) => q);
  const bent = load ? elementPanels(run, load.items[0].replace(/\.[0-9]+$/, '')).filter((p) => p.series.some((s) => isAlive(run, s))).slice(0, 2) : [];
  const compared = setPoints(run, scene);
  const asked = outputs(run);
  const driven = [...motors(run, scene), ...motions(run, scene), ...compared, ...controls(run, compared)];
  const joints = coordinates(run);
  const moved = displacements(run, scene, joints.length > 0).filter((panel) => !isTold(panel, joints));
  const hits = contacts(run);
  const pushed = forces(run, scene);
  // contacts are seen without scrolling
  const first = [...driven.slice(0, 3), ...joints.slice(0, driven.length > 0 ? 1 : 2), ...moved.slice(0, 1), ...hits.slice(0, 1)];
  const rest = [...driven.slice(3), ...joints, ...moved.slice(1), ...hits.slice(1), ...pushed].filter((p) => !first.includes(p));
  const panels = [...asked, ...bent, ...first, ...rest].slice(0, kMostPanels);
  return panels.length >= kFewPanels ? panels : [...panels, ...velocities(run)].slice(0, kFewPanels);
}
