// SPDX-License-Identifier: BSD-3-Clause
// Reads the run that the page holds, or asks for one that is still going on.
import 'uplot/dist/uPlot.min.css';
import './style.css';

import { App } from './app';
import { capture, captureWanted } from './capture';
import { make } from './dom';
import { follow } from './live';
import { bytesOfBase64, readPayload } from './payload';
import { Run } from './run';
import { secondRun } from './second';
import { preferredTheme } from './theme';
import type { ThemeChoice } from './theme';

export function complain(host: HTMLElement, message: string): void {
  document.documentElement.dataset.theme = preferredTheme();
  host.replaceChildren(
    make('div', { class: 'trouble', role: 'alert' },
      make('h1', {}, 'This run cannot be shown'),
      make('p', {}, message),
      make('p', { class: 'hint' }, 'Make the page again with “picus report RESULT”; “picus info RESULT” tells what is in the result.')),
  );
}

function isThere(id: string): HTMLElement | null {
  return document.getElementById(id);
}

async function start(host: HTMLElement): Promise<void> {
  const data = isThere('data')?.textContent;
  if (data === undefined || data === null) {
    if (isThere('live')) await follow(host);
    else throw new Error('There are no data in this page.');
    return;
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = bytesOfBase64(data);
  } catch {
    throw new Error('The data of this page are damaged or cut short.');
  }
  const run = new Run(await readPayload(bytes));
  if (run.time.length === 0) throw new Error('The result has no samples: the run ended before its first one.');
  const hash = new URLSearchParams(location.hash.slice(1));
  const theme = hash.get('theme') as ThemeChoice | null;
  const app = new App(run, host, theme ?? preferredTheme(), captureWanted(hash));
  const second = await secondRun();
  if (second) app.compare(second);
  if (second && hash.has('beside')) app.toggleBeside();
  const t = Number(hash.get('t'));
  if (hash.has('t') && Number.isFinite(t)) app.player.seek(t);
  (window as { picus?: App }).picus = app; // for the console
  document.documentElement.dataset.ready = 'true';
  if (captureWanted(hash)) await capture(app, hash);
}

const host = document.getElementById('app') as HTMLElement;
start(host).catch((error: unknown) => complain(host, error instanceof Error ? error.message : String(error)));
