// SPDX-License-Identifier: BSD-3-Clause
// Everything that is drawn of a run as long as it is now; made anew when the run has grown.
import { Box3, Group, Mesh, Vector3 } from 'three';
import type { Material } from 'three';

import { Backdrop } from './backdrop';
import type { Motion } from './bounds';
import { middleOf, motionOf } from './bounds';
import { Contacts } from './contacts';
import { Curves } from './curves';
import { Feet } from './feet';
import { Joints } from './joints';
import { Lines } from './lines';
import { withLinks } from './links';
import { Poses } from './poses';
import type { Run } from './run';
import type { SceneData } from './sceneData';
import type { Support } from './shapes';
import { Shapes } from './shapes';
import { Sheets } from './sheets';
import type { Theme } from './theme';
import { Touches } from './touches';
import { Trails } from './trails';

/// Radius of the signs of joints and contacts beside the picture; small ones for small bodies, but
/// none that cannot be seen unless there are very many.
const kSign = 0.0105;
const kSmallSign = 0.006;
const kMany = 100;

function signSize(scene: SceneData, reach: Map<string, number>, extent: number): number {
  const held = scene.joints.flatMap((joint) => joint.ends.map((end) => reach.get(end.body ?? '') ?? 0));
  const sizes = held.filter((r) => r > 0).sort((a, b) => a - b);
  const beside = (0.3 * (sizes[sizes.length >> 1] ?? Infinity)) / extent;
  return Math.max(Math.min(kSign, beside), scene.joints.length > kMany ? 0 : kSmallSign);
}

/// How far a body usually reaches from its origin.
function usualReach(bodies: string[], reach: Map<string, number>, extent: number): number {
  const sizes = bodies.map((name) => reach.get(name) ?? 0).filter((r) => r > 0).sort((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? extent;
}

/// Of bodies that have a shape of their own.
function statedSupports(scene: SceneData, supports: Map<string, Support>): Map<string, Support> {
  const stated = new Set(scene.bodies.filter((body) => body.shapes.length > 0 && !body.default).map((body) => body.name));
  return new Map([...supports].filter(([name]) => stated.has(name)));
}

export class Parts {
  readonly object = new Group();
  readonly bounds: Box3;
  readonly lines: Lines;
  readonly shapes: Shapes;
  readonly joints: Joints;
  readonly contacts: Contacts;
  readonly touches: Touches;
  readonly curves: Curves;
  readonly backdrop: Backdrop;
  readonly sheets: Sheets;
  readonly trails: Trails;
  readonly extent: number;
  /// Radius of the signs of joints and contacts.
  readonly sign: number;
  readonly poses: Poses;
  private readonly flat: boolean;
  readonly motion: Motion;
  private readonly begin = new Vector3();

  constructor(run: Run, data: SceneData) {
    this.flat = data.dimension === 2;
    this.poses = new Poses(run);
    // a first look without shapes of bodies that have none, to find a size for them
    const rough = motionOf(run, this.poses, data, new Map());
    const roughSize = rough.box.getSize(new Vector3()).length() || 1;
    const { reach, supports } = new Shapes(data.bodies, this.poses.names, 0.02 * roughSize);
    const linked = withLinks(data, reach, 0.003 * roughSize);
    this.shapes = new Shapes(linked, this.poses.names, 0.02 * roughSize);
    for (const line of data.lines)
      for (const end of line.through)
        if (end.body !== undefined && !supports.has(end.body)) {
          const r = Math.min(Math.sqrt((line.area ?? 0) / Math.PI), 0.05 * roughSize);
          supports.set(end.body, () => r);
        }
    this.motion = motionOf(run, this.poses, data, supports);
    this.bounds = this.motion.box;
    this.poses.seekSample(0);
    middleOf(this.motion.bodies, this.poses, this.begin);
    const size = this.bounds.getSize(new Vector3());
    const extent = (this.extent = Math.max(1e-9, size.x, size.y, this.flat ? 0 : size.z));
    const sign = (this.sign = extent * signSize(data, reach, extent));
    this.joints = new Joints(data.joints, run, this.poses, sign, this.flat);
    this.lines = new Lines(data.lines, run, sign, extent);
    const body = usualReach(this.poses.names, reach, extent);
    this.contacts = new Contacts(run, sign, extent, body);
    this.touches = new Touches(run, extent, body, this.flat);
    this.curves = new Curves(data.curves, this.bounds, extent);
    this.backdrop = new Backdrop(data, this.bounds, extent);
    this.sheets = new Sheets(data.planes, {
      run, poses: this.poses, feet: new Feet(run), bounds: this.bounds, extent, flat: this.flat,
      endless: this.motion.follows.includes(true), supports: statedSupports(data, supports),
    });
    this.trails = new Trails(run);
    this.object.add(
      this.shapes.object, this.joints.object, this.lines.object, this.contacts.object, this.touches.object,
      this.curves.object, this.backdrop.object, this.sheets.object, this.trails.object,
    );
  }

  paint(theme: Theme): void {
    this.joints.paint(theme);
    this.backdrop.paint(theme);
    this.sheets.paint(theme);
    this.curves.paint(theme);
    this.touches.paint(theme);
  }

  /// Puts everything where it is at a time; `shift` is how far the eye has to go from the bounds.
  update(t: number, dark: boolean, shift: Vector3): void {
    this.poses.seek(t);
    const middle = middleOf(this.motion.bodies, this.poses, new Vector3());
    this.motion.follows.forEach((isFollowed, k) =>
      shift.setComponent(k, isFollowed ? middle.getComponent(k) - this.begin.getComponent(k) : 0),
    );
    this.shapes.update(this.poses);
    this.joints.update(this.poses);
    this.lines.update(this.poses, t, dark);
    this.backdrop.update(shift);
    this.sheets.update(this.poses, t, shift);
    this.trails.update(t);
    this.curves.update(this.poses);
    this.contacts.update(t);
    this.touches.update(t);
  }

  /// Gives the graphics memory back.
  dispose(): void {
    this.object.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.geometry.dispose();
      (part.material as Material).dispose();
    });
  }
}
