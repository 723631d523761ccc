// SPDX-License-Identifier: BSD-3-Clause
// The mechanism at a time, seen by a camera that the user moves.
import type { Camera } from 'three';
import {
  AmbientLight,
  Color,
  DirectionalLight,
  HemisphereLight,
  OrthographicCamera,
  PCFSoftShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

import { OtherRun } from './otherRun';
import { Parts } from './parts';
import type { Picked } from './pick';
import { Picker } from './pick';
import type { Run } from './run';
import type { SceneData } from './sceneData';
import { sceneOf } from './sceneData';
import type { CameraState, SceneState } from './sceneState';
import type { Look } from './shapes';
import { Sun } from './sun';
import type { Theme } from './theme';
import { Triad } from './triad';

/// Without a graphics processor smooth edges cost most of the time of a frame.
function drawsBySoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class SceneView {
  readonly canvas: HTMLCanvasElement;
  isStale = true;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera: PerspectiveCamera | OrthographicCamera;
  private readonly controls: OrbitControls;
  private readonly picker = new Picker();
  private readonly data: SceneData;
  private parts: Parts;
  private readonly flat: boolean;
  private readonly up: Vector3;
  private theme!: Theme;
  /// How far the eye has followed the mechanism.
  private readonly shift = new Vector3();
  private chosen: Picked | null = null;
  private showsContacts = true;
  private showsJoints = true;
  private readonly looks = new Map<string, Look>();
  /// The body that the eye goes with, and where it was.
  private followed: { body: string; at: Vector3 } | null = null;
  private other: OtherRun | null = null;
  private beside = false;
  private readonly sun: Sun;
  readonly triad: Triad;
  /// By the user, who keeps what he sees.
  private isMoved = false;
  private aspect = 1;

  /// `still`: for pictures, which may take their time.
  constructor(private readonly run: Run, host: HTMLElement, theme: Theme, still: boolean) {
    this.data = sceneOf(run.head.scene);
    this.flat = this.data.dimension === 2;
    this.parts = new Parts(run, this.data);
    this.scene.add(this.parts.object);

    const fast = still || !drawsBySoftware();
    this.renderer = new WebGLRenderer({ antialias: fast });
    this.renderer.shadowMap.enabled = fast;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.className = 'scene-canvas';
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('aria-label', 'The mechanism; drag to turn, scroll to zoom');
    host.prepend(this.canvas);

    const gravity = new Vector3(...this.data.gravity);
    this.up = this.flat ? new Vector3(0, 1, 0) : gravity.lengthSq() > 0 ? gravity.normalize().negate() : new Vector3(0, 0, 1);
    this.camera = this.flat
      ? new OrthographicCamera(-1, 1, 1, -1, 0.001, 1000)
      : new PerspectiveCamera(32, 1, 0.001, 1000);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => (this.isStale = true));
    this.controls.addEventListener('start', () => (this.isMoved = true));
    this.sun = new Sun(this.up, this.flat, fast);
    this.sun.reach(this.parts.bounds);
    this.triad = new Triad(new Vector3(...this.data.gravity), this.flat);
    this.addLights();
    this.paint(theme);
    this.fit();
  }

  private addLights(): void {
    this.scene.add(new AmbientLight('#ffffff', 0.75));
    const sky = new HemisphereLight('#ffffff', '#8a94a6', 1.0);
    sky.position.copy(this.up);
    // what looks at the user is never dark
    const lamp = new DirectionalLight('#ffffff', 0.8);
    this.camera.add(lamp);
    this.scene.add(sky, this.sun.light, this.sun.light.target, this.camera);
  }

  get lines(): Parts['lines'] {
    return this.parts.lines;
  }
  get gridSpacing(): number {
    return this.parts.backdrop.spacing;
  }

  /// The run has grown: everything for its new size, and the eye there unless the user moved it.
  refresh(): void {
    const state = this.state();
    this.scene.remove(this.parts.object);
    this.parts.dispose();
    this.parts = new Parts(this.run, this.data);
    this.scene.add(this.parts.object);
    this.parts.paint(this.theme);
    this.sun.reach(this.parts.bounds);
    this.apply(state);
    if (!this.isMoved) this.fit();
    else this.keepInSight();
  }

  state(): SceneState {
    return {
      looks: [...this.looks],
      trails: [...this.parts.trails.list],
      followed: this.followed?.body ?? null,
      chosen: this.chosen,
      contacts: this.showsContacts,
      joints: this.showsJoints,
      camera: this.isMoved ? this.cameraState() : null,
    };
  }

  private cameraState(): CameraState {
    const { camera, controls } = this;
    const top = camera instanceof OrthographicCamera ? camera.top : 0;
    return { position: camera.position.toArray(), target: controls.target.toArray(), zoom: camera.zoom, top };
  }

  /// As it was; parts that are no longer there are left out.
  apply(state: SceneState): void {
    const bodies = new Set(this.parts.poses.names);
    for (const [name, look] of state.looks) this.setLook(name, look);
    for (const trail of state.trails) if (bodies.has(trail.body)) this.parts.trails.add(trail);
    if (state.followed !== this.follows) this.follow(state.followed !== null && bodies.has(state.followed) ? state.followed : null);
    this.showContacts(state.contacts);
    this.showJoints(state.joints);
    this.choose(state.chosen);
  }

  /// The eye of another picture of the same mechanism.
  lookFrom({ position, target, zoom, top }: CameraState): void {
    this.fit();
    this.isMoved = true;
    this.camera.position.fromArray(position);
    this.controls.target.fromArray(target);
    this.camera.zoom = zoom;
    if (this.camera instanceof OrthographicCamera) [this.camera.top, this.camera.bottom] = [top, -top];
    this.frame();
    this.controls.update();
    this.keepInSight();
    this.isStale = true;
  }

  lookOf(body: string): Look {
    return this.looks.get(body) ?? 'solid';
  }
  setLook(body: string, look: Look): void {
    if (look === 'solid') this.looks.delete(body);
    else this.looks.set(body, look);
    this.parts.shapes.setLook(body, look);
    this.isStale = true;
  }
  /// Bodies that are not as they are.
  get changed(): string[] {
    return [...this.looks.keys()];
  }
  get bodies(): string[] {
    return this.parts.poses.names;
  }

  hasTrail(body: string): boolean {
    return this.parts.trails.has(body);
  }
  /// The path of a point of a body, which is at `point` now; of its origin for want of one.
  toggleTrail(body: string, point?: Vector3): void {
    const { trails, poses } = this.parts;
    if (trails.has(body)) trails.remove(body);
    else trails.add({ body, at: point ? poses.inFrame(body, point).toArray() : [0, 0, 0] });
    this.isStale = true;
  }

  get follows(): string | null {
    return this.followed?.body ?? null;
  }
  follow(body: string | null): void {
    this.followed = body === null ? null : { body, at: this.parts.poses.point(body, new Vector3()).clone() };
  }

  /// Where the other run is drawn: transparent in the same place, or beside this one.
  get isBeside(): boolean {
    return this.beside;
  }
  setBeside(beside: boolean): void {
    this.beside = beside;
    this.placeOther();
    this.fit();
  }
  private placeOther(): void {
    this.other?.place(this.way(), this.beside);
    this.isStale = true;
  }
  /// The way from this run to the other one: across the first view, as far as the motion reaches.
  private way(): Vector3 {
    if (!this.other || !this.beside) return new Vector3();
    const side = this.flat ? new Vector3(1, 0, 0) : this.up.clone().cross(new Vector3(...this.threeQuarters())).normalize();
    const reach = this.parts.motion.points.map((p) => p.dot(side));
    return side.multiplyScalar(1.1 * Math.max(1e-9, Math.max(...reach) - Math.min(...reach)));
  }

  /// Draws another run with this one; null for none.
  compare(run: Run | null): void {
    if (this.other) this.scene.remove(this.other.object);
    this.other = run ? new OtherRun(run, this.parts.extent, this.parts.sign) : null;
    if (this.other) {
      this.other.paint(this.theme);
      this.scene.add(this.other.object);
    }
    this.placeOther();
  }

  // a camera that stays must still see what has come
  private keepInSight(): void {
    const radius = this.parts.bounds.getSize(new Vector3()).length();
    this.camera.far = Math.max(this.camera.far, this.camera.position.distanceTo(this.controls.target) + 10 * radius);
    this.camera.updateProjectionMatrix();
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new Color(theme.background);
    this.parts.paint(theme);
    this.other?.paint(theme);
    this.isStale = true;
  }

  /// The whole motion in the picture; planar models from the side.
  fit(direction?: [number, number, number]): void {
    this.isMoved = direction !== undefined;
    const bounds = this.parts.bounds.clone().union(this.parts.bounds.clone().translate(this.way()));
    const centre = bounds.getCenter(new Vector3()).add(this.shift);
    const size = bounds.getSize(new Vector3());
    const radius = 0.5 * size.length();
    const from = new Vector3(...(direction ?? (this.flat ? [0, 0, 1] : this.threeQuarters())));
    this.controls.target.copy(centre);
    if (this.camera instanceof OrthographicCamera) {
      const half = 0.58 * Math.max(size.y, size.x / this.aspect, 1e-9);
      this.camera.top = half;
      this.camera.bottom = -half;
      this.camera.zoom = 1;
      this.camera.position.copy(centre).addScaledVector(from.normalize(), 10 * radius);
      this.camera.near = -100 * radius;
      this.camera.far = 100 * radius;
    } else {
      const { distance, aim } = this.placeAlong(from.normalize(), this.camera.fov);
      this.controls.target.copy(aim);
      this.camera.position.copy(aim).addScaledVector(from, distance);
      this.camera.near = distance / 200;
      this.camera.far = distance * 40;
    }
    this.frame();
    this.controls.update();
    this.isStale = true;
  }

  // As near as the corners of the motion allow, with as much room on one side as on the other: each
  // corner p asks for |p·s − c| ≤ slope (D − p·f), with the direction s across and f towards the eye.
  private placeAlong(from: Vector3, fov: number): { distance: number; aim: Vector3 } {
    const side = this.up.clone().cross(from).normalize();
    const top = from.clone().cross(side);
    const slope = Math.tan((fov * Math.PI) / 360) * 0.9;
    const centre = this.parts.bounds.getCenter(new Vector3());
    const own = this.parts.motion.points.map((p) => p.clone().sub(centre));
    const points = this.other && this.beside ? [...own, ...own.map((p) => p.clone().add(this.way()))] : own;
    const across = (s: Vector3, tangent: number) => {
      const high = Math.max(...points.map((p) => p.dot(s) + tangent * p.dot(from)));
      const low = Math.min(...points.map((p) => p.dot(s) - tangent * p.dot(from)));
      return { middle: (high + low) / 2, distance: (high - low) / (2 * tangent) };
    };
    const [x, y] = [across(side, slope * this.aspect), across(top, slope)];
    const aim = centre.addScaledVector(side, x.middle).addScaledVector(top, y.middle).add(this.shift);
    return { distance: Math.max(x.distance, y.distance, 1e-9), aim };
  }

  // from the front and above, whatever is up
  private threeQuarters(): [number, number, number] {
    const side = Math.abs(this.up.z) > 0.9 ? new Vector3(0.55, -1, 0) : new Vector3(0.55, 0, 1);
    const from = side.addScaledVector(this.up, 0.42);
    return [from.x, from.y, from.z];
  }

  private frame(): void {
    if (this.camera instanceof OrthographicCamera) {
      this.camera.left = this.camera.bottom * this.aspect;
      this.camera.right = this.camera.top * this.aspect;
    } else {
      this.camera.aspect = this.aspect;
    }
    this.camera.updateProjectionMatrix();
  }

  resize(width: number, height: number, ratio = devicePixelRatio): void {
    if (width < 2 || height < 2) return;
    this.renderer.setPixelRatio(Math.min(2, ratio));
    this.renderer.setSize(width, height, false);
    this.aspect = width / height;
    if (this.isMoved) this.frame();
    else this.fit();
    this.isStale = true;
  }

  /// Shows the mechanism at a time.
  update(t: number): void {
    const before = this.shift.clone();
    this.parts.update(t, this.theme.dark, this.shift);
    this.other?.update(t, this.theme.dark);
    const way = before.subVectors(this.shift, before);
    if (this.followed) {
      const now = this.parts.poses.point(this.followed.body, new Vector3());
      way.subVectors(now, this.followed.at);
      this.followed.at.copy(now);
    }
    if (way.lengthSq() > 0) {
      this.camera.position.add(way);
      this.controls.target.add(way);
      this.controls.update();
      this.sun.follow(this.shift);
    }
    this.isStale = true;
  }

  showContacts(visible: boolean): void {
    this.showsContacts = visible;
    this.parts.contacts.object.visible = visible;
    this.parts.touches.object.visible = visible;
    this.isStale = true;
  }
  showJoints(visible: boolean): void {
    this.showsJoints = visible;
    this.parts.joints.object.visible = visible;
    this.isStale = true;
  }

  choose(picked: Picked | null): void {
    this.chosen = picked;
    this.parts.shapes.choose(picked?.group === 'bodies' ? picked.item : null);
    this.isStale = true;
  }

  /// What is under a point of the screen.
  pick(clientX: number, clientY: number): Picked | null {
    const r = this.canvas.getBoundingClientRect();
    const x = (2 * (clientX - r.left)) / r.width - 1;
    const y = 1 - (2 * (clientY - r.top)) / r.height;
    this.scene.updateMatrixWorld();
    return this.picker.at(x, y, r.width, r.height, this.camera as Camera, this.scene);
  }

  render(): void {
    if (!this.isStale) return;
    this.isStale = false;
    this.renderer.render(this.scene, this.camera);
    this.triad.update(this.camera);
  }

  dispose(): void {
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }
}
