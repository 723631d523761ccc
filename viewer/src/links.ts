// SPDX-License-Identifier: BSD-3-Clause
// Bodies that hang on a joint outside of their shape: a thin rod shows what holds them.
import { Quaternion, Vector3 } from 'three';

import type { BodyData, SceneData } from './sceneData';

const kHolding = new Set(['revolute', 'spherical', 'universal', 'fixed', 'cylindrical']);

export function withLinks(scene: SceneData, reach: Map<string, number>, radius: number): BodyData[] {
  const turn = new Quaternion();
  return scene.bodies.map((body) => {
    const far = scene.joints
      .filter((joint) => kHolding.has(joint.type))
      .flatMap((joint) => joint.ends)
      .filter((end) => end.body === body.name && Math.hypot(...end.at) > 1.05 * (reach.get(body.name) ?? 0));
    const rods = far.map((end) => {
      const along = new Vector3(...end.at);
      const length = along.length();
      turn.setFromUnitVectors(new Vector3(0, 0, 1), along.clone().normalize());
      return {
        type: 'cylinder' as const,
        radius,
        length,
        at: along.multiplyScalar(0.5).toArray() as [number, number, number],
        rotation: [turn.w, turn.x, turn.y, turn.z] as [number, number, number, number],
      };
    });
    return { ...body, shapes: [...body.shapes, ...rods] };
  });
}
