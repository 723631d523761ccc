// SPDX-License-Identifier: BSD-3-Clause
// Joints as small signs: a ring for what turns, a rail for what slides, a dot for the rest.
import {
  BoxGeometry,
  BufferGeometry,
  Color,
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
import type { Poses } from './poses';
import type { Run } from './run';
import type { JointData } from './sceneData';
import type { Theme } from './theme';

const kTurning = new Set(['revolute', 'cylindrical', 'screw', 'universal']);
const kSliding = new Set(['prismatic', 'cylindrical', 'inline', 'screw']);
const kRods = new Set(['distance']);
// Equations between coordinates of other joints, and rolling, have no place of their own.
const kPlaceless = new Set(['gear', 'rack_and_pinion', 'coupler', 'rolling_disc', 'knife_edge']);

type Sign = 'pin' | 'hole' | 'ball' | 'rail' | 'rod';

function geometryOf(sign: Sign, many: boolean): BufferGeometry {
  switch (sign) {
    case 'pin':
    case 'hole':
      return new CylinderGeometry(1, 1, 1, many ? 10 : 32).rotateX(Math.PI / 2);
    case 'ball':
      return many ? new SphereGeometry(1, 8, 6) : new SphereGeometry(1, 20, 14);
    case 'rail':
      return new BoxGeometry();
    case 'rod':
      return new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2);
  }
}

interface Placed {
  joint: JointData;
  sign: Sign;
}

/// How far the second body of a sliding joint travels along the axis, from the point of the first:
/// itself, not the point of it that the joint is about, which may be anywhere on the axis.
function travel(joint: JointData, run: Run, poses: Poses): [number, number] {
  const [first, second] = joint.ends;
  const [a, b, axis, turn] = [new Vector3(), new Vector3(), new Vector3(), new Quaternion()];
  let [low, high] = [Infinity, -Infinity];
  const every = Math.max(1, Math.floor(run.time.length / 100));
  for (let i = 0; i < run.time.length; i += every) {
    poses.seekSample(i);
    poses.pointOf(first.body, new Vector3(...first.at), a);
    if (second.body === undefined) b.set(...second.at);
    else poses.point(second.body, b);
    axis.set(...(first.axis ?? [0, 0, 1])).applyQuaternion(poses.turn(first.body, turn));
    const s = b.sub(a).dot(axis.normalize());
    [low, high] = [Math.min(low, s), Math.max(high, s)];
  }
  return low <= high ? [low, high] : [0, 0];
}

export class Joints {
  readonly object = new Group();
  private readonly groups = new Map<Sign, { mesh: InstancedMesh; placed: Placed[] }>();
  private readonly m = new Matrix4();
  private readonly p = new Vector3();
  private readonly p2 = new Vector3();
  private readonly axis = new Vector3();
  private readonly turn = new Quaternion();
  private readonly z = new Vector3(0, 0, 1);
  private readonly travels = new Map<JointData, [number, number]>();

  constructor(
    joints: JointData[],
    run: Run,
    poses: Poses,
    private readonly size: number,
    private readonly flat: boolean,
  ) {
    const placed = new Map<Sign, Placed[]>();
    const put = (sign: Sign, joint: JointData) => {
      const list = placed.get(sign) ?? [];
      placed.set(sign, list);
      list.push({ joint, sign });
    };
    for (const joint of joints) {
      if (joint.ends.length < 2 || kPlaceless.has(joint.type)) continue;
      if (kRods.has(joint.type)) put('rod', joint);
      if (kSliding.has(joint.type)) {
        put('rail', joint);
        this.travels.set(joint, travel(joint, run, poses));
      }
      if (kTurning.has(joint.type)) {
        put('pin', joint);
        put('hole', joint);
      } else if (!kSliding.has(joint.type) || joint.type === 'inline') {
        put('ball', joint);
      }
    }
    for (const [sign, list] of placed) this.addGroup(sign, list);
  }

  private addGroup(sign: Sign, placed: Placed[]): void {
    // in the plane signs lie before the bodies
    const material = new MeshBasicMaterial({ depthTest: !this.flat });
    const mesh = new InstancedMesh(geometryOf(sign, placed.length > 200), material, placed.length);
    mesh.frustumCulled = false;
    mesh.renderOrder = { rail: -1, rod: 1, pin: 2, ball: 2, hole: 3 }[sign];
    if (sign === 'rail' && this.flat) material.depthTest = true;
    mesh.userData.first = sign !== 'rail';
    mesh.userData.pick = (i: number): Picked => {
      const { joint } = placed[i];
      return { group: 'joints', item: joint.name, label: `${joint.name} (${joint.type})` };
    };
    this.groups.set(sign, { mesh, placed });
    this.object.add(mesh);
  }

  paint(theme: Theme): void {
    for (const [sign, { mesh }] of this.groups) {
      const colour = { pin: theme.joint, hole: theme.jointInside, ball: theme.joint, rail: theme.ground, rod: theme.faint }[sign];
      (mesh.material as MeshBasicMaterial).color = new Color(colour);
    }
  }

  update(poses: Poses): void {
    for (const { mesh, placed } of this.groups.values()) {
      placed.forEach(({ joint, sign }, i) => mesh.setMatrixAt(i, this.matrix(joint, sign, poses)));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  private matrix(joint: JointData, sign: Sign, poses: Poses): Matrix4 {
    const s = this.size;
    const [first, second] = joint.ends;
    if (sign === 'rod') {
      poses.pointOf(first.body, new Vector3(...first.at), this.p);
      poses.pointOf(second.body, new Vector3(...second.at), this.p2);
      this.axis.subVectors(this.p2, this.p);
      const length = this.axis.length();
      this.turn.setFromUnitVectors(this.z, this.axis.normalize());
      this.p.add(this.p2).multiplyScalar(0.5);
      return this.m.compose(this.p, this.turn, new Vector3(0.4 * s, 0.4 * s, length));
    }
    const end = sign === 'rail' ? first : second;
    poses.pointOf(end.body, new Vector3(...end.at), this.p);
    this.axis.set(...(end.axis ?? [0, 0, 1])).applyQuaternion(poses.turn(end.body, this.turn));
    this.turn.setFromUnitVectors(this.z, this.axis.normalize());
    const [low, high] = this.travels.get(joint) ?? [0, 0];
    if (sign === 'rail') this.p.addScaledVector(this.axis, 0.5 * (low + high));
    const scale = {
      pin: new Vector3(s, s, 2.4 * s),
      hole: new Vector3(0.5 * s, 0.5 * s, 2.45 * s),
      ball: new Vector3(s, s, s),
      rail: new Vector3(0.5 * s, 0.5 * s, high - low + 24 * s),
    }[sign];
    return this.m.compose(this.p, this.turn, scale);
  }
}
