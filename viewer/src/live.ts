// SPDX-License-Identifier: BSD-3-Clause
// Follows a run that is still going on, and those that come after it: asks the server for more, and
// the less often the longer an answer takes.
import { App } from './app';
import { make } from './dom';
import { readPayload } from './payload';
import { Run } from './run';
import { secondRun } from './second';

const kPause = 700; // [ms]

/// What the server has.
interface State {
  run: number;
  samples: number;
  complete?: boolean;
  trouble: string;
  /// No other run comes.
  ends: boolean;
}

class Silence extends Error {}

async function ask(path: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path);
  } catch {
    throw new Silence('The program “picus” no longer answers.');
  }
  if (!response.ok) throw new Error(await response.text());
  return response;
}

class Follower {
  private app: App | null = null;
  private shown: State | null = null;
  private readonly word = make('p', { class: 'waiting' }, 'Waiting for the first samples …');

  constructor(private readonly host: HTMLElement) {
    host.replaceChildren(make('div', { class: 'trouble' }, this.word));
  }

  /// Asks once; false when there is nothing to come.
  async ask(): Promise<boolean> {
    const state = (await (await ask('state')).json()) as State;
    this.complain(state.trouble);
    const { shown } = this;
    const isNew = shown?.run !== state.run || shown.samples !== state.samples || shown.complete !== state.complete;
    if (isNew && state.samples > 1) {
      const response = await ask('data');
      if (response.status === 200) await this.show(new Uint8Array(await response.arrayBuffer()), state);
    }
    return !(state.ends && this.shown?.complete);
  }

  private async show(bytes: Uint8Array<ArrayBuffer>, state: State): Promise<void> {
    const payload = await readPayload(bytes);
    if (payload.head.kept < 2) return;
    const isSameRun = this.app && this.shown?.run === state.run;
    this.shown = state;
    if (isSameRun && this.app) {
      this.app.run.replace(payload);
      this.app.refresh();
      return;
    }
    const view = this.app?.view();
    this.app?.dispose();
    this.app = new App(new Run(payload), this.host, view?.theme);
    const second = view ? null : await secondRun();
    if (second) this.app.compare(second);
    if (view) this.app.restore(view);
    else this.app.player.seek(this.app.player.end);
    (window as { picus?: App }).picus = this.app; // for the console
    document.title = `${payload.head.name} – Picus`;
    document.documentElement.dataset.ready = 'true';
    document.documentElement.dataset.run = String(state.run);
  }

  complain(trouble: string): void {
    document.documentElement.dataset.trouble = trouble;
    if (this.app) this.app.complain(trouble);
    else if (trouble) this.word.textContent = trouble;
  }
}

export async function follow(host: HTMLElement): Promise<void> {
  const follower = new Follower(host);
  for (;;) {
    const asked = performance.now();
    try {
      if (!(await follower.ask())) return;
    } catch (error) {
      follower.complain(error instanceof Error ? error.message : String(error));
      if (error instanceof Silence) return;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(kPause, 2 * (performance.now() - asked))));
  }
}
