// SPDX-License-Identifier: BSD-3-Clause
// Another run from the page that shows it.
import { Comparison } from './compare';
import { make } from './dom';
import { bytesOfBase64, readPayload } from './payload';
import { Run } from './run';

const kData = /<script id="data" type="text\/plain"[^>]*>([^<]*)<\/script>/;

/// The run that a page of Picus holds. Throws an Error with a sentence for people.
export async function runOfPage(text: string): Promise<Run> {
  const data = kData.exec(text)?.[1];
  if (!data) throw new Error('This file is no page of “picus report”.');
  return new Run(await readPayload(bytesOfBase64(data)));
}

/// The other run that the page itself was made with, if there is one.
export async function secondRun(): Promise<Comparison | null> {
  const second = document.getElementById('second');
  if (!second?.textContent) return null;
  return new Comparison(new Run(await readPayload(bytesOfBase64(second.textContent))), second.dataset.name ?? 'second run');
}

/// A button that asks for a file.
export function compareButton(take: (run: Run, name: string) => void, complain: (words: string) => void): HTMLElement {
  const input = make('input', { type: 'file', accept: '.html,.htm', hidden: true, 'aria-label': 'page of another run' });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    input.value = '';
    if (!file) return;
    file.text().then(runOfPage).then((run) => take(run, file.name.replace(/\.html?$/, '')))
      .catch((error: unknown) => complain(error instanceof Error ? error.message : String(error)));
  });
  const button = make('button', { class: 'plain', title: 'Compare with another run: open its page (.html)', 'aria-label': 'compare', click: () => input.click() }, 'compare');
  return make('span', {}, button, input);
}
