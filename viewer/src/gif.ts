// SPDX-License-Identifier: BSD-3-Clause
// Animated GIF: one palette for all frames, pixels that did not change are transparent.

const kBits = 5; // of a colour component in the census
const kTransparent = 255;

type Frame = Uint8ClampedArray;

function bin(r: number, g: number, b: number): number {
  const s = 8 - kBits;
  return ((r >> s) << (2 * kBits)) | ((g >> s) << kBits) | (b >> s);
}

/// The most frequent colours, as means of what fell into their bins.
class Palette {
  readonly colours: [number, number, number][] = [];
  private readonly nearest: Int16Array;

  constructor(frames: Frame[]) {
    const bins = 1 << (3 * kBits);
    const count = new Float64Array(bins);
    const sums = [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)];
    for (const frame of frames)
      for (let i = 0; i < frame.length; i += 4) {
        const k = bin(frame[i], frame[i + 1], frame[i + 2]);
        ++count[k];
        for (let c = 0; c < 3; ++c) sums[c][k] += frame[i + c];
      }
    const order = Array.from(count.keys()).filter((k) => count[k] > 0).sort((a, b) => count[b] - count[a]);
    for (const k of order.slice(0, kTransparent))
      this.colours.push([0, 1, 2].map((c) => Math.round(sums[c][k] / count[k])) as [number, number, number]);
    this.nearest = new Int16Array(bins).fill(-1);
  }

  find(r: number, g: number, b: number): number {
    const k = bin(r, g, b);
    if (this.nearest[k] >= 0) return this.nearest[k];
    let best = 0;
    let least = Infinity;
    this.colours.forEach(([x, y, z], i) => {
      const d = 2 * (x - r) ** 2 + 4 * (y - g) ** 2 + 3 * (z - b) ** 2;
      if (d < least) [least, best] = [d, i];
    });
    this.nearest[k] = best;
    return best;
  }
}

class Bytes {
  private parts: number[] = [];
  put(...values: number[]): void {
    for (const v of values) this.parts.push(v & 255);
  }
  word(value: number): void {
    this.put(value, value >> 8);
  }
  text(text: string): void {
    this.put(...[...text].map((c) => c.charCodeAt(0)));
  }
  /// In blocks of at most 255 bytes, as GIF wants it.
  blocks(data: number[]): void {
    for (let i = 0; i < data.length; i += 255) {
      const piece = data.slice(i, i + 255);
      this.put(piece.length);
      for (const v of piece) this.parts.push(v);
    }
    this.put(0);
  }
  done(): Uint8Array {
    return Uint8Array.from(this.parts);
  }
}

/// Lempel, Ziv, Welch with codes of up to 12 bits.
function lzw(pixels: Uint8Array): number[] {
  const clear = 256;
  const out: number[] = [];
  let [held, bits, size] = [0, 0, 9];
  let table = new Map<number, number>();
  let next = clear + 2;
  const emit = (code: number) => {
    held |= code << bits;
    for (bits += size; bits >= 8; bits -= 8) {
      out.push(held & 255);
      held >>>= 8;
    }
  };
  emit(clear);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; ++i) {
    const key = (prefix << 8) | pixels[i];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    emit(prefix);
    if (next < 4096) {
      if (next === 1 << size) ++size;
      table.set(key, next++);
    } else {
      emit(clear);
      table = new Map();
      [next, size] = [clear + 2, 9];
    }
    prefix = pixels[i];
  }
  emit(prefix);
  emit(clear + 1);
  if (bits > 0) out.push(held & 255);
  return out;
}

/// `delay` between frames in hundredths of a second.
export function gifOf(frames: Frame[], width: number, height: number, delay: number): Uint8Array {
  const palette = new Palette(frames.filter((_, i) => i % Math.ceil(frames.length / 8) === 0));
  const bytes = new Bytes();
  bytes.text('GIF89a');
  bytes.word(width);
  bytes.word(height);
  bytes.put(0xf7, 0, 0);
  for (let i = 0; i < 256; ++i) bytes.put(...(palette.colours[i] ?? [0, 0, 0]));
  bytes.put(0x21, 0xff, 11);
  bytes.text('NETSCAPE2.0');
  bytes.put(3, 1, 0, 0, 0); // for ever
  let before: Uint8Array | null = null;
  for (const frame of frames) {
    const now = new Uint8Array(width * height);
    for (let i = 0; i < now.length; ++i) now[i] = palette.find(frame[4 * i], frame[4 * i + 1], frame[4 * i + 2]);
    const old = before;
    const shown = old ? now.map((c, i) => (c === old[i] ? kTransparent : c)) : now;
    bytes.put(0x21, 0xf9, 4, old ? 5 : 4);
    bytes.word(delay);
    bytes.put(kTransparent, 0, 0x2c);
    for (const v of [0, 0, width, height]) bytes.word(v);
    bytes.put(0, 8);
    bytes.blocks(lzw(shown));
    before = now;
  }
  bytes.put(0x3b);
  return bytes.done();
}
