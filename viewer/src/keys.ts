// SPDX-License-Identifier: BSD-3-Clause
// What keys do.
import type { App } from './app';

/// Until the signal is given.
export function bindKeys(app: App, signal: AbortSignal): void {
  const actions: Record<string, (shift: boolean) => void> = {
    ' ': () => app.player.toggle(),
    ArrowRight: (shift) => app.step(1, shift),
    ArrowLeft: (shift) => app.step(-1, shift),
    Home: () => app.player.seek(app.player.begin),
    End: () => app.player.seek(app.player.end),
    '+': () => app.player.changeSpeed(1),
    '=': () => app.player.changeSpeed(1),
    '-': () => app.player.changeSpeed(-1),
    f: () => app.scene.fit(),
    x: () => app.scene.fit([1, 0, 0.0001]),
    y: () => app.scene.fit([0, -1, 0.0001]),
    z: () => app.scene.fit([0, -0.0001, 1]),
    h: (shift) => (shift ? app.partBar.showAll() : app.partBar.hide()),
    g: () => app.partBar.makeGlass(),
    t: () => app.partBar.trail(),
    b: () => app.partBar.follow(),
    c: () => app.toggleContacts(),
    j: () => app.toggleJoints(),
    r: () => app.zoom(null),
    s: () => app.toggleBeside(),
    d: () => app.toggleTheme(),
    '?': () => app.help.showModal(),
  };
  for (let tab = 0; tab < 5; ++tab) actions[String(tab + 1)] = () => app.open(tab);
  // what the pointer has used gives the keys back; who walks by the Tab key stays where he is
  let byPointer = false;
  window.addEventListener('pointerdown', () => (byPointer = true), { capture: true, signal });
  window.addEventListener('keydown', () => (byPointer = false), { capture: true, signal });
  const release = (e: Event) => {
    const used = (e.target as HTMLElement).closest<HTMLElement>('button, select, input');
    if (byPointer && used && (e.type === 'change' || used.tagName !== 'SELECT')) used.blur();
  };
  window.addEventListener('click', release, { signal });
  window.addEventListener('change', release, { signal });
  window.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const target = e.target as HTMLElement;
    // a list keeps the keys that choose from it, a button the one that presses it
    const isOurs = e.key === ' ' || e.key === 'ArrowLeft' || e.key === 'ArrowRight';
    const typing = (target.tagName === 'SELECT' && !isOurs) || (target.tagName === 'BUTTON' && e.key === ' ');
    const action = actions[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action || typing || app.help.open) return;
    e.preventDefault();
    action(e.shiftKey);
  }, { signal });
}
