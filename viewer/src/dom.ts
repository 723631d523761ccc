// SPDX-License-Identifier: BSD-3-Clause
// Elements in few words.

type Child = Node | string | null | undefined;
type Attributes = Record<string, string | number | boolean | ((event: never) => void)>;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function')
      element.addEventListener(name, value as unknown as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/// A number as people write it: four digits, powers of ten when they are needed.
export function numberText(x: number): string {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return Number(x.toPrecision(4)).toExponential().replace('e', '·10^').replace('+', '');
  return String(Number(x.toPrecision(4)));
}

/// The same for axes: as many digits as are needed.
export function tickText(x: number): string {
  if (x === 0) return '0';
  const size = Math.abs(x);
  const short = Number(x.toPrecision(6));
  if (size >= 1e5 || size < 1e-3) return raised(short.toExponential().replace('e', '·10^').replace('+', '').replace(/^(-?)1·/, '$1'));
  return String(short);
}

function raised(text: string): string {
  const digits: Record<string, string> = { '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' };
  return text.replace(/\^(-?[0-9]+)/, (_, power: string) => [...power].map((c) => digits[c]).join(''));
}

/// numberText with powers as they are printed.
export function prettyNumber(x: number): string {
  return raised(numberText(x));
}

/// How many of something.
export function countText(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}

export function timeText(t: number, span: number): string {
  const decimals = Math.max(0, Math.min(7, 3 - Math.floor(Math.log10(span || 1))));
  return t.toFixed(decimals);
}
