// SPDX-License-Identifier: BSD-3-Clause
// The page of a run: scene, plots, timeline and words around one time.
import { auditLine } from './audit';
import { Comparison } from './compare';
import { countText, make, prettyNumber } from './dom';
import { modelView, summaryView } from './facts';
import { helpDialog } from './help';
import { bindKeys } from './keys';
import { PartBar } from './partBar';
import type { Picked } from './pick';
import { Player } from './player';
import { Plots } from './plots';
import type { Run } from './run';
import { SceneView } from './scene';
import type { SceneState } from './sceneState';
import { compareButton } from './second';
import { energyPanels, panelsOf, solverPanels } from './series';
import { divergingColour, preferredTheme, themeOf } from './theme';
import type { ThemeChoice } from './theme';
import { modeLegend, Timeline } from './timeline';
import { Transport } from './transport';
import { firstPanels } from './wanted';

const kTabs = ['Plots', 'Energy', 'Integrator', 'Summary', 'Model'] as const;
type Tab = (typeof kTabs)[number];
const kLongTrouble = 90; // words that do not fit into the head of the page

/// What the user has made of the page; another run of the same model is shown that way.
export interface AppView {
  tab: Tab;
  theme: ThemeChoice;
  range: [number, number] | null;
  time: number;
  wasAtEnd: boolean;
  playing: boolean;
  speed: number | null;
  scene: SceneState;
  other: Comparison | null;
  beside: boolean;
}

export class App {
  readonly player: Player;
  readonly scene: SceneView;
  readonly help = helpDialog();
  private readonly root: HTMLElement;
  private readonly timeline: Timeline;
  private readonly transport: Transport;
  private readonly stage = make('div', { class: 'scene' });
  private readonly tip = make('div', { class: 'tip', role: 'tooltip', hidden: true });
  private readonly legends = make('div', { class: 'legends' });
  private readonly modes = make('div', { class: 'modes' });
  private readonly side = make('div', { class: 'side-body' });
  readonly partBar: PartBar;
  private readonly notice = make('div', { class: 'notice' });
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly plots: Plots;
  private readonly energy: Plots;
  private readonly solver: Plots;
  private tab: Tab = 'Plots';
  private theme: ThemeChoice;
  private range: [number, number] | null = null;
  private isTimeStale = true;
  private contactsVisible = true;
  private jointsVisible = true;
  private other: Comparison | null = null;
  /// Ends what listens for it.
  private readonly life = new AbortController();
  private readonly sizes = new ResizeObserver(() => this.layOut());

  constructor(
    readonly run: Run,
    host: HTMLElement,
    theme: ThemeChoice = preferredTheme(),
    still = false,
  ) {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.player = new Player(run.begin, run.end);
    const owner = { seek: (t: number) => this.player.seek(t), zoom: (r: [number, number] | null) => this.zoom(r) };
    this.plots = new Plots(run, owner, true);
    this.energy = new Plots(run, owner, false);
    this.solver = new Plots(run, owner, false);
    this.timeline = new Timeline(run, owner, (group, item) => this.choose({ group, item, label: item }));
    this.transport = new Transport(this.player, this.modes);
    this.root = make('div', { class: 'page' },
      this.header(),
      make('main', { class: 'main' },
        make('div', { class: 'left' }, this.stage, make('div', { class: 'deck' }, this.transport.element, this.timeline.element, this.timeline.count)),
        make('aside', { class: 'side' }, this.tabBar(), this.side)),
      this.help);
    host.replaceChildren(this.root);
    this.scene = new SceneView(run, this.stage, themeOf(theme), still);
    this.stage.append(this.tip, this.legends, this.scene.triad.element, this.problem);
    this.partBar = new PartBar(run, this.scene, (picked) => this.choose(picked), () => (this.isTimeStale = true));
    this.showLegends();
    this.player.onChange(() => (this.isTimeStale = true));
    this.listen();
    bindKeys(this, this.life.signal);
    this.plots.show(firstPanels(run));
    this.open('Plots');
    this.describe();
    this.sizes.observe(this.root);
    this.layOut();
    requestAnimationFrame((now) => this.frame(now, now));
  }

  private header(): HTMLElement {
    const { head } = this.run;
    return make('header', { class: 'top' },
      make('div', { class: 'title' }, make('h1', {}, head.name || 'run'), this.factLine()),
      this.notice,
      make('div', { class: 'top-buttons' },
        compareButton((other, name) => this.compare(new Comparison(other, name)), (words) => this.complain(words)),
        make('button', { class: 'plain', title: 'Dark or light (D)', 'aria-label': 'dark or light', click: () => this.toggleTheme() }, '◐'),
        make('button', { class: 'plain', title: 'Keys and gestures (?)', 'aria-label': 'help', click: () => this.help.showModal() }, '?')));
  }

  private readonly facts = make('p', { class: 'subtitle' });
  private factLine(): HTMLElement {
    return this.facts;
  }

  /// Something went wrong outside of the page; what is shown remains.
  complain(trouble: string): void {
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    this.problem.textContent = trouble;
    this.problem.hidden = trouble.length < kLongTrouble;
    this.describe();
  }
  private trouble = '';
  private readonly problem = make('pre', { class: 'problem', role: 'alert', hidden: true });

  /// Words that change while a run goes on.
  private describe(): void {
    const { head } = this.run;
    const parts = [head.integrator];
    const accepted = head.summary?.accepted;
    if (typeof accepted === 'number') parts.push(countText(accepted, 'step'));
    if (head.impacts.time.length > 0) {
      const some = head.impacts.time.length < head.impact_count;
      parts.push(`${countText(head.impact_count, 'impact')}${some ? ' (some shown)' : ''}`);
    }
    parts.push(`Picus ${head.version}`);
    this.facts.textContent = parts.filter(Boolean).join(' · ');
    const notes: [string, string][] = [];
    if (this.trouble) notes.push(['warn', this.trouble.split('\n')[0]]);
    if (!head.complete) notes.push(['warn', `The run has not ended; it is shown up to ${prettyNumber(this.run.end)} s.`]);
    else if (head.summary?.ending === 'stopped')
      notes.push(['warn', `The run was stopped at ${prettyNumber(this.run.end)} s, before its end.`]);
    else if (head.summary?.ok === false) notes.push(['warn', String(head.summary.message || head.summary.ending)]);
    if (this.run.isThinned)
      notes.push(['info', `${head.kept.toLocaleString('en')} of ${head.samples.toLocaleString('en')} samples: thinned for display, with all extremes and the samples around impacts`]);
    const { isBeside } = this.scene;
    if (this.other) notes.push(['info', `dashed and ${isBeside ? 'on the right' : 'transparent'}: ${this.other.name}`]);
    const audit = auditLine(head, (t) => this.player.seek(t));
    const words = notes.map(([kind, text]) => make('span', { class: kind, title: text }, text));
    const place = make('button', { class: 'plain small', title: 'Both runs in one place, or side by side (S)', click: () => this.toggleBeside() }, isBeside ? 'overlay' : 'side by side');
    this.notice.replaceChildren(...(audit ? [audit] : []), ...words, ...(this.other ? [place] : []));
  }

  private tabBar(): HTMLElement {
    const bar = make('nav', { class: 'tabs', role: 'tablist' });
    for (const tab of kTabs) {
      const button = make('button', { role: 'tab', click: () => this.open(tab) }, tab);
      this.tabs.set(tab, button);
      bar.append(button);
    }
    return bar;
  }

  open(tab: Tab | number): void {
    this.tab = typeof tab === 'number' ? kTabs[tab] : tab;
    for (const [name, button] of this.tabs) button.setAttribute('aria-selected', String(name === this.tab));
    const content: Record<Tab, () => HTMLElement[]> = {
      Plots: () => [this.partBar.element, this.plots.element],
      Energy: () => [this.energy.element],
      Integrator: () => [this.solver.element],
      Summary: () => [summaryView(this.run, (t) => this.player.seek(t))],
      Model: () => [modelView(this.run)],
    };
    this.side.replaceChildren(...content[this.tab]());
    this.side.scrollTop = 0;
    if (this.tab === 'Energy' && !this.energy.element.hasChildNodes()) this.energy.show(energyPanels(this.run));
    if (this.tab === 'Integrator' && !this.solver.element.hasChildNodes()) this.solver.show(solverPanels(this.run));
    this.layOut();
    this.isTimeStale = true;
  }

  /// Plots of a part; null for those of the beginning.
  choose(picked: Picked | null): void {
    this.scene.choose(picked);
    this.plots.show(picked ? panelsOf(this.run, picked.group, picked.item) : firstPanels(this.run));
    this.partBar.show(picked);
    this.open('Plots');
  }

  /// Scales of the picture, and the colours of modes that have occurred.
  private showLegends(): void {
    this.modes.replaceChildren(modeLegend(this.run));
    const legends = [make('div', { class: 'scale-note' }, `grid ${prettyNumber(this.scene.gridSpacing)} m`)];
    const { lines } = this.scene;
    lines.measures.filter((m) => m.largest > 0).forEach((measure, row) => {
      const stops = [-1, -0.5, 0, 0.5, 1].map((x) => `rgb(${divergingColour(x, this.theme === 'dark').map((v) => Math.round(255 * v)).join(',')})`);
      const strip = make('span', { class: 'strip' });
      strip.style.background = `linear-gradient(90deg, ${stops.join(',')})`;
      const areas = new Set(lines.hoses.map((h) => h.data.area ?? 0));
      const area = [...areas][0];
      const single = measure.unit === 'N' && areas.size === 1 && area > 0;
      const largest = prettyNumber(single ? measure.largest / area : measure.largest);
      const unit = single ? 'Pa' : measure.unit;
      const legend = make('div', { class: 'stress-legend' }, `−${largest} ${unit}`, strip, `${largest} ${unit} ${single ? 'axial stress' : measure.meaning}`);
      legend.style.marginBottom = `${20 * row}px`; // one above the other
      legends.push(legend);
    });
    this.legends.replaceChildren(...legends);
  }

  zoom(range: [number, number] | null): void {
    this.range = range;
    this.root.dataset.range = range ? range.join(' ') : '';
    for (const column of [this.plots, this.energy, this.solver]) column.setRange(range);
    this.timeline.setRange(range);
    this.isTimeStale = true;
  }

  toggleTheme(): void {
    this.theme = this.theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = this.theme;
    this.scene.paint(themeOf(this.theme));
    for (const column of [this.plots, this.energy, this.solver]) column.repaint();
    this.timeline.draw();
    this.showLegends();
    this.isTimeStale = true;
  }
  toggleContacts(): void {
    this.contactsVisible = !this.contactsVisible;
    this.scene.showContacts(this.contactsVisible);
  }
  toggleJoints(): void {
    this.jointsVisible = !this.jointsVisible;
    this.scene.showJoints(this.jointsVisible);
  }

  /// To the next sample, or to the next impact.
  step(direction: 1 | -1, toImpact: boolean): void {
    const { player, run } = this;
    player.playing = false;
    const small = 1e-9 * (run.end - run.begin);
    const times = toImpact ? run.head.impacts.time : Array.from(run.time);
    const next = direction > 0 ? times.find((t) => t > player.time + small) : times.findLast((t) => t < player.time - small);
    if (next !== undefined) player.seek(next);
  }

  private listen(): void {
    const canvas = this.scene.canvas;
    let pressed: [number, number] = [0, 0];
    canvas.addEventListener('pointerdown', (e) => (pressed = [e.clientX, e.clientY]));
    canvas.addEventListener('pointermove', (e) => {
      if (e.buttons !== 0) this.tip.hidden = true;
      else this.hover(e);
    });
    canvas.addEventListener('pointerleave', () => (this.tip.hidden = true));
    canvas.addEventListener('click', (e) => {
      if (Math.hypot(e.clientX - pressed[0], e.clientY - pressed[1]) > 4) return;
      const picked = this.scene.pick(e.clientX, e.clientY);
      if (picked) this.choose(picked);
    });
    canvas.addEventListener('dblclick', () => this.scene.fit());
  }

  private hover(e: PointerEvent): void {
    const picked = this.scene.pick(e.clientX, e.clientY);
    this.tip.hidden = picked === null;
    this.scene.canvas.style.cursor = picked ? 'pointer' : '';
    if (!picked) return;
    const r = this.stage.getBoundingClientRect();
    this.tip.textContent = picked.label;
    this.tip.style.transform = `translate(${e.clientX - r.left + 14}px, ${e.clientY - r.top + 12}px)`;
  }

  /// Another run beside this one; null for none.
  compare(other: Comparison | null): void {
    this.other = other;
    this.complain('');
    this.scene.compare(other?.run ?? null);
    for (const column of [this.plots, this.energy, this.solver]) column.compare(other);
    this.describe();
    this.isTimeStale = true;
  }

  toggleBeside(): void {
    if (!this.other) return;
    this.scene.setBeside(!this.scene.isBeside);
    this.describe();
    this.isTimeStale = true;
  }

  view(): AppView {
    const { player } = this;
    return {
      tab: this.tab, theme: this.theme, range: this.range, time: player.time, playing: player.playing,
      wasAtEnd: player.time >= player.end, speed: player.chosenSpeed, scene: this.scene.state(), other: this.other,
      beside: this.scene.isBeside,
    };
  }

  restore(view: AppView): void {
    this.layOut();
    const { chosen, camera } = view.scene;
    const isThere = chosen && this.run.quantities.some((q) => q.group === chosen.group && (q.items.includes(chosen.item) || q.items.includes(`${chosen.item}.1`)));
    this.choose(isThere ? chosen : null);
    this.open(view.tab);
    if (view.other) this.compare(view.other);
    if (view.other && view.beside) this.toggleBeside();
    this.player.seek(view.wasAtEnd ? this.player.end : view.time);
    this.player.playing = view.playing;
    if (view.speed !== null) this.player.setSpeed(view.speed);
    this.showTime();
    this.scene.apply({ ...view.scene, chosen: isThere ? chosen : null });
    this.contactsVisible = view.scene.contacts;
    this.jointsVisible = view.scene.joints;
    if (camera) this.scene.lookFrom(camera);
    this.partBar.show(isThere ? chosen : null);
    const inside = view.range && view.range[0] < this.run.end;
    this.zoom(inside ? view.range : null);
  }

  /// Another page takes the place of this one.
  dispose(): void {
    this.life.abort();
    this.sizes.disconnect();
    this.scene.dispose();
  }

  /// Fits everything to the room there is.
  layOut(): void {
    this.scene.resize(this.stage.clientWidth, this.stage.clientHeight);
    this.timeline.resize();
    const width = this.side.clientWidth - 28;
    for (const column of [this.plots, this.energy, this.solver]) column.resize(width);
    this.isTimeStale = true;
  }

  /// The run has grown: show it, and follow its end when that was shown before.
  refresh(): void {
    this.player.grow(this.run.begin, this.run.end);
    this.scene.refresh();
    this.showLegends();
    for (const column of [this.plots, this.energy, this.solver]) column.refresh();
    if (this.range === null) this.zoom(null);
    this.timeline.refresh();
    this.describe();
    if (this.tab === 'Summary') this.open('Summary');
    this.isTimeStale = true;
  }

  /// Shows the present time everywhere, now.
  showTime(): void {
    const t = this.player.time;
    this.scene.update(t);
    this.timeline.setTime(t);
    this.transport.update();
    const column = { Plots: this.plots, Energy: this.energy, Integrator: this.solver, Summary: null, Model: null }[this.tab];
    column?.setTime(t);
    this.isTimeStale = false;
  }

  private frame(now: number, before: number): void {
    if (this.life.signal.aborted) return;
    this.player.advance(Math.min(0.1, (now - before) / 1000));
    if (this.isTimeStale) this.showTime();
    this.scene.render();
    requestAnimationFrame((next) => this.frame(next, now));
  }
}
