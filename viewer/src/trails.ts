// SPDX-License-Identifier: BSD-3-Clause
// Paths of points of bodies: faint over the whole run, strong up to the present time.
import { BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, Vector3 } from 'three';

import { Poses } from './poses';
import type { Run } from './run';
import type { Triple } from './sceneData';
import { seriesColours } from './theme';

/// A point of a body, in its frame.
export interface TrailData {
  body: string;
  at: Triple;
}

interface Drawn {
  whole: Line;
  past: Line;
}

export class Trails {
  readonly object = new Group();
  readonly list: TrailData[] = [];
  private readonly drawn: Drawn[] = [];

  constructor(private readonly run: Run) {}

  has(body: string): boolean {
    return this.list.some((trail) => trail.body === body);
  }

  add(trail: TrailData): void {
    const poses = new Poses(this.run);
    const [point, at] = [new Vector3(), new Vector3(...trail.at)];
    const places: number[] = [];
    for (let i = 0; i < this.run.time.length; ++i) {
      poses.seekSample(i);
      poses.pointOf(trail.body, at, point);
      places.push(point.x, point.y, point.z);
    }
    const colour = seriesColours[this.list.length % seriesColours.length];
    const make = (opacity: number) => {
      const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(places, 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity, depthTest: false }));
      line.frustumCulled = false;
      line.renderOrder = 3;
      this.object.add(line);
      return line;
    };
    this.list.push(trail);
    this.drawn.push({ whole: make(0.3), past: make(1) });
  }

  remove(body: string): void {
    for (let i = this.list.length - 1; i >= 0; --i) {
      if (this.list[i].body !== body) continue;
      const { whole, past } = this.drawn[i];
      for (const line of [whole, past]) {
        this.object.remove(line);
        line.geometry.dispose();
      }
      this.list.splice(i, 1);
      this.drawn.splice(i, 1);
    }
  }

  update(t: number): void {
    const { index, fraction } = this.run.place(t);
    for (const { past } of this.drawn) past.geometry.setDrawRange(0, index + (fraction > 0.5 ? 2 : 1));
  }
}
