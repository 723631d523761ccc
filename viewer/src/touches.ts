// SPDX-License-Identifier: BSD-3-Clause
// The strongest contacts of collisions: needles along their forces, which push both ways.
import { BoxGeometry, Color, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from 'three';

import { prettyNumber } from './dom';
import type { Picked } from './pick';
import type { Quantity, Run } from './run';
import type { Theme } from './theme';
import { modes } from './theme';

/// Beside the picture, at the largest force of the run but for impacts; less beside small bodies.
const kLength = 0.06;

export class Touches {
  readonly object = new Group();
  private readonly point: Quantity | undefined;
  private readonly force: Quantity | undefined;
  private readonly mode: Quantity | undefined;
  private readonly shown: number[] = [];
  private sample = 0;
  private ink = '#000000';
  private readonly needles!: InstancedMesh;
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.85 });
  private readonly usual: number = 1;
  private readonly long: number;
  private readonly most = new Vector3();

  constructor(
    private readonly run: Run,
    extent: number,
    body: number,
    flat: boolean,
  ) {
    this.long = Math.min(kLength * extent, Math.max(0.015 * extent, 1.2 * body));
    [this.point, this.force] = run.findAll('touches', ['point', 'force']);
    const [mode] = run.findAll('touches', ['mode', 'point']);
    this.mode = mode;
    if (!this.point || !this.force || run.time.length === 0) return;
    this.usual = this.usualForce(this.force);
    const geometry = flat ? new BoxGeometry(1, 1, 1) : new CylinderGeometry(0.5, 0.5, 1, 8);
    this.needles = new InstancedMesh(geometry, this.material, this.point.items.length);
    this.needles.frustumCulled = false;
    this.needles.renderOrder = 4;
    this.needles.userData.first = true;
    this.needles.userData.pick = (i: number) => this.picked(this.shown[i]);
    this.object.add(this.needles);
  }

  // what nine of ten samples do not exceed with their strongest contact
  private usualForce(force: Quantity): number {
    const strongest: number[] = [];
    for (let i = 0; i < this.run.time.length; ++i) strongest.push(this.read(force, 0, i, this.most).length());
    strongest.sort((a, b) => a - b);
    return strongest[Math.floor(0.9 * (strongest.length - 1))] || 1;
  }

  private read(quantity: Quantity, item: number, sample: number, to: Vector3): Vector3 {
    const { run } = this;
    return to.set(run.at(quantity, 3 * item, sample), run.at(quantity, 3 * item + 1, sample), run.at(quantity, 3 * item + 2, sample));
  }

  paint(theme: Theme): void {
    this.ink = theme.ink;
  }

  private modeOf(touch: number): number {
    return this.mode ? Math.round(this.run.at(this.mode, touch, this.sample)) : 0;
  }

  private picked(touch: number): Picked | null {
    const { force, point } = this;
    if (touch === undefined || !force || !point) return null;
    const item = point.items[touch].replace(/\.[0-9]+$/, '');
    const size = this.read(force, touch, this.sample, this.most).length();
    const mode = this.modeOf(touch);
    return { group: 'collisions', item, label: `${item} (contact${mode > 0 ? `, ${modes[mode].name}` : ''}, ${prettyNumber(size)} N)` };
  }

  update(t: number): void {
    const { point, force, needles, run } = this;
    if (!point || !force || !needles) return;
    const { index, fraction } = run.place(t);
    const sample = (this.sample = fraction > 0.5 ? index + 1 : index); // they have no names that last
    const colour = new Color();
    const [matrix, turn, up] = [new Matrix4(), new Quaternion(), new Vector3(0, 1, 0)];
    const [at, along, size] = [new Vector3(), new Vector3(), new Vector3()];
    let shown = 0;
    for (let n = 0; n < point.items.length; ++n) {
      const strength = Math.min(1.5, this.read(force, n, sample, along).length() / this.usual);
      if (!(strength > 0.01)) continue;
      this.read(point, n, sample, at);
      turn.setFromUnitVectors(up, along.normalize());
      const thickness = this.long * (0.025 + 0.07 * strength);
      size.set(thickness, this.long * Math.sqrt(strength), thickness);
      const mode = this.modeOf(n);
      needles.setColorAt(shown, colour.set(mode > 0 ? modes[mode].colour : this.ink));
      this.shown[shown] = n;
      needles.setMatrixAt(shown++, matrix.compose(at, turn, size));
    }
    needles.count = shown;
    needles.instanceMatrix.needsUpdate = true;
    if (needles.instanceColor) needles.instanceColor.needsUpdate = true;
    needles.boundingSphere = null;
  }
}
