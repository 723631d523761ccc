// SPDX-License-Identifier: BSD-3-Clause
// Colours that colour-blind readers can tell apart (Paul Tol, Okabe and Ito), dark and light.

export interface Theme {
  dark: boolean;
  background: string;
  grid: string;
  ink: string;
  faint: string;
  joint: string;
  jointInside: string;
  ground: string;
}

const kLight: Theme = {
  dark: false,
  background: '#f6f7f9',
  grid: '#e3e6eb',
  ink: '#1d2430',
  faint: '#6b7585',
  joint: '#2b3340',
  jointInside: '#ffffff',
  ground: '#aab2be',
};
const kDark: Theme = {
  dark: true,
  background: '#12151a',
  grid: '#232932',
  ink: '#e6e9ee',
  faint: '#8d97a6',
  joint: '#dfe4ea',
  jointInside: '#12151a',
  ground: '#566171',
};

export const bodyColours = [
  '#4477aa', '#cc6677', '#3a9a5b', '#d29a1c', '#8c5aa8', '#3ba3b5', '#e07b39', '#7a8494',
];

export const seriesColours = [
  '#3b7fc4', '#d55e00', '#2f9e6e', '#b0529c', '#d39a00', '#4bb0c9', '#c04a5e', '#7d7f9a',
];

/// What a contact does, by the number in the result file.
export const modes = [
  { name: 'open', colour: '#b9c0ca' },
  { name: 'stick', colour: '#0072b2' },
  { name: 'slip', colour: '#e69f00' },
  { name: 'closed', colour: '#009e73' },
];

/// Names of a pattern, segment1, segment2, …, share a colour.
export function familyOf(name: string): string {
  return name.replace(/[0-9]+/g, '#');
}

export type ThemeChoice = 'light' | 'dark';

export function preferredTheme(): ThemeChoice {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function themeOf(choice: ThemeChoice): Theme {
  return choice === 'dark' ? kDark : kLight;
}

/// Blue – white – red for signed numbers in [-1, 1], by perceived distance from the middle.
export function divergingColour(x: number, dark: boolean): [number, number, number] {
  const s = Math.max(-1, Math.min(1, x));
  const middle: [number, number, number] = dark ? [0.46, 0.49, 0.54] : [0.8, 0.82, 0.84];
  const end: [number, number, number] = s < 0 ? [0.13, 0.4, 0.74] : [0.8, 0.28, 0.1];
  const w = Math.abs(s);
  return [0, 1, 2].map((k) => middle[k] + w * (end[k] - middle[k])) as [number, number, number];
}
