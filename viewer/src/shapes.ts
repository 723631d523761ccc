// SPDX-License-Identifier: BSD-3-Clause
// Bodies as instances: one mesh per form, so that a thousand of them cost a few calls.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  Group,
  InstancedMesh,
  LatheGeometry,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';

import type { Picked } from './pick';
import type { Poses } from './poses';
import type { BodyData, ShapeData } from './sceneData';
import { bodyColours, familyOf } from './theme';

const kAround = 48;

interface Form {
  key: string;
  /// Coarser when there are many.
  make: (many: boolean) => BufferGeometry;
  scale: Vector3;
  /// Radius of a ball around the origin of the shape that holds it.
  reach: number;
  /// How far it goes in a direction of length one, from its middle.
  support: (direction: Vector3) => number;
}

/// Two shades in turn around z, so that one sees round bodies turn.
function striped(geometry: BufferGeometry): BufferGeometry {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const p = flat.getAttribute('position');
  const shade = new Float32Array(3 * p.count);
  for (let i = 0; i < p.count; i += 3) {
    const x = p.getX(i) + p.getX(i + 1) + p.getX(i + 2);
    const y = p.getY(i) + p.getY(i + 1) + p.getY(i + 2);
    shade.fill(x * y > 0 ? 1 : 0.8, 3 * i, 3 * i + 9);
  }
  flat.setAttribute('color', new BufferAttribute(shade, 3));
  return flat;
}

/// The same shade everywhere.
function plain(geometry: BufferGeometry): BufferGeometry {
  const count = geometry.getAttribute('position').count;
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * count).fill(1), 3));
  return geometry;
}

// three.js has round bodies along y, model files along z
function alongZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function tube(radius: number, bore: number, length: number): BufferGeometry {
  const h = length / 2;
  const profile = [
    [bore, -h], [radius, -h], [radius, h], [bore, h], [bore, -h],
  ].map(([r, z]) => new Vector2(r, z));
  const flat = new LatheGeometry(profile, kAround).toNonIndexed();
  flat.computeVertexNormals(); // edges, not a torus
  return alongZ(flat);
}

function meshGeometry(shape: ShapeData): BufferGeometry {
  const geometry = new BufferGeometry();
  const points = (shape.points ?? []).flat();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  geometry.setIndex((shape.triangles ?? []).flat());
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return plain(flat);
}

/// Rods as thin as lines would not be seen.
function visible(size: Vector3, least: number): Vector3 {
  const thin = size.toArray().filter((s) => s < least).length;
  return thin < 2 ? size : size.clone().max(new Vector3(least, least, least));
}

/// Signs of bodies can be seen, however far these travel.
function seen(shape: ShapeData, fallback: number): ShapeData {
  if (!shape.sign) return shape;
  const least = (shape.type === 'sphere' ? 0.6 : 0.25) * fallback;
  return { ...shape, radius: Math.max(shape.radius ?? 0, least) };
}

function formOf(shape: ShapeData, least: number, unique: () => number): Form {
  const r = shape.radius ?? 0.01;
  const l = shape.length ?? 0.01;
  switch (shape.type) {
    case 'box': {
      const size = visible(new Vector3(...(shape.size ?? [0.01, 0.01, 0.01])), least);
      return { key: 'box', make: () => plain(new BoxGeometry()), scale: size, reach: size.length() / 2, support: (d) => 0.5 * (Math.abs(d.x) * size.x + Math.abs(d.y) * size.y + Math.abs(d.z) * size.z) };
    }
    case 'sphere':
      return {
        key: 'sphere',
        make: (many) => striped(alongZ(new SphereGeometry(1, many ? 16 : 32, many ? 10 : 20))),
        scale: new Vector3(r, r, r),
        reach: r,
        support: () => r,
      };
    case 'cylinder': {
      const reach = Math.hypot(r, l / 2);
      const bore = shape.bore ?? 0;
      const support = (d: Vector3) => r * Math.hypot(d.x, d.y) + 0.5 * l * Math.abs(d.z);
      if (bore > 0)
        return {
          key: `tube ${bore / r} ${l / r}`,
          make: () => striped(tube(1, bore / r, l / r)),
          scale: new Vector3(r, r, r),
          reach,
          support,
        };
      return {
        key: 'cylinder',
        make: (many) => striped(alongZ(new CylinderGeometry(1, 1, 1, many ? 20 : kAround))),
        scale: new Vector3(r, r, l),
        reach,
        support,
      };
    }
    case 'capsule':
      return {
        key: `capsule ${(l / r).toFixed(3)}`,
        make: (many) => plain(alongZ(new CapsuleGeometry(1, l / r, many ? 4 : 10, many ? 10 : 24))),
        scale: new Vector3(r, r, r),
        reach: r + l / 2,
        support: (d) => r + 0.5 * l * Math.abs(d.z),
      };
    default: {
      const points = (shape.points ?? []).map((p) => new Vector3(...p));
      const reach = points.reduce((far, p) => Math.max(far, p.length()), 0);
      return {
        key: `mesh ${unique()}`,
        make: () => meshGeometry(shape),
        scale: new Vector3(1, 1, 1),
        reach,
        support: (d) => points.reduce((far, p) => Math.max(far, p.dot(d)), -Infinity),
      };
    }
  }
}

/// Balls and discs of one family in a few sizes differ in lightness, the largest being the darkest.
function shadesOf(bodies: BodyData[]): Map<string, number> {
  const families = new Map<string, { name: string; radius: number }[]>();
  for (const { name, shapes } of bodies) {
    const radius = shapes[0]?.radius;
    if (radius === undefined) continue;
    const family = families.get(familyOf(name)) ?? [];
    families.set(familyOf(name), family);
    family.push({ name, radius });
  }
  const shades = new Map<string, number>();
  for (const family of families.values()) {
    const sizes = [...new Set(family.map((b) => b.radius))].sort((a, b) => b - a);
    if (sizes.length < 2 || sizes.length > 5) continue;
    for (const { name, radius } of family) shades.set(name, -0.12 + (0.36 * sizes.indexOf(radius)) / (sizes.length - 1));
  }
  return shades;
}

/// How a body is drawn.
export type Look = 'solid' | 'glass' | 'hidden';

const kGlass = 0.28; // opacity
const kNothing = new Matrix4().makeScale(0, 0, 0);

/// The largest component along a direction of length one.
export type Support = (direction: Vector3) => number;

interface Instance {
  body: number;
  local: Matrix4;
}

export class Shapes {
  readonly object = new Group();
  /// How far the shapes of a body reach from its origin.
  readonly reach = new Map<string, number>();
  /// How far its shapes go in a direction of its frame.
  readonly supports = new Map<string, Support>();
  private readonly bodies: string[] = [];
  private readonly groups: { mesh: InstancedMesh; glass: InstancedMesh | null; instances: Instance[] }[] = [];
  private readonly looks = new Map<string, Look>();
  private readonly matrices: Matrix4[] = [];
  private readonly product = new Matrix4();
  private readonly colours: Color[] = [];

  constructor(bodies: BodyData[], recorded: string[], fallback: number) {
    // bodies that are recorded but have no shape are small balls; nodes of bars are in their bar
    const known = new Set(bodies.map((b) => b.name));
    const all = [...bodies];
    for (const name of recorded)
      if (!known.has(name) && !/\.node[0-9]+$/.test(name))
        all.push({ name, shapes: [{ type: 'sphere', radius: fallback }] });
    let meshes = 0;
    const byKey = new Map<string, { form: Form; instances: Instance[] }>();
    const families = [...new Set(all.map((b) => familyOf(b.name)))];
    const isMoving = new Set(recorded);
    const shades = shadesOf(all);
    all.forEach((body, number) => {
      this.bodies.push(body.name);
      this.matrices.push(new Matrix4());
      const index = families.indexOf(familyOf(body.name)) % bodyColours.length;
      const shade = shades.get(body.name) ?? 0;
      this.colours.push(new Color(isMoving.has(body.name) ? bodyColours[index] : '#aab2be').offsetHSL(0, 0, shade));
      let reach = 0;
      const pieces: Support[] = [];
      for (const stated of body.shapes) {
        const shape = seen(stated, fallback);
        const form = formOf(shape, 0.25 * fallback, () => meshes++);
        const at = new Vector3(...(shape.at ?? [0, 0, 0]));
        const [w, x, y, z] = shape.rotation ?? [1, 0, 0, 0];
        const turn = new Quaternion(x, y, z, w).normalize();
        const entry = byKey.get(form.key) ?? { form, instances: [] };
        byKey.set(form.key, entry);
        const local = new Matrix4().compose(at, turn, form.scale);
        entry.instances.push({ body: number, local });
        const back = turn.clone().invert();
        const along = new Vector3();
        pieces.push((d) => at.dot(d) + form.support(along.copy(d).applyQuaternion(back)));
        reach = Math.max(reach, at.length() + form.reach);
      }
      this.reach.set(body.name, reach);
      if (pieces.length > 0) this.supports.set(body.name, (d) => pieces.reduce((far, piece) => Math.max(far, piece(d)), -Infinity));
    });
    for (const { form, instances } of byKey.values()) this.addGroup(form, instances, all.length > 300);
  }

  private addGroup(form: Form, instances: Instance[], many: boolean): void {
    const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.62, metalness: 0.05 });
    const mesh = new InstancedMesh(form.make(many), material, instances.length);
    mesh.frustumCulled = false;
    instances.forEach((instance, i) => mesh.setColorAt(i, this.colours[instance.body]));
    mesh.userData.pick = (i: number): Picked => {
      const item = this.bodies[instances[i].body];
      return { group: 'bodies', item, label: item };
    };
    mesh.castShadow = true;
    this.groups.push({ mesh, glass: null, instances });
    this.object.add(mesh);
  }

  lookOf(name: string): Look {
    return this.looks.get(name) ?? 'solid';
  }

  /// Seen the next time that it is put somewhere.
  setLook(name: string, look: Look): void {
    if (look === 'solid') this.looks.delete(name);
    else this.looks.set(name, look);
    if (look === 'glass') for (const group of this.groups) group.glass ??= this.glassOf(group);
  }

  setLooks(look: Look): void {
    for (const name of this.bodies) this.setLook(name, look);
  }

  // The same bodies once more, to be seen through.
  private glassOf({ mesh, instances }: { mesh: InstancedMesh; instances: Instance[] }): InstancedMesh {
    const material = (mesh.material as MeshStandardMaterial).clone();
    Object.assign(material, { transparent: true, opacity: kGlass, depthWrite: false });
    const glass = new InstancedMesh(mesh.geometry, material, instances.length);
    glass.frustumCulled = false;
    glass.renderOrder = 1;
    glass.userData.pick = mesh.userData.pick as unknown;
    instances.forEach((instance, i) => glass.setColorAt(i, this.colours[instance.body]));
    this.object.add(glass);
    return glass;
  }

  /// A chosen body is brighter.
  choose(name: string | null): void {
    const bright = new Color();
    for (const { mesh, instances } of this.groups) {
      instances.forEach(({ body }, i) => {
        bright.copy(this.colours[body]);
        if (this.bodies[body] === name) bright.lerp(new Color('#ffffff'), 0.35);
        mesh.setColorAt(i, bright);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  update(poses: Poses): void {
    this.bodies.forEach((name, i) => poses.matrix(name, this.matrices[i]));
    for (const { mesh, glass, instances } of this.groups) {
      instances.forEach(({ body, local }, i) => {
        const look = this.lookOf(this.bodies[body]);
        this.product.multiplyMatrices(this.matrices[body], local);
        mesh.setMatrixAt(i, look === 'solid' ? this.product : kNothing);
        glass?.setMatrixAt(i, look === 'glass' ? this.product : kNothing);
      });
      for (const drawn of [mesh, glass]) {
        if (!drawn) continue;
        drawn.instanceMatrix.needsUpdate = true;
        drawn.boundingSphere = null; // of the last place
      }
    }
  }
}
