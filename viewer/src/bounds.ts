// SPDX-License-Identifier: BSD-3-Clause
// The space that the mechanism needs over the whole run, and whether the eye has to follow it.
import { Box3, Quaternion, Vector3 } from 'three';

import type { Poses } from './poses';
import type { Run } from './run';
import type { SceneData } from './sceneData';
import type { Support } from './shapes';

const kTimes = 60;
const kMostCorners = 200000;
// A body that flies farther than so many sizes of the mechanism at its start does not shrink those
// that stay.
const kFarthest = 60;
// What travels so many times its size along an axis would be a dot: the eye goes with it.
const kFollow = 30;
// Room beside what the eye follows, in its sizes.
const kRoom = 6;

// More bodies than these are looked at as one.
const kFewBoxes = 400;

const kAxes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];

/// What to look at: a box, at the first sample for axes along which the eye follows.
export interface Motion {
  box: Box3;
  follows: [boolean, boolean, boolean];
  /// Bodies that the box holds.
  bodies: string[];
  /// Corners of what to look at, closer around it than those of the box.
  points: Vector3[];
}

function sizeOf(box: Box3): number {
  return box.isEmpty() ? 0 : box.getSize(new Vector3()).length();
}

function fixedBox(scene: SceneData, moving: Set<string>, supports: Map<string, Support>): Box3 {
  const fixed = new Box3();
  for (const part of [...scene.joints.flatMap((j) => j.ends), ...scene.lines.flatMap((l) => l.through)])
    if (part.body === undefined) fixed.expandByPoint(new Vector3(...part.at));
  for (const body of scene.bodies) {
    if (moving.has(body.name)) continue;
    const support = supports.get(body.name);
    if (support) grow(fixed, new Vector3(), new Quaternion(), support);
  }
  return fixed;
}

type Grow = (box: Box3, name: string) => void;

const kDirection = new Vector3();

/// The box holds a body at this place, turned back by `back`.
function grow(box: Box3, at: Vector3, back: Quaternion, support: Support): void {
  if (!Number.isFinite(at.x + at.y + at.z + back.x)) return;
  kAxes.forEach((axis, k) => {
    kDirection.copy(axis).applyQuaternion(back);
    box.max.setComponent(k, Math.max(box.max.getComponent(k), at.getComponent(k) + support(kDirection)));
    kDirection.negate();
    box.min.setComponent(k, Math.min(box.min.getComponent(k), at.getComponent(k) - support(kDirection)));
  });
}

/// The middle of bodies where they are now.
export function middleOf(bodies: string[], poses: Poses, to: Vector3): Vector3 {
  const box = new Box3();
  for (const name of bodies) {
    poses.point(name, to);
    if (Number.isFinite(to.x + to.y + to.z)) box.expandByPoint(to);
  }
  return box.isEmpty() ? to.set(0, 0, 0) : box.getCenter(to);
}

/// Of the shapes of bodies, their origins for want of any, and the ends of parts on the ground.
export function motionOf(run: Run, poses: Poses, scene: SceneData, supports: Map<string, Support>): Motion {
  const { names } = poses;
  const [place, turn] = [new Vector3(), new Quaternion()];
  const boxes = new Map(names.map((name) => [name, new Box3()]));
  const growBy: Grow = (box, name) => grow(box, poses.point(name, place), poses.turn(name, turn).invert(), supports.get(name) ?? (() => 0));
  const samples: number[] = [];
  const times = Math.max(kTimes, kMostCorners / (8 * Math.max(1, names.length)));
  const every = Math.max(1, Math.floor(run.time.length / times));
  for (let i = 0; i < run.time.length; i += every) samples.push(i);
  if (run.time.length > 0) samples.push(run.time.length - 1);

  const fixed = fixedBox(scene, new Set(names), supports);
  const start = fixed.clone();
  for (const i of samples) {
    poses.seekSample(i);
    for (const [name, box] of boxes) growBy(box, name);
    if (i === 0) for (const box of boxes.values()) start.union(box);
  }
  const far = kFarthest * sizeOf(start);
  const near = names.filter((name) => sizeOf(start.clone().union(boxes.get(name) as Box3)) <= far);
  const bodies = near.length > 0 ? near : names;
  const box = fixed.clone();
  for (const name of bodies) box.union(boxes.get(name) as Box3);
  if (box.isEmpty()) box.expandByPoint(new Vector3(-1, -1, -1)).expandByPoint(new Vector3(1, 1, 1));
  const follows = followed(box, bodies, samples, poses, growBy);
  if (follows.includes(true)) {
    const seen = followedBox(box, follows, bodies, poses, growBy);
    return { box: seen, follows, bodies, points: cornersOf(seen) };
  }
  const parts = [fixed, ...bodies.map((name) => boxes.get(name) as Box3)].filter((part) => !part.isEmpty());
  const few = parts.length > 0 && parts.length <= kFewBoxes ? parts : [box];
  return { box, follows, bodies, points: few.flatMap(cornersOf) };
}

function cornersOf({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}


function presentBox(bodies: string[], growBy: Grow): Box3 {
  const box = new Box3();
  for (const name of bodies) growBy(box, name);
  return box;
}

// Axes along which the bodies travel together, many times their size.
function followed(all: Box3, bodies: string[], samples: number[], poses: Poses, growBy: Grow): Motion['follows'] {
  let core = 0;
  for (const i of samples) {
    poses.seekSample(i);
    const size = presentBox(bodies, growBy).getSize(new Vector3());
    core = Math.max(core, size.x, size.y, size.z);
  }
  return all.getSize(new Vector3()).toArray().map((length) => core > 0 && length > kFollow * core) as Motion['follows'];
}

function followedBox(all: Box3, follows: Motion['follows'], bodies: string[], poses: Poses, growBy: Grow): Box3 {
  poses.seekSample(0);
  const present = presentBox(bodies, growBy);
  const half = 0.5 * kRoom * Math.max(...present.getSize(new Vector3()).toArray());
  const middle = middleOf(bodies, poses, new Vector3());
  const box = all.clone();
  follows.forEach((isFollowed, k) => {
    if (!isFollowed) return;
    box.min.setComponent(k, middle.getComponent(k) - half);
    box.max.setComponent(k, middle.getComponent(k) + half);
  });
  return box;
}

/// 1, 2 or 5 times a power of ten, near x.
export function niceNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}
