// SPDX-License-Identifier: BSD-3-Clause
// The space that the mechanism needs over the whole run.
import { Box3, Matrix4, Vector3 } from 'three';

import type { Poses } from './poses';
import type { Run } from './run';
import type { SceneData } from './sceneData';

const kTimes = 60;
// A body that flies farther than so many sizes of the mechanism at its start does not shrink the rest.
const kFarthest = 60;

const kOrigin = [new Vector3()];

/// Of the corners of bodies, their origins for want of any, and the ends of parts on the ground.
export function motionBounds(run: Run, poses: Poses, scene: SceneData, corners: Map<string, Vector3[]>): Box3 {
  const matrix = new Matrix4();
  const p = new Vector3();
  const grow = (box: Box3) => {
    for (const name of poses.names) {
      poses.matrix(name, matrix);
      for (const corner of corners.get(name) ?? kOrigin) {
        p.copy(corner).applyMatrix4(matrix);
        if (Number.isFinite(p.x + p.y + p.z)) box.expandByPoint(p);
      }
    }
  };
  const fixed = new Box3();
  for (const part of [...scene.joints.flatMap((j) => j.ends), ...scene.lines.flatMap((l) => l.through)])
    if (part.body === undefined) fixed.expandByPoint(new Vector3(...part.at));
  const moving = new Set(poses.names);
  for (const body of scene.bodies) {
    if (moving.has(body.name)) continue;
    for (const corner of corners.get(body.name) ?? []) fixed.expandByPoint(corner);
  }
  const start = fixed.clone();
  poses.seekSample(0);
  if (run.time.length > 0) grow(start);
  const all = start.clone();
  const every = Math.max(1, Math.floor(run.time.length / kTimes));
  for (let i = 0; i < run.time.length; i += every) {
    poses.seekSample(i);
    grow(all);
  }
  if (all.isEmpty()) all.expandByPoint(new Vector3(-1, -1, -1)).expandByPoint(new Vector3(1, 1, 1));
  const sizeOf = (box: Box3) => box.getSize(new Vector3()).length();
  return !start.isEmpty() && sizeOf(all) > kFarthest * sizeOf(start) ? start : all;
}

/// 1, 2 or 5 times a power of ten, near x.
export function niceNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}
