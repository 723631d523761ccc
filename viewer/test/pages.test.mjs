// SPDX-License-Identifier: BSD-3-Clause
// Pages of shipped models in a real browser.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync, truncateSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { clock, clockAt, closeBrowser, inkOf, openBrowser, openTab, pageOf, pageOfText, picus, resultOf, run, scratch, show, source, spoiledPage } from './browser.mjs';

before(openBrowser);
after(closeBrowser);

// the cradle and the bar in a shorter time than they deserve
const kCradle = ['newtons_cradle', '--end', '1.2', '--step', '1e-3'];
const kShown = [[['slider_crank'], 0.3], [kCradle, 0.5], [['spinning_top'], 0.3], [['bar_impact', '--set', 'N=60'], 0.7], [['quarter_car'], 0.3]];
for (const [model, time] of kShown) {
  test(`the page of ${model[0]} shows it, without errors and without the network`, async () => {
    const { tab, trouble } = await openTab();
    const page = pageOf(...model);
    await show(tab, page, `theme=light&t=${time}`);
    const ink = await inkOf(tab);
    assert.ok(ink > 0.0005, `only ${ink} of the picture is drawn`);
    assert.ok((await tab.locator('.plot').count()) >= 2);
    assert.ok(statSync(page).size < 10e6);
    for (const name of ['Energy', 'Integrator', 'Summary', 'Model']) await tab.getByRole('tab', { name }).click();
    assert.match(await tab.locator('pre.model').innerText(), /picus: 1/);
    assert.deepEqual(trouble, []);
    await tab.close();
  });
}

test('play advances the time and ends at the end', async () => {
  const { tab, trouble } = await openTab();
  await show(tab, pageOf('slider_crank'));
  assert.equal(await clock(tab), 0);
  await tab.getByRole('button', { name: 'play' }).click();
  await tab.waitForFunction(() => parseFloat(document.querySelector('.clock').textContent) > 0.2);
  await tab.keyboard.press('Escape');
  await tab.locator('.scene-canvas').focus();
  await tab.keyboard.press(' ');
  const stopped = await clock(tab);
  await tab.waitForTimeout(150);
  assert.equal(await clock(tab), stopped);
  await tab.keyboard.press('End');
  await clockAt(tab, 2, 1e-9);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('scrubbing moves the cursor of every plot and the mechanism', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('slider_crank'));
  const places = () => tab.evaluate(() => [...document.querySelectorAll('.plot .time-cursor')].map((c) => c.getBoundingClientRect().x));
  const picture = () => tab.evaluate(() => {
    window.picus.showTime();
    window.picus.scene.render();
    return document.querySelector('.scene-canvas').toDataURL().length;
  });
  const [first, firstPicture] = [await places(), await picture()];
  const box = await tab.locator('.scrub').boundingBox();
  await tab.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
  await clockAt(tab, 1.2, 0.05);
  const second = await places();
  assert.ok(second.length >= 2);
  second.forEach((x, i) => assert.ok(x > first[i] + 50, `cursor ${i} stayed at ${x}`));
  assert.equal(new Set(second.map(Math.round)).size, 1);
  assert.notEqual(await picture(), firstPicture);
  await tab.close();
});

test('a click in a plot goes to its time, a drag zooms all of them', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('slider_crank'));
  const box = await tab.locator('.plot .u-over').first().boundingBox();
  await tab.mouse.click(box.x + box.width / 2, box.y + 40);
  await clockAt(tab, 1, 0.02);
  await tab.mouse.move(box.x + box.width * 0.25, box.y + 40);
  await tab.mouse.down();
  await tab.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
  await tab.mouse.up();
  const range = (await tab.locator('.page').getAttribute('data-range')).split(' ').map(Number);
  assert.ok(Math.abs(range[0] - 0.5) < 0.02 && Math.abs(range[1] - 1) < 0.02, String(range));
  await tab.keyboard.press('r');
  assert.equal(await tab.locator('.page').getAttribute('data-range'), '');
  await tab.close();
});

test('the pointer names bodies and joints, a click plots them', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('slider_crank'));
  const box = await tab.locator('.scene-canvas').boundingBox();
  const names = new Set();
  let slider = null;
  for (let y = 0.45; y < 0.54; y += 0.01)
    for (let x = 0.06; x < 0.99; x += 0.04) {
      const at = [box.x + x * box.width, box.y + y * box.height];
      await tab.mouse.move(...at);
      const name = await tab.evaluate(() => (document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').textContent));
      if (name) names.add(name);
      if (name === 'slider') slider = at;
    }
  // the pin of the crank is at the origin
  const pin = await tab.evaluate(() => {
    const { camera, controls } = window.picus.scene;
    const { x, y } = controls.target.clone().set(0, 0, 0).project(camera);
    return [(1 + x) / 2, (1 - y) / 2];
  });
  await tab.mouse.move(box.x + pin[0] * box.width, box.y + pin[1] * box.height);
  names.add(await tab.locator('.tip').textContent());
  assert.ok(names.has('crank') && names.has('rod') && names.has('slider'), [...names].join(', '));
  assert.ok([...names].some((n) => n.endsWith('(revolute)')), [...names].join(', '));
  await tab.mouse.click(...slider);
  const titles = await tab.locator('.plot h3').allInnerTexts();
  assert.ok(titles.length >= 3 && titles.every((t) => t.startsWith('slider · ')), titles.join(', '));
  await tab.close();
});

test('contacts have lanes and impacts, keys go from impact to impact', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf(...kCradle));
  assert.deepEqual(await tab.locator('.lane-label').allInnerTexts(), ['clack2', 'clack3', 'clack4', 'clack5']);
  await tab.locator('.scene-canvas').focus();
  await tab.keyboard.press('Shift+ArrowRight');
  await clockAt(tab, 0.37, 0.05);
  await tab.getByRole('tab', { name: 'Summary' }).click();
  assert.ok((await tab.locator('.impacts tbody tr').count()) >= 4);
  await tab.locator('.lane-label').first().click();
  assert.match((await tab.locator('.plot h3').allInnerTexts()).join(), /clack2 · gap/);
  await tab.close();
});

test('every impact is in the plot of forces, wherever the samples lie', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('spinning_ball'));
  const peaks = () => tab.evaluate(() => {
    const plot = window.picus.plots.plots.find((p) => p.panel.title.includes('mean normal force between samples'));
    const force = plot.panel.series[0].values();
    const { impacts } = window.picus.run.head;
    const t = window.picus.run.plotTime;
    const seen = impacts.time.filter((at) => force[t.findIndex((x) => x >= at)] > 0);
    return [seen.length, impacts.time.length];
  });
  const [seen, all] = await peaks();
  assert.ok(all > 20);
  assert.equal(seen, all);
  await tab.locator('.lane-label').first().click(); // of one contact, too
  assert.deepEqual(await peaks(), [seen, all]);
  await tab.close();
});

const kToys = `picus: 1
dimension: 2
gravity: [0, -10]
bodies:
  ball: {mass: 1, inertia: 0.01, at: [-1, 0.5]}
  bead: {mass: 1, inertia: 0.01, at: [1, 1]}
  low: {mass: 1, at: [0, 0.1], shape: {type: sphere, radius: 0.1}}
  high: {mass: 1, at: [0.01, 0.31], shape: {type: sphere, radius: 0.1}}
contacts:
  table: {type: ball_on_plane, between: [ground, ball], radius: 0.1, height: 0.1*sin(9*time)}
  bowl: {type: point_on_curve, between: [ground, bead], curve: x*x - 0.5}
collisions:
  pile: {balls: [{at: low}, {at: high}], planes: [{on: ground, normal: [0, 1]}], friction: 0.9}
run: {end_time: 0.5, step: 1e-3, output_interval: 0.01, integrator: moreau_jean}
`;
test('planes that move, curves and contacts of collisions are drawn', async () => {
  const { tab, trouble } = await openTab();
  await show(tab, pageOfText('toys', kToys));
  const at = (t) => tab.evaluate((time) => {
    window.picus.player.seek(time);
    window.picus.showTime();
    const { sheets, curves, touches } = window.picus.scene.parts;
    const table = sheets.sheets.find((s) => s.data.name === 'table');
    const points = curves.drawn[0].data.points;
    return { height: table.mesh.position.y, planes: sheets.sheets.length, needles: touches.needles.count, points };
  }, t);
  const [start, later] = [await at(0), await at(0.17)];
  assert.ok(Math.abs(start.height) < 1e-6, String(start.height));
  assert.ok(Math.abs(later.height - 0.1 * Math.sin(9 * 0.17)) < 1e-4, String(later.height));
  assert.equal(start.planes, 2);
  for (const [x, y] of later.points) assert.ok(Math.abs(y - (x * x - 0.5)) < 1e-9 * (1 + y));
  assert.equal(start.needles, 0);
  assert.equal((await at(0.4)).needles, 2);
  assert.deepEqual(trouble, []);
  await tab.close();
});

// a method that lets joints drift, with steps that make one see it
const kDrifting = `picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 3, shape: {type: rod, length: 2}, at: [1, 0]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
run: {end_time: 3, integrator: moreau_jean, step: 0.1, audit: warn, options: {positions: none}}
`;
test('the verdict of the audit is at the top and leads to the worst offender', async () => {
  const { tab, trouble } = await openTab();
  await show(tab, pageOf('slider_crank'));
  assert.equal(await tab.locator('.notice .audit').innerText(), 'audit: green');
  await show(tab, pageOfText('drifting', kDrifting));
  const line = tab.locator('.notice .audit.red');
  const words = await line.innerText();
  assert.match(words, /pin\.[xy] is open by/);
  await line.click();
  await clockAt(tab, parseFloat(/t = ([\d.]+)/.exec(words)[1]), 0.02);
  await tab.getByRole('tab', { name: 'Summary' }).click();
  assert.match(await tab.locator('.facts-view').innerText(), /joint position\s+pin/);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('orders that change from step to step are shown as steps', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('slider_crank'));
  const shown = await tab.evaluate(() => {
    const { run } = window.picus;
    const order = run.find('solver', 'order');
    order.values.forEach((_, i) => (order.values[i] = (i % 4) + 1 - order.offsets[0]));
    window.picus.open('Integrator');
    const plot = [...document.querySelectorAll('.plot')].find((p) => /order/.test(p.textContent));
    return [5, 6, 7].map((i) => {
      window.picus.player.seek(run.time[i]);
      window.picus.showTime();
      return plot.querySelector('.value').textContent;
    });
  });
  assert.deepEqual(shown, ['2', '3', '4']);
  await tab.close();
});

test('a wide run is told in few bytes, to a millionth', () => {
  const page = pageOf('spatial_chain', '--set', 'N=300', '--end', '0.3');
  assert.ok(statSync(page).size < 3e6, String(statSync(page).size));
});

test('dark and light differ, and the keys are listed', async () => {
  const { tab, trouble } = await openTab();
  await show(tab, pageOf('slider_crank'));
  const paper = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await tab.keyboard.press('d');
  assert.notEqual(await paper(), light);
  await tab.keyboard.press('?');
  assert.ok(await tab.locator('dialog.help').isVisible());
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('damaged and missing data are told, not blank', async () => {
  const { tab } = await openTab();
  const page = pageOf('slider_crank');
  const cut = (data) => data.slice(0, 4 * Math.floor(data.length / 8));
  for (const [name, change] of [['cut.html', cut], ['odd.html', () => '%%%'], ['other.html', () => 'eJwDAAAAAAE=']]) {
    await show(tab, spoiledPage(page, name, change));
    assert.match(await tab.locator('.trouble').innerText(), /cannot be shown/);
  }
  await tab.close();
});

test('a truncated result is refused with a reason', () => {
  const broken = join(scratch, 'broken.h5');
  copyFileSync(resultOf('slider_crank'), broken);
  truncateSync(broken, Math.floor(statSync(broken).size / 2));
  const answer = spawnSync(picus, ['report', broken, '-o', join(scratch, 'broken.html')], { encoding: 'utf8' });
  assert.equal(answer.status, 2);
  assert.match(answer.stderr, /has no samples/);
});

test('view follows a run that goes on', { timeout: 240000 }, async () => {
  const result = join(scratch, 'growing.h5');
  const model = join(source, 'models', 'double_pendulum.yaml');
  const running = spawn('nice', ['-n', '5', picus, 'run', model, '-o', result, '-q', '--end', '100000', '--interval', '0.01'], { stdio: 'ignore' });
  let server;
  try {
    let address;
    while (!address) { // the result is there once the run has begun
      await new Promise((resolve) => setTimeout(resolve, 500));
      server = spawn(picus, ['view', result, '--no-browser'], { stdio: ['ignore', 'pipe', 'ignore'] });
      address = await new Promise((resolve) => {
        server.stdout.once('data', (d) => resolve(String(d).trim()));
        server.once('exit', () => resolve(undefined));
      });
    }
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const { tab } = await openTab();
    await tab.goto(address);
    await tab.waitForSelector('html[data-ready=true]');
    const first = await clock(tab);
    await tab.waitForFunction((t) => parseFloat(document.querySelector('.clock').textContent) > t, first, { timeout: 90000 });
    assert.match(await tab.locator('.notice').innerText(), /has not ended/);
    const strange = await fetch(`${address}data`, { headers: { Host: 'evil.example' } }).catch(() => null);
    assert.ok(strange === null || strange.status !== 500);
    await tab.close();
  } finally {
    running.kill();
    server?.kill();
  }
});

test('pictures and films come from the command line', () => {
  const picture = join(scratch, 'crank.png');
  run('report', resultOf('slider_crank'), '--snapshot', 't=0.5', '--size', '400x300', '-o', picture);
  const png = readFileSync(picture);
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [400, 300]);
  const film = join(scratch, 'crank.gif');
  run('report', resultOf('slider_crank'), '--film', '0:0.5', '--seconds', '0.5', '--size', '200x150', '-o', film);
  const gif = readFileSync(film);
  assert.equal(gif.toString('latin1', 0, 6), 'GIF89a');
  assert.deepEqual([gif.readUInt16LE(6), gif.readUInt16LE(8)], [200, 150]);
});
