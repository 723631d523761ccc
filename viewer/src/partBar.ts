// SPDX-License-Identifier: BSD-3-Clause
// The list of parts, and what can be done with the one that is chosen.
import { make } from './dom';
import type { Picked } from './pick';
import type { Run } from './run';
import type { SceneView } from './scene';

const kGroups = ['bodies', 'markers', 'elements', 'joints', 'contacts', 'collisions', 'friction', 'forces', 'controls'];
const kMostItems = 500;

function itemsOf(run: Run, group: string): string[] {
  const all = run.quantities.filter((q) => q.group === group).flatMap((q) => q.items);
  // of flexible parts the elements are not parts of their own
  const items = [...new Set(group === 'elements' ? all.map((name) => name.replace(/\.[0-9]+$/, '')) : all)];
  return items.filter((n) => !/\.node[0-9]+$/.test(n)).slice(0, kMostItems);
}

export class PartBar {
  readonly element = make('div', { class: 'chosen' });
  private picked: Picked | null = null;

  constructor(
    private readonly run: Run,
    private readonly scene: SceneView,
    private readonly choose: (picked: Picked | null) => void,
    private readonly changed: () => void,
  ) {
    this.show(null);
  }

  get chosen(): Picked | null {
    return this.picked;
  }

  show(picked: Picked | null): void {
    this.picked = picked;
    this.element.replaceChildren(this.list(), ...this.buttons());
  }

  private list(): HTMLElement {
    const parts = make('select', { class: 'part', 'aria-label': 'part to plot', change: () => {
      const [group, item] = JSON.parse(parts.value) as [string, string];
      this.choose(group ? { group, item, label: item } : null);
    } }, make('option', { value: '["",""]' }, 'Choose a part, or click it in the picture'));
    for (const group of kGroups) {
      const items = itemsOf(this.run, group);
      if (items.length === 0) continue;
      parts.append(make('optgroup', { label: group === 'elements' ? 'flexible parts' : group },
        ...items.map((item) => make('option', { value: JSON.stringify([group, item]) }, item))));
    }
    if (this.picked) parts.value = JSON.stringify([this.picked.group, this.picked.item]);
    if (parts.selectedIndex < 0) parts.selectedIndex = 0;
    return parts;
  }

  private buttons(): HTMLElement[] {
    const { picked, scene } = this;
    const button = (text: string, title: string, pressed: boolean | null, action: () => void) =>
      make('button', { class: 'plain small', title, ...(pressed === null ? {} : { 'aria-pressed': String(pressed) }), click: action }, text);
    const made: HTMLElement[] = [];
    if (picked?.group === 'bodies') {
      const body = picked.item;
      made.push(
        button('hide', 'Hide it (H)', scene.lookOf(body) === 'hidden', () => this.hide()),
        button('glass', 'See through it (G)', scene.lookOf(body) === 'glass', () => this.makeGlass()),
        button('trail', 'Path of the point that was clicked (T)', scene.hasTrail(body), () => this.trail()),
        button('follow', 'Go with it (B)', scene.follows === body, () => this.follow()));
    }
    if (scene.changed.length > 0) made.push(button('show all', 'Show all parts as they are (Shift H)', null, () => this.showAll()));
    if (picked) made.push(button('overview', 'Back to the plots of the beginning', null, () => this.choose(null)));
    return made;
  }

  private get body(): string | null {
    return this.picked?.group === 'bodies' ? this.picked.item : null;
  }
  private done(): void {
    this.show(this.picked);
    this.changed();
  }

  hide(): void {
    const { body, scene } = this;
    if (body === null) return;
    scene.setLook(body, scene.lookOf(body) === 'hidden' ? 'solid' : 'hidden');
    this.done();
  }
  /// Of all bodies when none is chosen.
  makeGlass(): void {
    const { scene } = this;
    const bodies = this.body === null ? scene.bodies : [this.body];
    const look = bodies.some((b) => scene.lookOf(b) === 'glass') ? 'solid' : 'glass';
    for (const body of bodies) scene.setLook(body, look);
    this.done();
  }
  showAll(): void {
    for (const body of this.scene.changed) this.scene.setLook(body, 'solid');
    this.done();
  }
  trail(): void {
    if (this.body === null) return;
    this.scene.toggleTrail(this.body, this.picked?.point);
    this.done();
  }
  follow(): void {
    const { body, scene } = this;
    if (body === null && scene.follows === null) return;
    scene.follow(body === null || scene.follows === body ? null : body);
    this.done();
  }
}
