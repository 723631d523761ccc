// SPDX-License-Identifier: BSD-3-Clause
// Contact points, coloured by what they do, with arrows for their forces.
import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';

import type { Picked } from './pick';
import type { Quantity, Run } from './run';
import { modes, touchMode } from './theme';

const kHidden = new Matrix4().makeScale(0, 0, 0);

/// A force that a closed contact seldom exceeds: impacts would make all others invisible.
function usualForce(run: Run, reaction: Quantity, impulse: Quantity | undefined): number {
  const sizes: number[] = [];
  const count = run.time.length * reaction.items.length;
  const every = Math.max(1, Math.floor(count / 20000));
  for (let n = 0; n < count; n += every) {
    const [c, i] = [Math.floor(n / run.time.length), n % run.time.length];
    let force = Math.hypot(...[0, 1, 2].map((k) => run.at(reaction, 3 * c + k, i)));
    if (force === 0 && impulse && i > 0)
      force = (run.at(impulse, c, i) - run.at(impulse, c, i - 1)) / (run.time[i] - run.time[i - 1]);
    if (force > 0) sizes.push(force);
  }
  sizes.sort((a, b) => a - b);
  return sizes.length > 0 ? sizes[Math.floor(0.8 * (sizes.length - 1))] : 1;
}

export class Contacts {
  readonly object = new Group();
  private readonly point: Quantity | undefined;
  private readonly reaction: Quantity | undefined;
  private readonly mode: Quantity | undefined;
  private readonly normal: Quantity | undefined;
  private readonly impulse: Quantity | undefined;
  private readonly usual: number = 1;
  private readonly dots!: InstancedMesh;
  private readonly shafts!: InstancedMesh;
  private readonly heads!: InstancedMesh;

  constructor(
    private readonly run: Run,
    private readonly size: number,
    private readonly extent: number,
  ) {
    this.point = run.find('contacts', 'point');
    this.reaction = run.find('contacts', 'reaction');
    this.mode = run.find('contacts', 'mode');
    this.normal = run.find('contacts', 'normal');
    this.impulse = run.find('contacts', 'impulse');
    if (!this.point || !this.reaction || !this.mode || run.time.length === 0) return;
    this.usual = usualForce(run, this.reaction, this.impulse);
    const count = this.point.items.length;
    const names = this.point.items;
    const make = (geometry: SphereGeometry | CylinderGeometry) => {
      const mesh = new InstancedMesh(geometry, new MeshBasicMaterial({ depthTest: false }), count);
      mesh.frustumCulled = false;
      mesh.renderOrder = 4;
      mesh.userData.first = true;
      mesh.userData.pick = (i: number): Picked => ({
        group: 'contacts',
        item: names[i],
        label: `${names[i]} (contact, ${modes[this.modeAt(i)].name})`,
      });
      this.object.add(mesh);
      return mesh;
    };
    this.dots = make(new SphereGeometry(1, 16, 12));
    this.shafts = make(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0));
    this.heads = make(new ConeGeometry(1, 1, 16).translate(0, -0.5, 0));
  }

  private sample = 0;
  private modeAt(contact: number): number {
    return this.mode ? Math.round(this.run.at(this.mode, contact, this.sample)) : 0;
  }

  /// Mean normal force since the sample before.
  private touched(contact: number): number {
    const { impulse, run, sample } = this;
    if (!impulse || sample === 0) return 0;
    const before = run.at(impulse, contact, sample - 1);
    const pushed = run.at(impulse, contact, sample) - before;
    const all = run.at(impulse, contact, run.time.length - 1);
    return pushed > 1e-9 * all ? pushed / (run.time[sample] - run.time[sample - 1]) : 0;
  }

  /// Of a contact that is open by now.
  private passingForce(contact: number): Vector3 {
    const { normal, run, sample } = this;
    const force = this.touched(contact);
    if (!normal || force === 0) return new Vector3();
    const n = [0, 1, 2].map((k) => run.at(normal, 3 * contact + k, sample));
    return new Vector3(n[0], n[1], n[2]).multiplyScalar(force);
  }

  update(t: number): void {
    const { point, reaction, run } = this;
    if (!point || !reaction || !this.dots) return;
    const { index, fraction } = run.place(t);
    this.sample = fraction > 0.5 ? index + 1 : index; // modes do not mix
    const colour = new Color();
    const m = new Matrix4();
    const turn = new Quaternion();
    const up = new Vector3(0, 1, 0);
    for (let c = 0; c < point.items.length; ++c) {
      const read = (q: Quantity, s: number) =>
        new Vector3(run.at(q, 3 * c, s), run.at(q, 3 * c + 1, s), run.at(q, 3 * c + 2, s));
      const at = read(point, index);
      if (fraction > 0) at.lerp(read(point, index + 1), fraction);
      const mode = this.modeAt(c);
      colour.set(mode === 0 && this.touched(c) > 0 ? touchMode.colour : modes[mode].colour);
      const dot = (mode === 0 ? 0.6 : 1) * this.size;
      this.dots.setMatrixAt(c, m.makeScale(dot, dot, dot).setPosition(at));
      for (const mesh of [this.dots, this.shafts, this.heads]) mesh.setColorAt(c, colour);
      const force = mode === 0 ? this.passingForce(c) : read(reaction, this.sample);
      const strength = force.length() / this.usual;
      if (strength < 1e-6) {
        this.shafts.setMatrixAt(c, kHidden);
        this.heads.setMatrixAt(c, kHidden);
        continue;
      }
      // the usual force is an eighth of the picture; large ones grow slowly
      const length = (this.extent / 8) * (strength < 1 ? strength : Math.min(2, 1 + 0.3 * Math.log(strength)));
      const thickness = 0.32 * this.size;
      turn.setFromUnitVectors(up, force.normalize());
      this.shafts.setMatrixAt(c, m.compose(at, turn, new Vector3(thickness, length, thickness)));
      const tip = at.addScaledVector(force, length + 2.4 * this.size);
      const head = new Vector3(0.95 * this.size, 2.4 * this.size, 0.95 * this.size);
      this.heads.setMatrixAt(c, m.compose(tip, turn, head));
    }
    for (const mesh of [this.dots, this.shafts, this.heads]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }
}
