// SPDX-License-Identifier: BSD-3-Clause
// What travels stays in the picture, while it goes on and when it has ended.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { closeBrowser, inkOf, openBrowser, openTab, pageOfText, picus, scratch, show } from './browser.mjs';

before(openBrowser);
after(closeBrowser);

const rolling = (end) => `picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {mass: 0.2, inertia: 2e-4, at: [0, 0.3], velocity: [1, 0], shape: {type: sphere, radius: 0.05}}
contacts:
  floor: {type: ball_on_plane, between: [ground, ball], radius: 0.05, restitution: 0.8, friction: 0.3}
run: {end_time: ${end}, step: 5e-4, output_interval: 0.05, integrator: moreau_jean}
`;

/// Where a body is on the screen, in [-1, 1]².
const seenAt = (tab, body) => tab.evaluate((name) => {
  window.picus.showTime();
  const { camera, controls, parts } = window.picus.scene;
  camera.updateMatrixWorld();
  const { x, y } = parts.poses.point(name, controls.target.clone()).project(camera);
  return [x, y];
}, body);
const isInside = ([x, y]) => Math.abs(x) < 0.95 && Math.abs(y) < 0.95;

test('a ball that rolls far is seen at every time', async () => {
  const { tab, trouble } = await openTab();
  await show(tab, pageOfText('rolling', rolling(25)));
  for (const t of [0, 5, 20, 25]) {
    await tab.evaluate((time) => window.picus.player.seek(time), t);
    const at = await seenAt(tab, 'ball');
    assert.ok(isInside(at), `at ${t} s the ball is at ${at}`);
    assert.ok((await inkOf(tab)) > 0.002, `at ${t} s there is no ball`);
  }
  assert.deepEqual(trouble, []);
  await tab.close();
});

const kShot = `picus: 1
bodies:
  bullet: {mass: 0.01, at: [0, 0, 0], velocity: [500, 0, 0], shape: {type: sphere, radius: 0.05}}
  gun: {mass: 5, shape: {type: box, size: [1, 0.2, 0.2]}}
joints: {stand: {type: revolute, between: [ground, gun]}}
run: {end_time: 1, step: 0.01}
`;
test('what flies off does not shrink what stays', async () => {
  const { tab } = await openTab();
  await show(tab, pageOfText('shot', kShot), 't=1');
  assert.ok((await inkOf(tab)) > 0.01, String(await inkOf(tab)));
  assert.ok(isInside(await seenAt(tab, 'gun')));
  await tab.close();
});

test('view follows a mechanism that travels, unless the user looks elsewhere', { timeout: 240000 }, async () => {
  const [model, result] = [join(scratch, 'travelling.yaml'), join(scratch, 'travelling.h5')];
  writeFileSync(model, rolling(4000));
  const running = spawn('nice', ['-n', '5', picus, 'run', model, '-o', result, '-q'], { stdio: 'ignore' });
  let server;
  try {
    let address;
    while (!address) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      server = spawn(picus, ['view', result, '--no-browser'], { stdio: ['ignore', 'pipe', 'ignore'] });
      address = await new Promise((resolve) => {
        server.stdout.once('data', (d) => resolve(String(d).trim()));
        server.once('exit', () => resolve(undefined));
      });
    }
    const { tab } = await openTab();
    await tab.goto(address);
    await tab.waitForSelector('html[data-ready=true]');
    const state = () => tab.evaluate(() => ({ end: window.picus.player.end, speed: window.picus.player.speed, grid: window.picus.scene.gridSpacing }));
    const first = await state();
    await tab.waitForFunction((t) => window.picus.player.end > 4 * t, first.end, { timeout: 90000 });
    const later = await state();
    assert.ok(isInside(await seenAt(tab, 'ball')), 'the ball has left the picture');
    assert.ok((await inkOf(tab)) > 0.002);
    assert.ok(later.speed > first.speed || later.speed === 100, `${later.speed} after ${first.speed}`);
    await tab.keyboard.press('-');
    const chosen = (await state()).speed;
    await tab.evaluate(() => window.picus.scene.controls.dispatchEvent({ type: 'start' }));
    const zoom = () => tab.evaluate(() => window.picus.scene.camera.top);
    const before = await zoom();
    await tab.waitForFunction((t) => window.picus.player.end > 1.5 * t, later.end, { timeout: 90000 });
    assert.equal(await zoom(), before);
    assert.equal((await state()).speed, chosen);
    await tab.close();
  } finally {
    running.kill();
    server?.kill();
  }
});
