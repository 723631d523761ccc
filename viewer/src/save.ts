// SPDX-License-Identifier: BSD-3-Clause
// Files that the page hands to its user: plots as tables and pictures.
import { make } from './dom';

export function save(content: BlobPart, type: string, name: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export function fileNameOf(title: string, ending: string): string {
  const name = title.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return `${name || 'plot'}.${ending}`;
}

/// One line of names with units, then a line per time; no number is an empty field.
export function csvOf(columns: { name: string; unit: string; values: ArrayLike<number> }[], rows: number[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = columns.map(({ name, unit }) => quoted(unit ? `${name} [${unit}]` : name)).join(',');
  const line = (i: number) => columns.map(({ values }) => (Number.isFinite(values[i]) ? String(values[i]) : '')).join(',');
  return `${[head, ...rows.map(line)].join('\n')}\n`;
}

/// A picture of an SVG, with two pixels for each of its own.
export async function pngOf(svg: string, width: number, height: number): Promise<Blob> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = make('canvas', { width: 2 * width, height: 2 * height });
  canvas.getContext('2d')?.drawImage(picture, 0, 0, 2 * width, 2 * height);
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser makes no picture'))), 'image/png'));
}
