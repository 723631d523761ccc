// SPDX-License-Identifier: BSD-3-Clause
// The verdict of a run about itself, in one line that leads to the worst offender.
import { make, numberText, prettyNumber } from './dom';
import type { Head } from './payload';

interface Finding {
  check: string;
  verdict: string;
  part: string;
  time: number;
  ratio: number;
}

interface AuditSummary {
  verdict: string;
  text: string;
  worst?: Finding;
  checks?: Finding[];
}

/// Null for runs of earlier versions and those that nobody audited.
export function auditOf(head: Head): AuditSummary | null {
  const audit = head.summary?.audit as AuditSummary | undefined;
  return audit && typeof audit.verdict === 'string' ? audit : null;
}

/// A button that goes to the time of what is nearest to its bound, or farthest beyond it.
export function auditLine(head: Head, seek: (t: number) => void): HTMLElement | null {
  const audit = auditOf(head);
  if (!audit) return null;
  const time = audit.worst?.time;
  const text = audit.verdict === 'green' ? 'audit: green' : audit.text;
  const line = make('button', { class: `audit ${audit.verdict}`, title: audit.text }, text);
  if (typeof time === 'number') line.addEventListener('click', () => seek(time));
  else line.disabled = true;
  return line;
}

/// What each check has seen at worst, as a part of its bound.
export function auditTable(head: Head, seek: (t: number) => void): HTMLElement {
  const body = make('tbody');
  for (const found of auditOf(head)?.checks ?? [])
    body.append(
      make('tr', { click: () => seek(found.time) },
        make('td', { class: 'number' }, make('button', { class: 'link', title: 'Go to this time' }, numberText(found.time))),
        make('td', {}, found.check.replaceAll('_', ' ')), make('td', {}, found.part),
        make('td', { class: `number ${found.verdict}` }, prettyNumber(found.ratio))),
    );
  const names = ['t [s]', 'check', 'part', 'of its bound'];
  const row = make('tr', {}, ...names.map((name) => make('th', {}, name)));
  return make('div', { class: 'scroll-x' }, make('table', { class: 'impacts' }, make('thead', {}, row), body));
}
