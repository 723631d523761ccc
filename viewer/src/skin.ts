// SPDX-License-Identifier: BSD-3-Clause
// The surface of a line that moves: triangles whose vertices get places and colours for each time.
import {
  BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshStandardMaterial, type Color, type Vector3,
} from 'three';

import type { Picked } from './pick';
import type { LineData } from './sceneData';

export class Skin {
  readonly mesh: Mesh;
  private readonly position: BufferAttribute;
  private readonly normal: BufferAttribute;
  private readonly colour: BufferAttribute;

  /// `triangles` has three vertices, below `count`, for each.
  constructor(data: LineData, count: number, triangles: number[]) {
    this.position = new BufferAttribute(new Float32Array(3 * count), 3);
    this.normal = new BufferAttribute(new Float32Array(3 * count), 3);
    this.colour = new BufferAttribute(new Float32Array(3 * count).fill(0.7), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.position);
    geometry.setAttribute('normal', this.normal);
    geometry.setAttribute('color', this.colour);
    geometry.setIndex(triangles);
    const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.6, side: DoubleSide });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.userData.pick = (): Picked => ({
      group: 'elements',
      item: data.name,
      label: `${data.name} (${data.kind})`,
    });
  }

  put(vertex: number, at: Vector3, normal: Vector3, colour: Color): void {
    this.position.setXYZ(vertex, at.x, at.y, at.z);
    this.normal.setXYZ(vertex, normal.x, normal.y, normal.z);
    this.colour.setXYZ(vertex, colour.r, colour.g, colour.b);
  }

  /// Call it when all vertices are where they belong.
  show(): void {
    this.position.needsUpdate = this.normal.needsUpdate = this.colour.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
  }
}
