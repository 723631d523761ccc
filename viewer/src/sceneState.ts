// SPDX-License-Identifier: BSD-3-Clause
// What the user has made of the picture: kept when the run grows or is run again.
import type { Picked } from './pick';
import type { Look } from './shapes';
import type { TrailData } from './trails';

export interface CameraState {
  position: [number, number, number];
  target: [number, number, number];
  zoom: number;
  top: number;
}

export interface SceneState {
  looks: [string, Look][];
  trails: TrailData[];
  followed: string | null;
  chosen: Picked | null;
  contacts: boolean;
  joints: boolean;
  /// Null while the picture is fitted to the motion.
  camera: CameraState | null;
}
