// SPDX-License-Identifier: BSD-3-Clause
// Words and tables about the run: its summary, its impacts, its model.
import { auditLine, auditTable } from './audit';
import { make, numberText, prettyNumber } from './dom';
import type { Run } from './run';

const kRows = 300;

function row(name: string, value: string): HTMLElement {
  return make('tr', {}, make('th', {}, name), make('td', {}, value));
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? value.toLocaleString('en') : prettyNumber(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).filter(([, v]) => v !== 0).map(([k, v]) => `${k} ${textOf(v)}`).join(', ');
  return String(value);
}

const kWords: Record<string, string> = {
  ok: '',
  end_time: 'end [s]',
  accepted: 'steps',
  rejected: 'steps rejected',
  newton_iterations: 'Newton iterations',
  shortest_step: 'shortest step [s]',
  longest_step: 'longest step [s]',
  step: 'step [s]',
  seconds: 'time on the clock [s]',
};

function table(entries: [string, unknown][]): HTMLElement {
  const body = make('tbody');
  for (const [name, value] of entries) {
    const [text, word] = [textOf(value), kWords[name] ?? name.replaceAll('_', ' ')];
    if (text !== '' && word !== '') body.append(row(word, text));
  }
  return make('table', { class: 'facts' }, body);
}

export function summaryView(run: Run, seek: (t: number) => void): HTMLElement {
  const { head } = run;
  const element = make('div', { class: 'facts-view' });
  element.append(make('h3', {}, 'How it went'));
  const audit = auditLine(head, seek);
  if (head.summary) element.append(table(Object.entries(head.summary).filter(([name]) => name !== 'audit')));
  else element.append(make('p', { class: 'hint' }, 'The run has not ended; there is no summary yet.'));
  if (audit) element.append(audit, auditTable(head, seek));
  const others = head.events.filter((e) => e.kind !== 'impact');
  if (head.impacts.time.length > 0) element.append(make('h3', {}, 'Impacts'), impactTable(run, seek));
  if (others.length > 0) {
    const list = make('ul', { class: 'events' });
    for (const e of others.slice(0, kRows))
      list.append(make('li', {}, make('button', { class: 'link', click: () => seek(e.time) }, `${numberText(e.time)} s`), ` ${e.kind}: ${e.text}`));
    element.append(make('h3', {}, 'Other events'), list);
  }
  element.append(make('h3', {}, 'How it was run'));
  const options = head.options;
  if (typeof options === 'object' && options !== null) element.append(table(Object.entries(options)));
  else element.append(make('pre', {}, String(options)));
  element.append(table([
    ['Picus', head.version],
    ['begun', head.created],
    ['samples recorded', head.samples],
    ['samples on this page', head.kept],
  ]));
  return element;
}

function impactTable(run: Run, seek: (t: number) => void): HTMLElement {
  const { impacts } = run.head;
  const body = make('tbody');
  impacts.time.slice(0, kRows).forEach((t, i) => {
    const cell = (x: number) => make('td', { class: 'number' }, prettyNumber(x));
    body.append(
      make('tr', { click: () => seek(t) },
        make('td', { class: 'number' }, make('button', { class: 'link', title: 'Go to this time' }, numberText(t))),
        make('td', {}, impacts.contact[i]), cell(impacts.before[i]), cell(impacts.after[i]),
        cell(impacts.impulse[i]), cell(impacts.lost[i])),
    );
  });
  // as the exported table: none where gaps are lengths and angles
  const some = impacts.is_angle.includes(true), all = !impacts.is_angle.includes(false);
  const unit = (linear: string, angular: string) => (!some ? ` [${linear}]` : all ? ` [${angular}]` : '');
  const speed = unit('m/s', 'rad/s');
  const names = ['t [s]', 'contact', `before${speed}`, `after${speed}`, `impulse${unit('N s', 'N m s')}`, 'lost [J]'];
  const head = make('tr', {}, ...names.map((name) => make('th', {}, name)));
  const element = make('div', { class: 'scroll-x' }, make('table', { class: 'impacts' }, make('thead', {}, head), body));
  if (impacts.time.length > kRows)
    element.append(make('p', { class: 'hint' }, `The first ${kRows} of ${impacts.time.length}; all of them: picus export RESULT --impacts FILE`));
  return element;
}

/// The text of the model; comments are fainter.
export function modelView(run: Run): HTMLElement {
  const pre = make('pre', { class: 'model' });
  for (const line of run.head.model.split('\n')) {
    const hash = line.search(/(^|\s)#/);
    const code = hash < 0 ? line : line.slice(0, hash);
    const comment = hash < 0 ? '' : line.slice(hash);
    const key = /^(\s*(?:- )?)([^\s:#{}[\]]+)(:)(?=\s|$)/.exec(code);
    if (key) pre.append(key[1], make('span', { class: 'key' }, key[2]), code.slice(key[1].length + key[2].length));
    else pre.append(code);
    if (comment) pre.append(make('span', { class: 'comment' }, comment));
    pre.append('\n');
  }
  return make('div', { class: 'facts-view' }, make('h3', {}, 'The model as it was run'), pre);
}
