// SPDX-License-Identifier: BSD-3-Clause
// What pages cost: node viewer/test/measure.mjs PAGE.html …   (the table of docs/performance.md)
// Times are those of the processor in the thread of the page, so that other work does not count.
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const kShown = 60;
const browser = await chromium.launch({
  executablePath: process.env.PICUS_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
console.log('| page | size | opens in | one time shown in |\n|---|---:|---:|---:|');
for (const path of process.argv.slice(2)) {
  const tab = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  const cdp = await tab.context().newCDPSession(tab);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () =>
    1000 * (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  await tab.goto(`${pathToFileURL(path)}#theme=light`);
  await tab.waitForSelector('html[data-ready=true]');
  await tab.waitForTimeout(500);
  const opened = await spent();
  await tab.evaluate((n) => {
    const { player } = window.picus;
    for (let i = 0; i < n; ++i) {
      player.seek(player.begin + ((player.end - player.begin) * i) / n);
      window.picus.showTime();
    }
  }, kShown);
  const shown = ((await spent()) - opened) / kShown;
  console.log(`| ${path} | ${(statSync(path).size / 1e6).toFixed(1)} MB | ${opened.toFixed(0)} ms | ${shown.toFixed(1)} ms |`);
  await tab.close();
}
await browser.close();
