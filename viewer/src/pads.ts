// SPDX-License-Identifier: BSD-3-Clause
// Forces that act in a place rather than along a line: bushings as pads, torsion springs as rings.
import type { BufferGeometry } from 'three';
import { CylinderGeometry, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, TorusGeometry, Vector3 } from 'three';

import type { Picked } from './pick';
import type { Poses } from './poses';
import type { LineData } from './sceneData';

const kForms: Record<string, () => BufferGeometry> = {
  bushing: () => new CylinderGeometry(2.4, 2.4, 2.6, 28).rotateX(Math.PI / 2),
  'torsion spring': () => new TorusGeometry(1.7, 0.32, 10, 32),
};

export function isPad(kind: string): boolean {
  return kind in kForms;
}

export class Pads {
  readonly object = new Group();
  private readonly groups: { mesh: InstancedMesh; lines: LineData[] }[] = [];

  constructor(lines: LineData[], private readonly size: number) {
    for (const [kind, form] of Object.entries(kForms)) {
      const own = lines.filter((line) => line.kind === kind && line.through.length === 2);
      if (own.length === 0) continue;
      // they sit between bodies that hide them
      const material = new MeshStandardMaterial({ color: '#8a94a4', roughness: 0.7, depthTest: false });
      const mesh = new InstancedMesh(form(), material, own.length);
      mesh.frustumCulled = false;
      mesh.renderOrder = 2;
      mesh.userData.first = true;
      mesh.userData.pick = (i: number): Picked => ({ group: 'forces', item: own[i].name, label: `${own[i].name} (${kind})` });
      this.groups.push({ mesh, lines: own });
      this.object.add(mesh);
    }
  }

  update(poses: Poses): void {
    const [m, turn, own] = [new Matrix4(), new Quaternion(), new Quaternion()];
    const [a, b, axis, z] = [new Vector3(), new Vector3(), new Vector3(), new Vector3(0, 0, 1)];
    const scale = new Vector3(this.size, this.size, this.size);
    for (const { mesh, lines } of this.groups) {
      lines.forEach(({ through: [first, second] }, i) => {
        poses.pointOf(first.body, new Vector3(...first.at), a);
        poses.pointOf(second.body, new Vector3(...second.at), b);
        axis.set(...(first.axis ?? [0, 0, 1])).applyQuaternion(poses.turn(first.body, own)).normalize();
        mesh.setMatrixAt(i, m.compose(a.add(b).multiplyScalar(0.5), turn.setFromUnitVectors(z, axis), scale));
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }
}
