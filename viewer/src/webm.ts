// SPDX-License-Identifier: BSD-3-Clause
// A WebM file around frames that the browser has encoded (Matroska, one track, one cluster).

function concat(parts: Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

function bytesOf(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let v = value; v > 0 || bytes.length === 0; v = Math.floor(v / 256)) bytes.unshift(v % 256);
  return Uint8Array.from(bytes);
}

// A length in eight bytes.
function length(size: number): Uint8Array {
  const bytes = new Uint8Array(8);
  for (let i = 7, v = size; i > 0; --i, v = Math.floor(v / 256)) bytes[i] = v % 256;
  bytes[0] = 1;
  return bytes;
}

function element(id: number, ...content: Uint8Array[]): Uint8Array {
  const body = concat(content);
  return concat([bytesOf(id), length(body.length), body]);
}
const integer = (id: number, value: number) => element(id, bytesOf(value));
const text = (id: number, value: string) => element(id, new TextEncoder().encode(value));
function real(id: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

export interface EncodedFrame {
  data: Uint8Array;
  key: boolean;
  time: number; // [ms]
}

function clusters(frames: EncodedFrame[]): Uint8Array[] {
  const result: Uint8Array[] = [];
  for (let i = 0; i < frames.length; ) {
    const begin = frames[i].time;
    const blocks: Uint8Array[] = [];
    // times within a cluster have 15 bits
    for (; i < frames.length && frames[i].time - begin < 30000; ++i) {
      const offset = frames[i].time - begin;
      const head = Uint8Array.of(0x81, offset >> 8, offset & 255, frames[i].key ? 0x80 : 0);
      blocks.push(element(0xa3, head, frames[i].data));
    }
    result.push(element(0x1f43b675, integer(0xe7, begin), ...blocks));
  }
  return result;
}

/// Colours as VP8 has them by its standard (BT.601, 16 … 235): left to itself the browser takes all
/// 256 values, and players make what is light white. Width and height are even.
export function i420Of(rgba: Uint8ClampedArray, width: number, height: number): Uint8Array<ArrayBuffer> {
  const pixels = width * height;
  const result = new Uint8Array(pixels + pixels / 2);
  const half = width / 2;
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const p = 4 * (y * width + x);
      result[y * width + x] = 16.5 + 0.25679 * rgba[p] + 0.50413 * rgba[p + 1] + 0.09791 * rgba[p + 2];
    }
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      const mean = (c: number) => {
        const p = 4 * (y * width + x) + c;
        return 0.25 * (rgba[p] + rgba[p + 4] + rgba[p + 4 * width] + rgba[p + 4 * width + 4]);
      };
      const [r, g, b] = [mean(0), mean(1), mean(2)];
      const at = pixels + (y / 2) * half + x / 2;
      result[at] = 128.5 - 0.14822 * r - 0.29099 * g + 0.43922 * b;
      result[at + pixels / 4] = 128.5 + 0.43922 * r - 0.36779 * g - 0.07143 * b;
    }
  return result;
}

export function webmOf(frames: EncodedFrame[], width: number, height: number, duration: number): Uint8Array {
  const head = element(0x1a45dfa3,
    integer(0x4286, 1), integer(0x42f7, 1), integer(0x42f2, 4), integer(0x42f3, 8),
    text(0x4282, 'webm'), integer(0x4287, 2), integer(0x4285, 2));
  const info = element(0x1549a966, integer(0x2ad7b1, 1000000), real(0x4489, duration), text(0x4d80, 'Picus'), text(0x5741, 'Picus'));
  // matrix BT.601, primaries BT.709, sRGB, 16 … 235
  const colour = element(0x55b0, integer(0x55b1, 6), integer(0x55b9, 1), integer(0x55ba, 13), integer(0x55bb, 1));
  const video = element(0xe0, integer(0xb0, width), integer(0xba, height), colour);
  const track = element(0xae, integer(0xd7, 1), integer(0x73c5, 1), integer(0x83, 1), text(0x86, 'V_VP8'), video);
  return concat([head, element(0x18538067, info, element(0x1654ae6b, track), ...clusters(frames))]);
}
