// SPDX-License-Identifier: BSD-3-Clause
// The mechanism at a time, seen by a camera that the user moves.
import type { Camera } from 'three';
import {
  AmbientLight,
  Color,
  DirectionalLight,
  HemisphereLight,
  OrthographicCamera,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

import { Parts } from './parts';
import type { Picked } from './pick';
import { Picker } from './pick';
import type { Run } from './run';
import type { SceneData } from './sceneData';
import { sceneOf } from './sceneData';
import type { Theme } from './theme';

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
  /// By the user, who keeps what he sees.
  private isMoved = false;
  private aspect = 1;

  /// `still`: for pictures, which may take their time.
  constructor(private readonly run: Run, host: HTMLElement, theme: Theme, still: boolean) {
    this.data = sceneOf(run.head.scene);
    this.flat = this.data.dimension === 2;
    this.parts = new Parts(run, this.data);
    this.scene.add(this.parts.object);

    this.renderer = new WebGLRenderer({ antialias: still || !drawsBySoftware() });
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
    this.addLights();
    this.paint(theme);
    this.fit();
  }

  private addLights(): void {
    this.scene.add(new AmbientLight('#ffffff', 0.75));
    const sky = new HemisphereLight('#ffffff', '#8a94a6', 1.0);
    sky.position.copy(this.up);
    const sun = new DirectionalLight('#ffffff', 1.7);
    sun.position.copy(this.up).add(this.flat ? new Vector3(0.7, 0.4, 2) : new Vector3(0.8, -0.9, 0.9));
    // what looks at the user is never dark
    const lamp = new DirectionalLight('#ffffff', 0.8);
    this.camera.add(lamp);
    this.scene.add(sky, sun, this.camera);
  }

  get lines(): Parts['lines'] {
    return this.parts.lines;
  }
  get gridSpacing(): number {
    return this.parts.backdrop.spacing;
  }

  /// The run has grown: everything for its new size, and the eye there unless the user moved it.
  refresh(): void {
    this.scene.remove(this.parts.object);
    this.parts.dispose();
    this.parts = new Parts(this.run, this.data);
    this.scene.add(this.parts.object);
    this.parts.paint(this.theme);
    this.showContacts(this.showsContacts);
    this.showJoints(this.showsJoints);
    this.choose(this.chosen);
    if (!this.isMoved) this.fit();
    else this.keepInSight();
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
    this.isStale = true;
  }

  /// The whole motion in the picture; planar models from the side.
  fit(direction?: [number, number, number]): void {
    this.isMoved = direction !== undefined;
    const centre = this.parts.bounds.getCenter(new Vector3()).add(this.shift);
    const size = this.parts.bounds.getSize(new Vector3());
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
      const distance = this.distanceAlong(from.normalize(), this.camera.fov);
      this.camera.position.copy(centre).addScaledVector(from.normalize(), distance);
      this.camera.near = distance / 200;
      this.camera.far = distance * 40;
    }
    this.frame();
    this.controls.update();
    this.isStale = true;
  }

  // as far away as the corners of the motion need
  private distanceAlong(from: Vector3, fov: number): number {
    const side = this.up.clone().cross(from).normalize();
    const top = from.clone().cross(side);
    const slope = Math.tan((fov * Math.PI) / 360) * 0.9;
    const half = this.parts.bounds.getSize(new Vector3()).multiplyScalar(0.5);
    let distance = 1e-9;
    for (const [x, y, z] of [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]])
      for (const sign of [1, -1]) {
        const corner = half.clone().multiply(new Vector3(x, y, z)).multiplyScalar(sign);
        const across = Math.abs(corner.dot(side)) / (slope * this.aspect);
        distance = Math.max(distance, corner.dot(from) + Math.max(across, Math.abs(corner.dot(top)) / slope));
      }
    return distance;
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
    const way = before.subVectors(this.shift, before);
    if (way.lengthSq() > 0) {
      this.camera.position.add(way);
      this.controls.target.add(way);
      this.controls.update();
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
  }

  dispose(): void {
    this.controls.dispose();
    this.renderer.dispose();
    this.canvas.remove();
  }
}
