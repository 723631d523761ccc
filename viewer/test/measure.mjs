// SPDX-License-Identifier: BSD-3-Clause
// What pages cost: node viewer/test/measure.mjs PAGE.html …   (the tables of docs/performance.md)
// Processor times are those of the thread of the page, so that other work does not count; frames and
// the clock depend on the machine, on what else it does, and on who draws.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const kShown = 60;
const kFrames = 120;
const kThrottle = 6;

async function openPage(browser, path) {
  const tab = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  // when everything is there, on the clock
  await tab.addInitScript(() => {
    new MutationObserver(() => {
      if (document.documentElement?.dataset.ready) window.readyAfter ??= performance.now();
    }).observe(document, { attributes: true, subtree: true });
  });
  const cdp = await tab.context().newCDPSession(tab);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () =>
    1000 * (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  await tab.goto(`${pathToFileURL(path)}#theme=light`);
  await tab.waitForSelector('html[data-ready=true]');
  await tab.waitForTimeout(500);
  return { tab, cdp, spent };
}

/// Milliseconds of the processor to show one time.
async function costOfATime(tab, spent) {
  const before = await spent();
  await tab.evaluate((n) => {
    const { player } = window.picus;
    for (let i = 0; i < n; ++i) {
      player.seek(player.begin + ((player.end - player.begin) * i) / n);
      window.picus.showTime();
    }
  }, kShown);
  return ((await spent()) - before) / kShown;
}

/// Plays so many frames: frames a second on the clock, and milliseconds of processors for each, in the
/// thread of the page and in the process that draws (with SwiftShader: by software).
async function play(browserCdp, tab, cdp, spent, throttle) {
  const drawing = async () => {
    const { processInfo } = await browserCdp.send('SystemInfo.getProcessInfo');
    return 1000 * processInfo.filter((p) => p.type === 'GPU').reduce((sum, p) => sum + p.cpuTime, 0);
  };
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  const [before, drawnBefore] = [await spent(), await drawing()];
  const perSecond = await tab.evaluate((frames) => new Promise((resolve) => {
    const { player } = window.picus;
    player.seek(player.begin);
    player.setSpeed((player.end - player.begin) / 60); // it does not end meanwhile
    player.playing = true;
    let shown = 0;
    const begin = performance.now();
    const next = () => {
      if (++shown < frames) return requestAnimationFrame(next);
      player.playing = false;
      resolve((1000 * shown) / (performance.now() - begin));
    };
    requestAnimationFrame(next);
  }), kFrames);
  const [after, drawnAfter] = [await spent(), await drawing()];
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return { perSecond, page: (after - before) / kFrames, drawing: (drawnAfter - drawnBefore) / kFrames };
}

const browser = await chromium.launch({
  executablePath: process.env.PICUS_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const browserCdp = await browser.newBrowserCDPSession();
console.log(`Chromium ${browser.version()}, ${kFrames} frames of play`);
console.log('| page | size | opens in | on the clock | one time | a frame: page | drawing | frames/s | frames/s, 6× throttle |');
console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|');
for (const path of process.argv.slice(2)) {
  const { tab, cdp, spent } = await openPage(browser, path);
  const opened = await spent();
  const ready = await tab.evaluate(() => window.readyAfter);
  const shown = await costOfATime(tab, spent);
  const normal = await play(browserCdp, tab, cdp, spent, 1);
  const slow = await play(browserCdp, tab, cdp, spent, kThrottle);
  const ms = (x) => `${x.toFixed(x < 10 ? 1 : 0)} ms`;
  console.log(`| ${basename(path)} | ${(statSync(path).size / 1e6).toFixed(1)} MB | ${ms(opened)} | ${ms(ready)} | ${ms(shown)} | ${ms(normal.page)} | ${ms(normal.drawing)} | ${normal.perSecond.toFixed(0)} | ${slow.perSecond.toFixed(0)} |`);
  await tab.close();
}
await browser.close();
