// SPDX-License-Identifier: BSD-3-Clause
// A plot as SVG: the plots of one quantity over another, and every plot that is saved.
import { tickText } from './dom';
import { niceNumber } from './bounds';
import { rangeOf } from './scale';

export interface Curve {
  label: string;
  colour: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  dashed?: boolean;
}

export interface Figure {
  title: string;
  xLabel: string;
  yLabel: string;
  curves: Curve[];
  /// A number holds until the next one.
  steps?: boolean;
  logarithmic?: boolean;
  names?: string[];
  xRange?: [number, number];
  /// Lengths on both axes have one scale.
  square?: boolean;
  /// Title and legend are drawn, too.
  whole: boolean;
}

export interface FigureColours {
  paper: string;
  ink: string;
  faint: string;
  rule: string;
}

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  x: (value: number) => number;
  y: (value: number) => number;
  xRange: [number, number];
  yRange: [number, number];
}

function ticksOf([low, high]: [number, number], count: number): number[] {
  const step = niceNumber((high - low) / Math.max(1, count));
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) ticks.push(i * step);
  return ticks;
}

function decadesOf([low, high]: [number, number], count: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const every = Math.max(1, Math.ceil((last - first + 1) / count));
  const ticks: number[] = [];
  for (let i = first; i <= last; i += every) ticks.push(10 ** i);
  return ticks;
}

function union(curves: Curve[], of: (c: Curve) => ArrayLike<number>): [number, number] {
  const ranges = curves.map((c) => rangeOf(of(c)));
  const range: [number, number] = [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
  if (!(range[0] <= range[1])) return [0, 1];
  if (range[0] < range[1]) return range;
  const half = 0.1 * Math.abs(range[0]) || 1;
  return [range[0] - half, range[0] + half];
}

function padded([low, high]: [number, number], part = 0.05): [number, number] {
  const pad = part * (high - low);
  return [low - pad, high + pad];
}

// lengths of one unit are drawn alike in both directions
function squared(x: [number, number], y: [number, number], width: number, height: number): [[number, number], [number, number]] {
  const perPixel = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
  const grown = ([low, high]: [number, number], pixels: number): [number, number] => {
    const [middle, half] = [(low + high) / 2, (perPixel * pixels) / 2];
    return [middle - half, middle + half];
  };
  return [grown(x, width), grown(y, height)];
}

/// Where everything is in a picture of this size.
export function frameOf(figure: Figure, width: number, height: number): Frame {
  const legendRows = figure.whole ? legendOf(figure, width).rows : 0;
  const top = figure.whole ? 30 + 17 * legendRows : 8;
  const [left, bottom, right] = [66, figure.whole ? 42 : 36, 16];
  const [w, h] = [Math.max(20, width - left - right), Math.max(20, height - top - bottom)];
  const shown = figure.curves.map((c) => (figure.xRange ? inside(c, figure.xRange) : c));
  const log = figure.logarithmic;
  let xRange = figure.xRange ?? padded(union(shown, (c) => c.x));
  const values = union(shown, (c) => (log ? Array.from(c.y).map((v) => Math.log10(v)) : c.y));
  let yRange = figure.names ? ([-0.2, figure.names.length - 0.8] as [number, number]) : padded(values, 0.07);
  if (figure.square) [xRange, yRange] = squared(xRange, yRange, w, h);
  const yOf = (v: number) => top + h * (1 - ((log ? Math.log10(v) : v) - yRange[0]) / (yRange[1] - yRange[0]));
  return {
    left, top, width: w, height: h, xRange,
    yRange: log ? [10 ** yRange[0], 10 ** yRange[1]] : yRange,
    x: (v) => left + (w * (v - xRange[0])) / (xRange[1] - xRange[0]),
    y: yOf,
  };
}

function inside(curve: Curve, [low, high]: [number, number]): Curve {
  const at = Array.from(curve.x, (_, i) => i).filter((i) => curve.x[i] >= low && curve.x[i] <= high);
  return { ...curve, x: at.map((i) => curve.x[i]), y: at.map((i) => curve.y[i]) };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function pathOf(curve: Curve, frame: Frame, steps: boolean): string {
  let path = '';
  let isDown = false;
  for (let i = 0; i < curve.x.length; ++i) {
    const [x, y] = [frame.x(curve.x[i]), frame.y(curve.y[i])];
    if (!Number.isFinite(x + y)) {
      isDown = false;
      continue;
    }
    if (!isDown) path += `M${x.toFixed(2)} ${y.toFixed(2)}`;
    else path += steps ? `V${y.toFixed(2)}H${x.toFixed(2)}` : `L${x.toFixed(2)} ${y.toFixed(2)}`;
    isDown = true;
  }
  return path;
}

const kLetter = 6.4; // mean width at 12 px

function legendOf(figure: Figure, width: number): { rows: number; places: [number, number][] } {
  let [x, row] = [66, 0];
  const places = figure.curves.map((curve): [number, number] => {
    const needed = 34 + kLetter * curve.label.length;
    if (x + needed > width - 10 && x > 66) [x, row] = [66, row + 1];
    const place: [number, number] = [x, row];
    x += needed;
    return place;
  });
  return { rows: figure.curves.length > 0 ? row + 1 : 0, places };
}

function text(x: number, y: number, anchor: string, colour: string, words: string, more = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}" ${more}>${escaped(words)}</text>`;
}

let clips = 0;

/// The figure as a document of its own.
export function figureSvg(figure: Figure, width: number, height: number, colours: FigureColours): string {
  const frame = frameOf(figure, width, height);
  const { left, top } = frame;
  const [right, bottom] = [left + frame.width, top + frame.height];
  const clip = `frame${++clips}`;
  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="11">`,
    `<clipPath id="${clip}"><rect x="${left}" y="${top}" width="${frame.width}" height="${frame.height}"/></clipPath>`,
  ];
  if (figure.whole) out.push(`<rect width="${width}" height="${height}" fill="${colours.paper}"/>`);
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    out.push(`<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}" stroke="${colours.rule}" fill="none"/>`);
  for (const v of ticksOf(frame.xRange, frame.width / 80)) {
    line(frame.x(v), top, frame.x(v), bottom);
    out.push(text(frame.x(v), bottom + 14, 'middle', colours.faint, tickText(v)));
  }
  const rows = Math.max(2, frame.height / 30);
  const yTicks = figure.names ? figure.names.map((_, i) => i) : figure.logarithmic ? decadesOf(frame.yRange, rows) : ticksOf(frame.yRange, rows);
  for (const v of yTicks) {
    line(left, frame.y(v), right, frame.y(v));
    out.push(text(left - 6, frame.y(v) + 4, 'end', colours.faint, figure.names?.[v] ?? tickText(v)));
  }
  out.push(`<g clip-path="url(#${clip})" fill="none" stroke-width="1.5" stroke-linejoin="round">`);
  for (const curve of figure.curves)
    out.push(`<path d="${pathOf(curve, frame, figure.steps ?? false)}" stroke="${curve.colour}"${curve.dashed ? ' stroke-dasharray="5 4"' : ''}/>`);
  out.push('</g>');
  out.push(text((left + right) / 2, bottom + 30, 'middle', colours.faint, figure.xLabel));
  const middle = (top + bottom) / 2;
  out.push(text(13, middle, 'middle', colours.faint, figure.yLabel, `transform="rotate(-90 13 ${middle.toFixed(1)})"`));
  if (figure.whole) {
    out.push(text(left, 20, 'start', colours.ink, figure.title, 'font-size="14" font-weight="600"'));
    legendOf(figure, width).places.forEach(([x, row], i) => {
      const y = 36 + 17 * row;
      const curve = figure.curves[i];
      out.push(`<path d="M${x} ${y}h20" stroke="${curve.colour}" stroke-width="2"${curve.dashed ? ' stroke-dasharray="5 4"' : ''}/>`);
      out.push(text(x + 25, y + 4, 'start', colours.ink, curve.label, 'font-size="12"'));
    });
  }
  out.push('</svg>');
  return out.join('\n');
}
