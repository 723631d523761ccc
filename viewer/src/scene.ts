// SPDX-License-Identifier: BSD-3-Clause
// The mechanism at a time, seen by a camera that the user moves.
import type { Camera } from 'three';
import {
  AmbientLight,
  Box3,
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

import { Backdrop } from './backdrop';
import { motionBounds } from './bounds';
import { Contacts } from './contacts';
import { Curves } from './curves';
import { Feet } from './feet';
import { Joints } from './joints';
import { Lines } from './lines';
import { withLinks } from './links';
import type { Picked } from './pick';
import { Picker } from './pick';
import { Poses } from './poses';
import type { Run } from './run';
import { sceneOf } from './sceneData';
import { Shapes } from './shapes';
import type { Theme } from './theme';
import { Touches } from './touches';

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
  readonly lines: Lines;
  readonly gridSpacing: number;
  isStale = true;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera: PerspectiveCamera | OrthographicCamera;
  private readonly controls: OrbitControls;
  private readonly picker = new Picker();
  private readonly poses: Poses;
  private readonly shapes: Shapes;
  private readonly joints: Joints;
  private readonly contacts: Contacts;
  private readonly touches: Touches;
  private readonly curves: Curves;
  private readonly feet: Feet;
  private readonly backdrop: Backdrop;
  private readonly bounds: Box3;
  private readonly extent: number;
  private readonly flat: boolean;
  private readonly up: Vector3;
  private theme!: Theme;
  /// By the user, who keeps what he sees.
  private isMoved = false;
  private aspect = 1;

  /// `still`: for pictures, which may take their time.
  constructor(run: Run, host: HTMLElement, theme: Theme, still: boolean) {
    const data = sceneOf(run.head.scene);
    this.flat = data.dimension === 2;
    this.poses = new Poses(run);
    // a first look without shapes of bodies that have none, to find a size for them
    const rough = motionBounds(run, this.poses, data, new Map());
    const roughSize = rough.getSize(new Vector3()).length() || 1;
    const { reach, corners } = new Shapes(data.bodies, this.poses.names, 0.02 * roughSize);
    const linked = withLinks(data, reach, 0.003 * roughSize);
    this.shapes = new Shapes(linked, this.poses.names, 0.02 * roughSize);
    for (const line of data.lines)
      for (const end of line.through)
        if (end.body !== undefined && !corners.has(end.body)) {
          const r = Math.min(Math.sqrt((line.area ?? 0) / Math.PI), 0.05 * roughSize);
          corners.set(end.body, [new Vector3(r, r, r), new Vector3(-r, -r, -r)]);
        }
    this.bounds = motionBounds(run, this.poses, data, corners);
    const size = this.bounds.getSize(new Vector3());
    this.extent = Math.max(1e-9, size.x, size.y, this.flat ? 0 : size.z);
    // signs are small beside the picture and beside the bodies
    const held = data.joints.flatMap((joint) => joint.ends.map((end) => reach.get(end.body ?? '') ?? 0));
    const sizes = held.filter((r) => r > 0).sort((a, b) => a - b);
    const sign = Math.min(0.0105 * this.extent, 0.3 * (sizes[sizes.length >> 1] ?? Infinity));
    this.joints = new Joints(data.joints, run, this.poses, sign, this.flat);
    this.lines = new Lines(data.lines, run, sign, this.extent);
    this.contacts = new Contacts(run, sign, this.extent);
    this.touches = new Touches(run, this.extent, this.flat);
    this.curves = new Curves(data.curves, this.bounds, this.extent);
    this.feet = new Feet(run);
    this.backdrop = new Backdrop(data, this.bounds, this.extent);
    this.gridSpacing = this.backdrop.spacing;
    this.scene.add(
      this.shapes.object, this.joints.object, this.lines.object, this.contacts.object, this.touches.object,
      this.curves.object, this.backdrop.object,
    );

    this.renderer = new WebGLRenderer({ antialias: still || !drawsBySoftware() });
    this.canvas = this.renderer.domElement;
    this.canvas.className = 'scene-canvas';
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('aria-label', 'The mechanism; drag to turn, scroll to zoom');
    host.prepend(this.canvas);

    const gravity = new Vector3(...data.gravity);
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

  paint(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new Color(theme.background);
    this.joints.paint(theme);
    this.backdrop.paint(theme);
    this.curves.paint(theme);
    this.touches.paint(theme);
    this.isStale = true;
  }

  /// The whole motion in the picture; planar models from the side.
  fit(direction?: [number, number, number]): void {
    this.isMoved = direction !== undefined;
    const centre = this.bounds.getCenter(new Vector3());
    const size = this.bounds.getSize(new Vector3());
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
    const half = this.bounds.getSize(new Vector3()).multiplyScalar(0.5);
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
    this.poses.seek(t);
    this.shapes.update(this.poses);
    this.joints.update(this.poses);
    this.lines.update(this.poses, t, this.theme.dark);
    this.backdrop.update(this.poses, this.feet, t, this.flat);
    this.curves.update(this.poses);
    this.contacts.update(t);
    this.touches.update(t);
    this.isStale = true;
  }

  showContacts(visible: boolean): void {
    this.contacts.object.visible = visible;
    this.touches.object.visible = visible;
    this.isStale = true;
  }
  showJoints(visible: boolean): void {
    this.joints.object.visible = visible;
    this.isStale = true;
  }

  choose(picked: Picked | null): void {
    this.shapes.choose(picked?.group === 'bodies' ? picked.item : null);
    this.isStale = true;
  }

  /// What is under a point of the screen.
  pick(clientX: number, clientY: number): Picked | null {
    const r = this.canvas.getBoundingClientRect();
    const x = (2 * (clientX - r.left)) / r.width - 1;
    const y = 1 - (2 * (clientY - r.top)) / r.height;
    this.scene.updateMatrixWorld();
    return this.picker.at(x, y, this.camera as Camera, this.scene);
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
