// SPDX-License-Identifier: BSD-3-Clause
// Another run in the picture of this one: transparent in the same place, or solid beside it.
import { Group, Mesh } from 'three';
import type { Material, Vector3 } from 'three';

import { Joints } from './joints';
import { Lines } from './lines';
import { Poses } from './poses';
import type { Run } from './run';
import { sceneOf } from './sceneData';
import { Shapes } from './shapes';
import type { Theme } from './theme';

const kTransparent = 0.3;

export class OtherRun {
  readonly object = new Group();
  readonly shapes: Shapes;
  private readonly joints: Joints;
  private readonly lines: Lines;
  private readonly poses: Poses;

  /// Sizes of signs are those of this run's picture.
  constructor(run: Run, extent: number, sign: number) {
    const data = sceneOf(run.head.scene);
    this.poses = new Poses(run);
    this.shapes = new Shapes(data.bodies, this.poses.names, 0.02 * extent);
    this.joints = new Joints(data.joints, run, this.poses, sign, data.dimension === 2);
    this.lines = new Lines(data.lines, run, sign, extent);
    this.object.add(this.shapes.object, this.joints.object, this.lines.object);
  }

  /// Solid beside this run, joints included; transparent and without them in the same place, where
  /// both sets of signs would hide each other.
  place(at: Vector3, isBeside: boolean): void {
    this.object.position.copy(at);
    this.shapes.setLooks(isBeside ? 'solid' : 'glass');
    this.joints.object.visible = isBeside;
    this.lines.object.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      const material = part.material as Material;
      material.transparent = !isBeside;
      material.opacity = isBeside ? 1 : kTransparent;
      material.needsUpdate = true;
    });
  }

  paint(theme: Theme): void {
    this.joints.paint(theme);
  }

  update(t: number, dark: boolean): void {
    this.poses.seek(t);
    this.shapes.update(this.poses);
    this.joints.update(this.poses);
    this.lines.update(this.poses, t, dark);
  }
}
