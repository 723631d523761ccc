// SPDX-License-Identifier: BSD-3-Clause
// A light from above whose shadows show what stands on the floor.
import type { Box3 } from 'three';
import { DirectionalLight, Vector3 } from 'three';

export class Sun {
  readonly light = new DirectionalLight('#ffffff', 1.7);
  private readonly from: Vector3;
  private readonly centre = new Vector3();

  constructor(up: Vector3, flat: boolean, shadows: boolean) {
    this.from = up.clone().add(flat ? new Vector3(0.7, 0.4, 2) : new Vector3(0.35, -0.4, 0.4)).normalize();
    this.light.castShadow = shadows && !flat;
    this.light.shadow.mapSize.set(2048, 2048);
    this.light.shadow.radius = 4;
  }

  /// Shines on all of this.
  reach(bounds: Box3): void {
    const radius = bounds.getSize(new Vector3()).length();
    bounds.getCenter(this.centre);
    const { camera } = this.light.shadow;
    Object.assign(camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: 0.1 * radius, far: 6 * radius });
    camera.updateProjectionMatrix();
    this.light.shadow.normalBias = 0.002 * radius;
    this.light.position.copy(this.centre).addScaledVector(this.from, 3 * radius);
    this.light.userData.distance = 3 * radius;
    this.follow(new Vector3());
  }

  /// The eye has gone on.
  follow(shift: Vector3): void {
    this.light.target.position.copy(this.centre).add(shift);
    this.light.position.copy(this.light.target.position).addScaledVector(this.from, this.light.userData.distance as number);
    this.light.target.updateMatrixWorld();
  }
}
