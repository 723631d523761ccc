// SPDX-License-Identifier: BSD-3-Clause
// Chromium for the tests, and results and pages made by the program.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

export const picus = process.env.PICUS;
export const source = process.env.PICUS_SOURCE;
export const scratch = process.env.PICUS_SCRATCH;
mkdirSync(scratch, { recursive: true });

export function run(...words) {
  return execFileSync(picus, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const made = new Set();
/// The result of a shipped model, run once.
export function resultOf(model, ...options) {
  const result = join(scratch, `${model}.h5`);
  if (!made.has(model)) run('run', join(source, 'models', `${model}.yaml`), '-o', result, '-q', '--report', ...options);
  made.add(model);
  return result;
}
/// The page of a model that is written here.
export function pageOfText(name, text) {
  const model = join(scratch, `${name}.yaml`);
  writeFileSync(model, text);
  run('run', model, '-o', join(scratch, `${name}.h5`), '-q', '--report');
  return join(scratch, `${name}.html`);
}
export function pageOf(model, ...options) {
  return resultOf(model, ...options).replace(/h5$/, 'html');
}

/// A copy of a page whose data were changed.
export function spoiledPage(page, name, change) {
  const path = join(scratch, name);
  writeFileSync(path, readFileSync(page, 'utf8').replace(/(<script id="data" type="text\/plain">)([^<]*)/, (_, head, data) => head + change(data)));
  return path;
}

let browser;
export async function openBrowser() {
  const executablePath = process.env.PICUS_BROWSER ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`no browser at ${executablePath}`);
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'],
  });
}
export async function closeBrowser() {
  await browser?.close();
}

/// A tab that remembers what went wrong in it and what it asked the network for.
export async function openTab() {
  const tab = await browser.newPage({ viewport: { width: 1080, height: 640 } });
  const trouble = [];
  tab.on('console', (message) => {
    if (message.type() === 'error' || (message.type() === 'warning' && !/GPU stall|GL Driver/.test(message.text()))) trouble.push(message.text());
  });
  tab.on('pageerror', (error) => trouble.push(String(error)));
  tab.on('request', (request) => {
    if (!/^(file|data|blob|about):/.test(request.url())) trouble.push(`asked for ${request.url()}`);
  });
  return { tab, trouble };
}

export async function show(tab, page, hash = 'theme=light') {
  await tab.goto(`${pathToFileURL(page)}#${hash}`);
  await tab.waitForSelector('html[data-ready=true], .trouble');
}

/// Share of the pixels of the scene that are not as its corner is.
export function inkOf(tab) {
  return tab.evaluate(async () => {
    window.picus.showTime();
    window.picus.scene.render(); // what is drawn now can be read until the next frame
    const scene = document.querySelector('.scene-canvas');
    const copy = document.createElement('canvas');
    copy.width = scene.width;
    copy.height = scene.height;
    const context = copy.getContext('2d');
    context.drawImage(scene, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let different = 0;
    // bodies are colourful, grid and background are not
    for (let i = 0; i < data.length; i += 4)
      different += Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 30 ? 1 : 0;
    return (4 * different) / data.length;
  });
}

export function clock(tab) {
  return tab.evaluate(() => parseFloat(document.querySelector('.clock').textContent));
}

/// Waits for a time to be shown.
export function clockAt(tab, time, tolerance) {
  return tab.waitForFunction(
    ([t, d]) => Math.abs(parseFloat(document.querySelector('.clock').textContent) - t) <= d, [time, tolerance], { timeout: 10000 });
}
