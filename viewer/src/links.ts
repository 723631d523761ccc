// SPDX-License-Identifier: BSD-3-Clause
// Bodies that hang on a joint outside of their shape: a thin rod shows what holds them.
import { Quaternion, Vector3 } from 'three';

import type { BodyData, EndData, SceneData } from './sceneData';

const kHolding = new Set(['revolute', 'spherical', 'universal', 'fixed', 'cylindrical']);

export function withLinks(scene: SceneData, reach: Map<string, number>, radius: number): BodyData[] {
  const turn = new Quaternion();
  const holds = new Map<string, EndData[]>();
  for (const joint of scene.joints)
    if (kHolding.has(joint.type))
      for (const end of joint.ends)
        if (end.body !== undefined) holds.set(end.body, [...(holds.get(end.body) ?? []), end]);
  return scene.bodies.map((body) => {
    const far = (holds.get(body.name) ?? []).filter(
      (end) => Math.hypot(...end.at) > 1.05 * (reach.get(body.name) ?? 0),
    );
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
