// SPDX-License-Identifier: BSD-3-Clause
// The time that everything on the page shows.

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 50, 100];

export class Player {
  time: number;
  playing = false;
  speed: number;
  private isSpeedChosen = false;
  private listeners: (() => void)[] = [];

  constructor(
    public begin: number,
    public end: number,
  ) {
    this.time = begin;
    this.speed = Player.suitable(end - begin);
  }

  /// A speed at which a run lasts some ten seconds; as it is in nature when that is near.
  static suitable(span: number): number {
    if (span >= 1.5 && span <= 25) return 1;
    const wanted = span > 0 ? span / 8 : 1;
    return speeds.reduce((best, s) =>
      Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best,
    );
  }

  /// Null while nobody chose one.
  get chosenSpeed(): number | null {
    return this.isSpeedChosen ? this.speed : null;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  seek(t: number): void {
    this.time = Math.max(this.begin, Math.min(this.end, t));
    this.tell();
  }
  toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end) this.time = this.begin;
    this.tell();
  }
  /// The run has grown; it is played as a run of this length unless somebody chose a speed.
  grow(begin: number, end: number): void {
    const wasAtEnd = this.time >= this.end && !this.playing;
    this.begin = begin;
    this.end = end;
    if (wasAtEnd) this.time = end;
    if (!this.isSpeedChosen && !this.playing) this.speed = Player.suitable(end - begin);
    this.tell();
  }
  setSpeed(speed: number): void {
    this.isSpeedChosen = true;
    this.speed = speed;
    this.tell();
  }
  changeSpeed(by: number): void {
    const at = speeds.findIndex((s) => s >= this.speed * (1 - 1e-9));
    this.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, at + by))]);
  }
  /// Real seconds went by.
  advance(seconds: number): void {
    if (!this.playing) return;
    this.time += seconds * this.speed;
    if (this.time >= this.end) {
      this.time = this.end;
      this.playing = false;
    }
    this.tell();
  }
}

export function speedText(speed: number): string {
  return speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`;
}
