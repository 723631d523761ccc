// SPDX-License-Identifier: BSD-3-Clause
// What pages plot, how plots leave them, and what the user does to parts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { closeBrowser, openBrowser, openTab, pageOf, pageOfText, picus, run, scratch, show, source } from './browser.mjs';

before(openBrowser);
after(closeBrowser);

const own = (name) => readFileSync(join(source, 'viewer', 'test', 'models', `${name}.yaml`), 'utf8');
const titles = (tab) => tab.locator('.plot h3').allInnerTexts();

const swing = (more = '') => `picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 2, shape: {type: rod, length: 1}, at: [0.5, 0]}
  stone: {mass: 1, shape: {type: sphere, radius: 0.1}, at: [2, 0.1]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
  glue: {type: fixed, between: [ground, stone]}
${more}
run: {end_time: 1}
`;
const kNamed = `plots:
  - joints.pin.angle
  - [energy.kinetic, energy.potential, joints.pin.force.x]
  - {title: Path of the rod, x: bodies.rod.position.x, y: bodies.rod.position.y}
  - joints.nothing`;

test('the model names its plots, of one channel over another too, and they are saved', async () => {
  const { tab, trouble } = await openTab();
  await show(tab, pageOfText('named', swing(kNamed)), 'theme=light&t=0.5');
  assert.deepEqual(await titles(tab), ['joints.pin.angle [rad]', 'energy.kinetic, energy.potential, joints.pin.force.x [J]',
    'energy.kinetic, energy.potential, joints.pin.force.x [N]', 'Path of the rod [m]', 'joints.nothing']);
  assert.match(await tab.locator('.plot').last().innerText(), /no channel is called joints\.nothing/);
  const dot = await tab.evaluate(() => {
    const plot = window.picus.plots.plots[3];
    const { run } = window.picus;
    const [x, y] = ['x', 'y'].map((_, k) => run.series({ quantity: run.find('bodies', 'position'), item: 0, component: k })[run.nearest(0.5)]);
    const box = plot.dots[0].getBoundingClientRect();
    const stage = plot.stage.getBoundingClientRect();
    return { at: [box.x + 5 - stage.x, box.y + 5 - stage.y], wanted: [plot.frame.x(x), plot.frame.y(y)], frame: plot.frame };
  });
  dot.at.forEach((v, k) => assert.ok(Math.abs(v - dot.wanted[k]) < 2.5, JSON.stringify(dot)));
  // a metre is as long in both directions
  const { xRange, yRange, width, height } = dot.frame;
  assert.ok(Math.abs((xRange[1] - xRange[0]) / width / ((yRange[1] - yRange[0]) / height) - 1) < 1e-9);
  const saved = async (name) => {
    await tab.locator('.plot').nth(3).locator('.save summary').click();
    const [file] = await Promise.all([tab.waitForEvent('download'), tab.locator('.plot').nth(3).getByRole('menuitem', { name }).click()]);
    return readFileSync(await file.path());
  };
  const lines = (await saved('CSV')).toString().trim().split('\n');
  assert.equal(lines[0], 'time [s],bodies.rod.position.x [m],bodies.rod.position.y [m]');
  assert.equal(lines.length, 502);
  const [t, x, y] = lines[251].split(',').map(Number);
  assert.ok(Math.abs(t - 0.5) < 1e-12 && Math.abs(Math.hypot(x, y) - 0.5) < 1e-6, lines[251]);
  assert.match((await saved('SVG')).toString(), /^<svg[^]*position x \[m\][^]*Path of the rod[^]*<\/svg>$/);
  assert.equal((await saved('PNG')).toString('latin1', 1, 4), 'PNG');
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('without names: motors, set points with their coordinates, no rounding errors', async () => {
  const { tab, trouble } = await openTab();
  await show(tab, pageOfText('driven', swing('motions: {motor: {joint: pin, value: "0.5*time*time"}}')), 't=0.5');
  assert.match((await titles(tab))[0], /^motions · torque \[N m\]/);
  await show(tab, pageOfText('servo', swing('forces: {drive: {type: motor, joint: pin, target: 0.5, stiffness: 200, damping: 20}}')), 't=0.5');
  assert.match((await titles(tab))[0], /^motors · torque \[N m\]/);
  const labels = await tab.locator('.plot .entry').allInnerTexts();
  assert.ok(labels.every((label) => !/glue|stone/.test(label)), labels.join());
  await tab.selectOption('select.part', JSON.stringify(['bodies', 'stone']));
  const flat = await tab.evaluate(() => window.picus.plots.plots.map((p) => [p.panel.title, p.chart.scales.y.min, p.chart.scales.y.max]));
  for (const [title, low, high] of flat) assert.ok(high - low > 0.01, `${title} from ${low} to ${high}`);
  await show(tab, pageOfText('arm', own('arm')));
  const first = await titles(tab);
  assert.equal(first[0], 'shoulder_torque · set point and coordinate [rad]');
  assert.ok(first.includes('joints · angle [rad]'), first.join());
  assert.equal(await tab.locator('.clock').innerText(), '0.000 / 2.000 s');
  assert.equal(await tab.locator('.plot').first().locator('.axis-name').innerText(), 't [s]');
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('fixed balls are drawn, planes end with what they carry, and further curves are a click away', async () => {
  const { tab } = await openTab();
  await show(tab, pageOfText('pegs', own('pegs')), 't=0.4');
  const found = await tab.evaluate(() => {
    const { parts } = window.picus.scene;
    const spheres = parts.shapes.groups.flatMap((g) => g.instances.map((i) => parts.shapes.bodies[i.body]));
    const [sheet] = parts.sheets.sheets;
    const { min, max } = parts.bounds;
    return { pegs: spheres.filter((name) => name === 'ground').length, width: sheet.mesh.children[0].scale.x, room: max.x - min.x };
  });
  assert.equal(found.pegs, 24);
  assert.ok(found.width < 1.3 * found.room, JSON.stringify(found));
  const plot = tab.locator('.plot', { hasText: 'bodies · displacement' });
  assert.equal(await plot.locator('.entry').count(), 6);
  await plot.getByRole('button', { name: '+2 more' }).click();
  assert.equal(await plot.locator('.entry').count(), 8);
  await tab.close();
});

test('a body is hidden, seen through, followed, and leaves a trail', async () => {
  const { tab, trouble } = await openTab();
  await show(tab, pageOfText('arm', own('arm')), 't=0.2');
  await tab.selectOption('select.part', JSON.stringify(['bodies', 'fore']));
  const press = (name) => tab.locator('.chosen').getByRole('button', { name, exact: true }).click();
  const look = () => tab.evaluate(() => window.picus.scene.lookOf('fore'));
  await press('hide');
  assert.equal(await look(), 'hidden');
  await press('show all');
  assert.equal(await look(), 'solid');
  await tab.keyboard.press('g');
  assert.equal(await look(), 'glass');
  await press('trail');
  await press('follow');
  const seen = (t) => tab.evaluate((time) => {
    window.picus.player.seek(time);
    window.picus.showTime();
    const { camera, controls, parts } = window.picus.scene;
    camera.updateMatrixWorld();
    const { x, y } = parts.poses.point('fore', controls.target.clone()).project(camera);
    const [trail] = parts.trails.drawn;
    return { at: [x, y], drawn: trail.past.geometry.drawRange.count, all: trail.whole.geometry.getAttribute('position').count };
  }, t);
  const [before, later] = [await seen(0.3), await seen(1.5)];
  before.at.forEach((v, k) => assert.ok(Math.abs(v - later.at[k]) < 1e-6, 'the body moves in the picture'));
  assert.ok(later.drawn > before.drawn && later.all === 501, JSON.stringify(later));
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('outputs of the model are the first plots, those of one unit together', async () => {
  const { tab, trouble } = await openTab();
  const outputs = 'outputs: {height: {formula: rod.y, unit: m}, reach: {formula: rod.x, unit: m}, turn: {formula: pin.angle*180/pi, unit: deg}}';
  await show(tab, pageOfText('outputs', swing(outputs)), 't=0.5');
  assert.deepEqual((await titles(tab)).slice(0, 2), ['outputs [m]', 'outputs · turn [deg]']);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('a result that keeps little is shown as far as it goes', async () => {
  const { tab, trouble } = await openTab();
  const little = swing().replace('run: {', 'run: {record: [joints.pin.angle, energy.total], ');
  await show(tab, pageOfText('little', little), 't=0.5');
  assert.ok((await titles(tab)).includes('joints · angle [rad]'), (await titles(tab)).join());
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('two runs are in one page: dashed curves, transparent bodies', async () => {
  const { tab, trouble } = await openTab();
  const page = pageOfText('named', swing(kNamed));
  const [first, second, both] = ['named.h5', 'slow.h5', 'both.html'].map((name) => join(scratch, name));
  run('run', join(scratch, 'named.yaml'), '-o', second, '-q', '--set', 'bodies.rod.velocity=[0, 0.5]', '--end', '0.6', '--report');
  run('report', first, second, '-o', both, '-q');
  await show(tab, both, 't=0.5');
  const state = () => tab.evaluate(() => {
    const { plots } = window.picus.plots;
    const values = plots[0].panel.series[1].values();
    return { labels: plots.map((p) => p.panel.series.map((s) => s.label)), ends: [values[0], values.at(-1)], bodies: window.picus.scene.other?.shapes.bodies.length };
  });
  const joined = await state();
  assert.deepEqual(joined.labels[0], ['pin angle', 'pin angle (slow)']);
  assert.equal(joined.labels[3].length, 2);
  assert.ok(Number.isFinite(joined.ends[0]) && !Number.isFinite(joined.ends[1]), 'the second run ends before');
  assert.equal(joined.bodies, 2);
  // in one place, or side by side under one camera that sees both
  const places = () => tab.evaluate(() => {
    const { scene } = window.picus;
    const { camera } = scene;
    return { shift: scene.other.object.position.x, width: (camera.right - camera.left) / camera.zoom, look: scene.other.shapes.lookOf('rod') };
  });
  const before = await places();
  assert.deepEqual([before.shift, before.look], [0, 'glass']);
  await tab.getByRole('button', { name: 'side by side' }).click();
  const beside = await places();
  assert.ok(beside.shift > 1 && beside.width > beside.shift && beside.look === 'solid', JSON.stringify(beside));
  await tab.keyboard.press('s');
  assert.deepEqual(await places(), before);
  // the same from the page of one and the page of the other
  await show(tab, page, 't=0.4');
  await tab.setInputFiles('input[type=file]', join(scratch, 'slow.html'));
  await tab.waitForFunction(() => window.picus.scene.other !== null);
  assert.deepEqual((await state()).labels, joined.labels);
  await tab.setInputFiles('input[type=file]', join(scratch, 'named.yaml'));
  await tab.waitForSelector('.notice .warn');
  assert.match(await tab.locator('.notice').innerText(), /no page of/);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('on a phone nothing is cut', async () => {
  const { tab } = await openTab();
  await tab.setViewportSize({ width: 390, height: 844 });
  await show(tab, pageOf('newtons_cradle', '--end', '1.2', '--step', '1e-3'), 't=0.5');
  const cut = await tab.evaluate(() => [document.documentElement.scrollWidth, ...[...document.querySelectorAll('.mode-legend .entry, .clock, .tabs button, .plot .entry')].map((e) => e.getBoundingClientRect().right)]);
  assert.ok(cut.every((right) => right <= 390), cut.join(' '));
  await tab.close();
});

test('watch runs a model again and keeps the view', { timeout: 120000 }, async () => {
  const model = join(scratch, 'edited.yaml');
  writeFileSync(model, swing());
  const server = spawn(picus, ['watch', model, '--no-browser'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const address = await new Promise((resolve) => server.stdout.once('data', (d) => resolve(String(d).trim())));
    const { tab } = await openTab();
    await tab.goto(address);
    await tab.waitForFunction(() => window.picus?.run.head.complete, null, { timeout: 60000 });
    await tab.selectOption('select.part', JSON.stringify(['bodies', 'rod']));
    await tab.keyboard.press('g');
    const view = () => tab.evaluate(() => {
      const { scene, player, range, partBar } = window.picus;
      return { camera: scene.camera.position.toArray(), zoom: scene.camera.zoom, time: player.time, range, part: partBar.chosen?.item, look: scene.lookOf('rod') };
    });
    await tab.evaluate(() => {
      const { scene, player } = window.picus;
      scene.controls.dispatchEvent({ type: 'start' });
      scene.camera.position.x += 0.3;
      scene.controls.target.x += 0.3;
      scene.camera.zoom = 1.7;
      player.seek(0.25);
      window.picus.zoom([0.1, 0.6]);
    });
    const kept = await view();
    writeFileSync(model, swing().replace('mass: 2', 'mass: 3'));
    await tab.waitForFunction(() => window.picus.run.head.complete && /mass: 3/.test(window.picus.run.head.model), null, { timeout: 60000 });
    const after = await view();
    after.camera.forEach((v, k) => assert.ok(Math.abs(v - kept.camera[k]) < 1e-9));
    assert.deepEqual({ ...after, camera: 0 }, { ...kept, camera: 0 });
    writeFileSync(model, swing().replace('mass: 2', 'mas: 2'));
    await tab.waitForSelector('.notice .warn', { timeout: 60000 });
    assert.match(await tab.locator('.notice').innerText(), /edited\.yaml:5:.*mass/);
    await tab.close();
  } finally {
    server.kill();
  }
});
