// SPDX-License-Identifier: BSD-3-Clause
// The scene of a result file (docs/formats/results.md), with sensible values for what it lacks.

export type Triple = [number, number, number];
export type Quadruple = [number, number, number, number];

export interface ShapeData {
  type: 'box' | 'sphere' | 'cylinder' | 'capsule' | 'mesh';
  at?: Triple;
  rotation?: Quadruple;
  size?: Triple;
  radius?: number;
  length?: number;
  bore?: number;
  points?: Triple[];
  triangles?: Triple[];
  lines?: number[][];
  /// It has no size of its own and may be drawn larger.
  sign?: boolean;
}

export interface BodyData {
  name: string;
  /// Its shape was chosen for want of a stated one.
  default?: boolean;
  shapes: ShapeData[];
}

export interface EndData {
  body?: string;
  at: Triple;
  axis?: Triple;
}

export interface LineData {
  name: string;
  /// A word for readers; springs, bushings and torsion springs are drawn as such.
  kind: string;
  /// Of a flexible part whose nodes turn: its section can be drawn.
  turns?: boolean;
  area?: number;
  modulus?: number;
  /// Of its section, in the frame of a node.
  outline?: Triple[];
  through: EndData[];
}

export interface JointData {
  name: string;
  type: string;
  ends: EndData[];
}

export interface PlaneData extends EndData {
  name: string;
  /// Along its axis, by a formula; its contact tells where it is.
  moves?: boolean;
}

export interface CurveData {
  name: string;
  body?: string;
  points: Triple[];
}

/// What a controller or a servo is made of: names in the formula of its input or its target.
export interface ControlData {
  name: string;
  reads?: string[];
  /// The joint, or its coordinate, that a motor drives.
  motor?: string;
}

/// A plot that the model names: channels or patterns.
export interface PlotData {
  title?: string;
  x?: string;
  y: string[];
}

export interface SceneData {
  dimension: number;
  gravity: Triple;
  bodies: BodyData[];
  lines: LineData[];
  joints: JointData[];
  planes: PlaneData[];
  curves: CurveData[];
  controls: ControlData[];
  plots: PlotData[];
}

function list<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}

export function sceneOf(raw: unknown): SceneData {
  const scene = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  const lines = list<Partial<LineData>>(scene.lines).map((line) => ({
    ...line,
    name: line.name ?? '',
    kind: line.kind ?? 'line',
    turns: line.turns ?? line.kind === 'beam', // older files do not say
    through: list<Partial<EndData>>(line.through).map((end) => ({
      ...end,
      at: end.at ?? ([0, 0, 0] as Triple),
    })),
  }));
  return {
    dimension: scene.dimension === 2 ? 2 : 3,
    gravity: (scene.gravity as Triple | undefined) ?? [0, 0, -1],
    bodies: list<BodyData>(scene.bodies).map((b) => ({ name: b.name, shapes: list(b.shapes), default: b.default })),
    lines,
    joints: list(scene.joints),
    planes: list(scene.planes),
    curves: list(scene.curves),
    controls: list(scene.controls),
    plots: list<Partial<PlotData>>(scene.plots).map((plot) => ({ ...plot, y: list<string>(plot.y) })),
  };
}
