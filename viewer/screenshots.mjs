// SPDX-License-Identifier: BSD-3-Clause
// Pictures of ten pages, light, dark and on a phone, and of what few runs show (two runs beside each
// other, audits that are not green), to be looked at: screenshots.mjs PICUS OUTPUT
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const [picus, output, ...only] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const models = join(here, '..', 'models');
const own = join(here, 'test', 'models');

// folder, model, time to show [s], options of the run
const kPages = [
  [models, 'slider_crank', 0.3],
  [models, 'woodpecker', 0.373],
  [models, 'newtons_cradle', 0.7, '--end', '1.5'],
  [models, 'quarter_car', 1.2],
  [models, 'spatial_slider_crank', 0.7],
  [models, 'spinning_top', 0.5],
  [models, 'bar_impact', 0.7, '--set', 'N=60'],
  [models, 'clearance_slider_crank', 0.105],
  [own, 'arm', 0.8],
  [own, 'pegs', 0.45],
];
const kViews = [
  ['light', { viewport: { width: 1366, height: 768 } }],
  ['dark', { viewport: { width: 1366, height: 768 } }],
  ['phone', { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }],
];

// name, time to show [s], key to press, runs of the page: model and options
const kDriftingCrank = ['slider_crank', '--integrator', 'index1', '--step', '0.01', '--audit', 'warn'];
const kSpecial = [
  ['two_runs', 0.3, '', ['slider_crank'], ['slider_crank', '--set', 'crank_speed=6']],
  ['side_by_side', 0.3, 's', ['slider_crank'], ['slider_crank', '--set', 'crank_speed=6']],
  ['audit_amber', 1.0, '', [...kDriftingCrank, '--end', '2']],
  ['audit_red', 3.0, '', [...kDriftingCrank, '--end', '4']],
];

mkdirSync(output, { recursive: true });
const wanted = (name) => only.length === 0 || only.includes(name);
const run = (result, model, options) => {
  if (!existsSync(result)) execFileSync(picus, ['run', model, '-o', result, '-q', ...options], { stdio: 'inherit' });
};
const browser = await chromium.launch({
  executablePath: process.env.PICUS_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-first-run'],
});
for (const [folder, model, time, ...options] of kPages) {
  if (!wanted(model)) continue;
  const result = join(output, `${model}.h5`);
  const page = join(output, `${model}.html`);
  run(result, join(folder, `${model}.yaml`), options);
  execFileSync(picus, ['report', result, '-o', page, '-q'], { stdio: 'inherit' });
  for (const [view, device] of kViews) {
    const context = await browser.newContext(device);
    const tab = await context.newPage();
    await tab.goto(`${pathToFileURL(page)}#theme=${view === 'dark' ? 'dark' : 'light'}&t=${time}&snapshot=page`);
    await tab.waitForSelector('html[data-ready=true], .trouble');
    await tab.waitForSelector('img.scene-canvas');
    await tab.screenshot({ path: join(output, `${model}-${view}.png`) });
    await context.close();
  }
  console.log(model);
}
for (const [name, time, key, ...runs] of kSpecial) {
  if (!wanted(name)) continue;
  const page = join(output, `${name}.html`);
  const results = runs.map(([model, ...options], i) => {
    const result = join(output, `${name}-${i + 1}.h5`);
    run(result, join(models, `${model}.yaml`), options);
    return result;
  });
  execFileSync(picus, ['report', ...results, '-o', page, '-q'], { stdio: 'inherit' });
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  const tab = await context.newPage();
  await tab.goto(`${pathToFileURL(page)}#theme=light&t=${time}`);
  await tab.waitForSelector('html[data-ready=true], .trouble');
  if (key !== '') await tab.keyboard.press(key);
  await tab.waitForTimeout(1500); // a frame of the software renderer
  await tab.screenshot({ path: join(output, `${name}.png`) });
  await context.close();
  console.log(name);
}
await browser.close();
