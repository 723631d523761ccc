// SPDX-License-Identifier: BSD-3-Clause
// Follows a run that is still going on: asks the server for more, and the less often the longer an
// answer takes.
import { App } from './app';
import { make } from './dom';
import { readPayload } from './payload';
import { Run } from './run';

const kPause = 700; // [ms]

type Answer = Uint8Array<ArrayBuffer> | 'nothing new' | { trouble: string };

async function ask(samples: number, complete: boolean): Promise<Answer> {
  try {
    const response = await fetch(`data?samples=${samples}&complete=${complete ? 1 : 0}`);
    if (response.status === 204) return 'nothing new';
    if (!response.ok) return { trouble: await response.text() };
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    return { trouble: 'The program “picus view” no longer answers.' };
  }
}

export async function follow(host: HTMLElement): Promise<void> {
  let app: App | null = null;
  const word = make('p', {}, 'Waiting for the first samples …');
  host.replaceChildren(make('div', { class: 'trouble' }, word));
  for (;;) {
    const head = app?.run.head;
    const asked = performance.now();
    const answer = await ask(head?.samples ?? 0, head?.complete ?? false);
    if (answer instanceof Uint8Array) {
      const payload = await readPayload(answer);
      if (app) {
        app.run.replace(payload);
        app.refresh();
      } else if (payload.head.kept > 1) {
        app = new App(new Run(payload), host);
        app.player.seek(app.player.end);
        (window as { picus?: App }).picus = app; // for the console
        document.title = `${payload.head.name} – Picus`;
        document.documentElement.dataset.ready = 'true';
      }
    } else if (answer !== 'nothing new') {
      if (!app) word.textContent = answer.trouble;
      else app.complain(answer.trouble);
      document.documentElement.dataset.trouble = answer.trouble;
      if (answer.trouble.includes('no longer')) return;
    }
    if (app?.run.head.complete) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(kPause, 2 * (performance.now() - asked))));
  }
}
