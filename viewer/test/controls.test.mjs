// SPDX-License-Identifier: BSD-3-Clause
// Keys, zoom and ticks; parts that are hard to hit; numbers that are zero.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { clock, clockAt, closeBrowser, openBrowser, openTab, pageOf, pageOfText, show } from './browser.mjs';

before(openBrowser);
after(closeBrowser);

test('keys work after a click on a tab, on play and in the list of speeds', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('slider_crank'));
  const playing = () => tab.evaluate(() => window.picus.player.playing);
  await tab.getByRole('tab', { name: 'Energy' }).click();
  await tab.keyboard.press(' ');
  assert.equal(await playing(), true);
  await tab.keyboard.press(' ');
  assert.equal(await playing(), false);
  await tab.locator('select.speed').focus();
  const [speed, time] = [await tab.locator('select.speed').inputValue(), await clock(tab)];
  await tab.keyboard.press('ArrowRight');
  await tab.waitForFunction((t) => parseFloat(document.querySelector('.clock').textContent) > t, time);
  assert.equal(await tab.locator('select.speed').inputValue(), speed);
  await tab.close();
});

test('ticks of zoomed plots differ, the timeline zooms with them, a double click keeps the time', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('slider_crank'), 'theme=light&t=1.5');
  const box = await tab.locator('.plot .u-over').first().boundingBox();
  const texts = () => tab.evaluate(() => {
    const { chart } = window.picus.plots.plots[0];
    return chart.axes[0]._values.filter(Boolean);
  });
  for (let i = 0; i < 3; ++i) {
    await tab.mouse.move(box.x + box.width * 0.4, box.y + 40);
    await tab.mouse.down();
    await tab.mouse.move(box.x + box.width * 0.45, box.y + 40, { steps: 4 });
    await tab.mouse.up();
    const ticks = await texts();
    assert.ok(ticks.length > 1);
    assert.equal(new Set(ticks).size, ticks.length, ticks.join(' '));
  }
  const range = (await tab.locator('.page').getAttribute('data-range')).split(' ').map(Number);
  const scrub = await tab.locator('.scrub').boundingBox();
  await tab.mouse.click(scrub.x + scrub.width / 2, scrub.y + 10);
  await clockAt(tab, (range[0] + range[1]) / 2, 1e-3);
  await tab.evaluate(() => window.picus.player.seek(1.5));
  await clockAt(tab, 1.5, 1e-9);
  await tab.mouse.dblclick(box.x + box.width * 0.2, box.y + 40);
  assert.equal(await tab.locator('.page').getAttribute('data-range'), '');
  await clockAt(tab, 1.5, 1e-9);
  await tab.close();
});

test('contacts by formula are drawn where they are said to be, and named there', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('woodpecker', '--end', '0.2'), 'theme=light&t=0.15');
  const found = await tab.evaluate(() => {
    window.picus.showTime();
    const { camera, controls, parts, canvas } = window.picus.scene;
    camera.updateMatrixWorld();
    const box = canvas.getBoundingClientRect();
    const { run } = window.picus;
    const point = run.find('contacts', 'point');
    const sample = run.place(0.15).index;
    const at = (c) => controls.target.clone().set(...[0, 1, 2].map((k) => run.at(point, 3 * c + k, sample)));
    const tip = (p) => {
      const { x, y } = p.project(camera);
      return window.picus.scene.pick(box.left + ((1 + x) / 2) * box.width + 5, box.top + ((1 - y) / 2) * box.height)?.label;
    };
    const reaction = run.find('contacts', 'reaction');
    const pushes = run.time.some((_, i) => run.at(reaction, 3 * 1, i) > 0);
    const pin = parts.poses.point('sleeve', at(0)).clone();
    return { items: point.items, labels: point.items.map((_, c) => tip(at(c))), pushes, pin: tip(pin) };
  });
  found.items.forEach((name, c) => assert.match(found.labels[c] ?? '', new RegExp(`^(${name}|lower|upper|sleeve_pin) \\(`)));
  assert.match(found.labels[0], /^beak \(contact, /);
  assert.match(found.pin, /\((revolute|contact)/);
  assert.ok(found.pushes, 'the sleeve is never pushed');
  await tab.close();
});

test('flexible parts are in the list of parts', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('bar_impact', '--set', 'N=60'));
  assert.ok((await tab.locator('select.part optgroup[label="flexible parts"] option').allTextContents()).includes('bar'));
  await tab.close();
});

// it rests on a wall that it reached from 1/3 m, in samples of 2.5 steps
const kBlock = `picus: 1
dimension: 2
gravity: [-3, 0]
bodies: {block: {mass: 100, inertia: 1, at: [1/3, 0]}}
contacts: {wall: {type: ball_on_plane, between: [ground, block], radius: 0, normal: [1, 0, 0]}}
run: {end_time: 1, step: 1e-3, output_interval: 2.5e-3, integrator: nonsmooth_pva}
`;
test('a constant force is constant, wherever the samples lie, and a gap of zero is zero', async () => {
  const { tab } = await openTab();
  await show(tab, pageOfText('block', kBlock));
  const { forces, gaps } = await tab.evaluate(() => {
    const { run } = window.picus;
    const rest = [...run.time.keys()].filter((i) => run.time[i] > 0.7);
    const read = (name) => rest.map((i) => run.at(run.find('contacts', name), 0, i));
    return { forces: read('force'), gaps: read('gap') };
  });
  for (const force of forces) assert.ok(Math.abs(force - 300) < 0.01, String(force));
  assert.deepEqual(new Set(gaps), new Set([0]));
  await tab.close();
});

test('a pin that slides in its bore does so in every sample, though it hops from step to step', async () => {
  const { tab } = await openTab();
  await show(tab, pageOf('clearance_slider_crank', '--end', '0.04'));
  const { modes, forces } = await tab.evaluate(() => {
    const { run } = window.picus;
    const later = [...run.time.keys()].filter((i) => run.time[i] > 0.01);
    const read = (name) => later.map((i) => run.at(run.find('contacts', name), 0, i));
    return { modes: read('mode'), forces: read('force') };
  });
  assert.ok(modes.every((mode) => mode > 0), modes.join(' '));
  assert.ok(forces.every((force) => force > 50), forces.join(' '));
  await tab.close();
});
