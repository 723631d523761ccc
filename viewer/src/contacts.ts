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
import { modes } from './theme';

const kHidden = new Matrix4().makeScale(0, 0, 0);

export class Contacts {
  readonly object = new Group();
  private readonly point: Quantity | undefined;
  private readonly reaction: Quantity | undefined;
  private readonly mode: Quantity | undefined;
  private readonly usual: number = 1;
  /// Length of the arrow of the usual force, beside bodies and picture, and a size for its head.
  private readonly arrow: number;
  private readonly thin: number;
  private readonly dots!: InstancedMesh;
  private readonly shafts!: InstancedMesh;
  private readonly heads!: InstancedMesh;

  constructor(
    private readonly run: Run,
    private readonly size: number,
    extent: number,
    body: number,
  ) {
    this.arrow = Math.min(extent / 8, Math.max(extent / 40, 1.6 * body));
    this.thin = Math.min(size, 0.13 * this.arrow);
    [this.point, this.reaction, this.mode] = run.findAll('contacts', ['point', 'reaction', 'mode']);
    if (!this.point || !this.reaction || !this.mode || run.time.length === 0) return;
    const count = this.point.items.length;
    this.usual = this.usualForce(count);
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
    return this.mode ? this.run.modeAt(this.mode, contact, this.sample) : 0;
  }

  /// The mean force on the second body since the sample before.
  private readForce(contact: number, sample: number, to: Vector3): Vector3 {
    const { reaction, run } = this;
    if (!reaction) return to.set(0, 0, 0);
    return to.set(run.at(reaction, 3 * contact, sample), run.at(reaction, 3 * contact + 1, sample), run.at(reaction, 3 * contact + 2, sample));
  }

  /// A force that a closed contact seldom exceeds: impacts would make all others invisible.
  private usualForce(contacts: number): number {
    const sizes: number[] = [];
    const { length } = this.run.time;
    const every = Math.max(1, Math.floor((length * contacts) / 20000));
    const force = new Vector3();
    for (let n = 0; n < length * contacts; n += every) {
      const size = this.readForce(Math.floor(n / length), n % length, force).length();
      if (size > 0) sizes.push(size);
    }
    sizes.sort((a, b) => a - b);
    return sizes.length > 0 ? sizes[Math.floor(0.8 * (sizes.length - 1))] : 1;
  }

  update(t: number): void {
    const { point, run } = this;
    if (!point || !this.dots) return;
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
      colour.set(modes[mode].colour);
      const dot = (mode === 0 ? 0.6 : 1) * this.size;
      this.dots.setMatrixAt(c, m.makeScale(dot, dot, dot).setPosition(at));
      for (const mesh of [this.dots, this.shafts, this.heads]) mesh.setColorAt(c, colour);
      const force = this.readForce(c, this.sample, new Vector3());
      const strength = force.length() / this.usual;
      if (strength < 1e-6) {
        this.shafts.setMatrixAt(c, kHidden);
        this.heads.setMatrixAt(c, kHidden);
        continue;
      }
      // large ones grow slowly
      const length = this.arrow * (strength < 1 ? strength : Math.min(2, 1 + 0.3 * Math.log(strength)));
      const thickness = 0.32 * this.thin;
      turn.setFromUnitVectors(up, force.normalize());
      this.shafts.setMatrixAt(c, m.compose(at, turn, new Vector3(thickness, length, thickness)));
      const tip = at.addScaledVector(force, length + 2.4 * this.thin);
      const head = new Vector3(0.9 * this.thin, 2.4 * this.thin, 0.9 * this.thin);
      this.heads.setMatrixAt(c, m.compose(tip, turn, head));
    }
    for (const mesh of [this.dots, this.shafts, this.heads]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }
}
