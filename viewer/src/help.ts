// SPDX-License-Identifier: BSD-3-Clause
// Which keys and gestures there are.
import { make } from './dom';

const kKeys: [string, string][] = [
  ['Space', 'play, pause'],
  ['← →', 'one sample back, on'],
  ['Shift ← →', 'impact before, after'],
  ['Home End', 'start, end'],
  ['− +', 'slower, faster'],
  ['F', 'fit the motion into the picture'],
  ['X Y Z', 'look along an axis'],
  ['H G', 'hide the chosen body; see through it, or all'],
  ['T B', 'trail of the chosen body; follow it'],
  ['Shift H', 'show all as they are'],
  ['C', 'contacts on, off'],
  ['J', 'joints on, off'],
  ['S', 'two runs: one place, side by side'],
  ['1 … 5', 'plots, energy, integrator, summary, model'],
  ['R', 'plots over the whole run'],
  ['D', 'dark, light'],
  ['?', 'this list'],
];
const kGestures: [string, string][] = [
  ['drag', 'turn'],
  ['right drag', 'move'],
  ['wheel', 'zoom'],
  ['click a part', 'plot its quantities'],
  ['click a plot', 'go to that time'],
  ['drag in a plot', 'zoom in time'],
  ['double click a plot', 'whole run'],
  ['double click the picture', 'fit the motion into it'],
];

export function helpDialog(): HTMLDialogElement {
  const keys = (text: string) => text.split(' ').flatMap((k) => [k === '…' ? k : make('kbd', {}, k), ' ']);
  const list = (rows: [string, string][], areKeys: boolean) =>
    make('table', { class: 'keys' }, ...rows.map(([key, what]) =>
      make('tr', {}, make('th', {}, ...(areKeys ? keys(key) : [key])), make('td', {}, what))));
  const dialog: HTMLDialogElement = make('dialog', { class: 'help' },
    make('h2', {}, 'Keys and gestures'),
    make('div', { class: 'columns' }, list(kKeys, true), list(kGestures, false)),
    make('button', { class: 'plain', click: () => dialog.close() }, 'Close'));
  dialog.addEventListener('click', (e) => {
    if (e.target === dialog) dialog.close();
  });
  return dialog;
}
