// SPDX-License-Identifier: BSD-3-Clause
// Flexible parts as thick as they are, coloured by their load, and springs as coils.
import {
  Color,
  Curve,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  SRGBColorSpace,
  TubeGeometry,
  Vector3,
} from 'three';

import { Girder } from './girder';
import { type Load, Loads, type Measure } from './loads';
import { isPad, Pads } from './pads';
import type { Picked } from './pick';
import type { Poses } from './poses';
import type { Run } from './run';
import type { LineData } from './sceneData';
import { Skin } from './skin';
import { divergingColour } from './theme';

const kSides = 20;

/// A tube through moving points.
class Hose {
  private readonly skin: Skin;
  private readonly points: Vector3[];
  private readonly place = new Vector3();

  constructor(
    readonly data: LineData,
    readonly radius: number,
    private readonly run: Run,
    private readonly load: Load | null,
  ) {
    const n = data.through.length;
    this.points = data.through.map(() => new Vector3());
    const count = n * kSides + 2 * (kSides + 1); // the skin and two lids
    this.skin = new Skin(data, count, this.triangles(n));
  }

  get mesh(): Mesh {
    return this.skin.mesh;
  }

  private triangles(n: number): number[] {
    const index: number[] = [];
    for (let i = 0; i + 1 < n; ++i)
      for (let k = 0; k < kSides; ++k) {
        const [a, b] = [i * kSides + k, i * kSides + ((k + 1) % kSides)];
        index.push(a, b, a + kSides, b, b + kSides, a + kSides);
      }
    for (const lid of [0, 1]) {
      const centre = n * kSides + lid * (kSides + 1);
      for (let k = 0; k < kSides; ++k) index.push(centre, centre + 1 + k, centre + 1 + ((k + 1) % kSides));
    }
    return index;
  }

  update(poses: Poses, t: number, dark: boolean): void {
    const { points, data } = this;
    const n = points.length;
    data.through.forEach((end, i) => poses.pointOf(end.body, new Vector3(...end.at), points[i]));
    const along = new Vector3();
    const turn = new Quaternion();
    const ring = new Vector3();
    const tint = new Color();
    const { index, fraction } = this.run.place(t);
    for (let i = 0; i < n; ++i) {
      along.subVectors(points[Math.min(i + 1, n - 1)], points[Math.max(i - 1, 0)]).normalize();
      turn.setFromUnitVectors(new Vector3(0, 0, 1), along);
      tint.setRGB(...divergingColour(this.load ? this.load.atNode(i, index, fraction) : 0, dark), SRGBColorSpace);
      for (let k = 0; k < kSides; ++k) {
        const angle = (2 * Math.PI * k) / kSides;
        ring.set(Math.cos(angle), Math.sin(angle), 0).applyQuaternion(turn);
        this.put(i * kSides + k, points[i], ring, this.radius, ring, tint);
        const lid = i === 0 ? 0 : i === n - 1 ? 1 : -1;
        if (lid < 0) continue;
        const centre = n * kSides + lid * (kSides + 1);
        const out = along.clone().multiplyScalar(lid === 0 ? -1 : 1);
        this.put(centre, points[i], ring, 0, out, tint);
        this.put(centre + 1 + k, points[i], ring, this.radius, out, tint);
      }
    }
    this.skin.show();
  }

  private put(vertex: number, at: Vector3, ring: Vector3, radius: number, normal: Vector3, colour: Color): void {
    this.skin.put(vertex, this.place.copy(ring).multiplyScalar(radius).add(at), normal, colour);
  }
}

class Helix extends Curve<Vector3> {
  constructor(
    private readonly turns: number,
    private readonly radius: number,
    private readonly length: number,
  ) {
    super();
  }
  override getPoint(t: number, target = new Vector3()): Vector3 {
    const angle = 2 * Math.PI * this.turns * t;
    const r = this.radius * Math.max(0, Math.min(1, 8 * t - 0.6, 7.4 - 8 * t)); // ends on the axis
    return target.set(r * Math.cos(angle), r * Math.sin(angle), this.length * t);
  }
}

/// A coil between two points, wound at its first length and stretched from there.
class Coil {
  readonly mesh = new Mesh();
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private wound = 0;

  constructor(
    readonly data: LineData,
    private readonly size: number,
  ) {
    this.mesh.material = new MeshStandardMaterial({ color: '#8a94a4', roughness: 0.4, metalness: 0.2 });
    this.mesh.frustumCulled = false;
    this.mesh.userData.pick = (): Picked => ({
      group: 'forces',
      item: data.name,
      label: `${data.name} (spring)`,
    });
  }

  update(poses: Poses): void {
    const [first, second] = this.data.through;
    poses.pointOf(first.body, new Vector3(...first.at), this.a);
    poses.pointOf(second.body, new Vector3(...second.at), this.b);
    const along = this.b.sub(this.a);
    const length = Math.max(1e-9, along.length());
    if (this.wound === 0) {
      this.wound = length;
      const turns = Math.max(4, Math.min(14, Math.round(length / (1.6 * this.size))));
      const helix = new Helix(turns, this.size, length);
      this.mesh.geometry = new TubeGeometry(helix, 24 * turns, 0.16 * this.size, 8);
    }
    this.mesh.position.copy(this.a);
    this.mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), along.multiplyScalar(1 / length));
    this.mesh.scale.set(1, 1, length / this.wound);
  }
}

export class Lines {
  readonly object = new Group();
  readonly hoses: Hose[] = [];
  readonly girders: Girder[] = [];
  private readonly coils: Coil[] = [];
  private readonly pads: Pads;

  constructor(lines: LineData[], run: Run, size: number, extent: number) {
    const loads = new Loads(run);
    for (const line of lines) {
      if (line.through.length < 2 || isPad(line.kind)) continue;
      if (line.kind === 'spring') {
        this.coils.push(new Coil(line, 2.2 * size));
        continue;
      }
      // as thick as it is, within what can be seen and does not hide the rest
      const wanted = line.area ? Math.sqrt(line.area / Math.PI) : 0.3 * size;
      const radius = Math.max(0.4 * size, Math.min(wanted, 0.05 * extent));
      if (line.turns) this.girders.push(new Girder(line, loads.of(line), run, 0.4 * size, 0.05 * extent));
      else this.hoses.push(new Hose(line, radius, run, loads.of(line)));
    }
    this.pads = new Pads(lines, size);
    this.object.add(this.pads.object);
    for (const part of [...this.hoses, ...this.girders, ...this.coils]) this.object.add(part.mesh);
    this.measures = [...loads.measures.values()];
  }

  /// What the colours mean, for the legend.
  readonly measures: Measure[];

  update(poses: Poses, t: number, dark: boolean): void {
    for (const hose of this.hoses) hose.update(poses, t, dark);
    for (const girder of this.girders) girder.update(poses, t, dark);
    for (const coil of this.coils) coil.update(poses);
    this.pads.update(poses);
  }
}
