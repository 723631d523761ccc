// SPDX-License-Identifier: BSD-3-Clause
// Buttons to play, pause and set the speed, and the time in figures.
import { make, timeText } from './dom';
import type { Player } from './player';
import { speeds, speedText } from './player';

function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}
const kPlay = 'M4 2.5v11l9-5.5z';
const kPause = 'M4 2.5h3v11H4zM9 2.5h3v11H9z';

export class Transport {
  readonly element: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly select: HTMLSelectElement;
  private readonly now = make('span');
  private readonly total = make('span', { class: 'total' });
  private readonly clock = make('output', { class: 'clock', 'aria-live': 'off' }, this.now, this.total);
  private isPlaying: boolean | null = null;

  constructor(
    private readonly player: Player,
    ...extra: HTMLElement[]
  ) {
    this.button = make('button', { class: 'play', click: () => player.toggle() });
    this.select = make('select', {
      class: 'speed', title: 'Speed', 'aria-label': 'speed',
      change: () => player.setSpeed(Number(this.select.value)),
    }, ...speeds.map((s) => make('option', { value: s }, speedText(s))));
    this.element = make('div', { class: 'transport' }, this.button, this.clock, this.select, ...extra);
    this.update();
  }

  update(): void {
    const { player } = this;
    if (this.isPlaying !== player.playing) {
      this.isPlaying = player.playing;
      this.button.replaceChildren(icon(player.playing ? kPause : kPlay));
      this.button.title = player.playing ? 'Pause (Space)' : 'Play (Space)';
      this.button.setAttribute('aria-label', player.playing ? 'pause' : 'play');
    }
    const span = player.end - player.begin;
    const [now, end] = [timeText(player.time, span), ` / ${timeText(player.end, span)} s`];
    if (this.now.textContent !== now) this.now.textContent = now;
    if (this.total.textContent !== end) this.total.textContent = end;
    if (this.select.value !== String(player.speed)) this.select.value = String(player.speed);
  }
}
