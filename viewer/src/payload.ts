// SPDX-License-Identifier: BSD-3-Clause
// What the program sends: a compressed block with a JSON head and arrays of numbers
// (docs/formats/page.md).

export interface QuantityHead {
  group: string;
  name: string;
  items: string[];
  components: string[];
  unit: string;
  meaning: string;
  offsets: number;
  values: number;
  extremes?: number;
}

export interface Impacts {
  time: number[];
  contact: string[];
  first: string[];
  second: string[];
  before: number[];
  after: number[];
  impulse: number[];
  tangential: number[];
  lost: number[];
}

export interface RunEvent {
  time: number;
  kind: string;
  text: string;
}

export interface Head {
  name: string;
  version: string;
  created: string;
  integrator: string;
  options: unknown;
  model: string;
  complete: boolean;
  summary?: Record<string, unknown>;
  scene?: unknown;
  impacts: Impacts;
  impact_count: number;
  events: RunEvent[];
  samples: number;
  kept: number;
  time: number;
  quantities: QuantityHead[];
}

export interface Payload {
  head: Head;
  /// Doubles at a place of the binary part.
  doubles(at: number, count: number): Float64Array;
  /// Floats at a place, in runs whose neighbours were subtracted from each other.
  floats(at: number, count: number, run: number): Float32Array;
}

const kMagic = 'PICUSPG1';

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return await new Response(stream).arrayBuffer();
}

function unpacked(bytes: Uint8Array, run: number): Float32Array {
  const count = bytes.length / 4;
  const bits = new Uint32Array(count);
  const [b, c, d] = [count, 2 * count, 3 * count];
  let before = 0;
  for (let i = 0; i < count; ++i) {
    if (i % run === 0) before = 0;
    before += bytes[i] | (bytes[b + i] << 8) | (bytes[c + i] << 16) | (bytes[d + i] << 24);
    before |= 0;
    bits[i] = before;
  }
  return new Float32Array(bits.buffer);
}

/// Throws an Error with a sentence for people when the bytes are not a whole payload.
export async function readPayload(bytes: Uint8Array<ArrayBuffer>): Promise<Payload> {
  let buffer: ArrayBuffer;
  try {
    buffer = await inflated(bytes);
  } catch {
    throw new Error('The data of this page are damaged or cut short.');
  }
  const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, Math.min(8, buffer.byteLength)));
  if (magic !== kMagic) throw new Error('This page holds no run, or one of another version.');
  const size = Number(new DataView(buffer).getBigUint64(8, true));
  const begin = 16 + size;
  if (begin > buffer.byteLength) throw new Error('The data of this page are cut short.');
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16, size))) as Head;
  const check = (end: number) => {
    if (begin + end > buffer.byteLength) throw new Error('The data of this page are cut short.');
  };
  return {
    head,
    doubles(at, count) {
      check(at + 8 * count);
      return new Float64Array(buffer, begin + at, count);
    },
    floats(at, count, run) {
      check(at + 4 * count);
      return unpacked(new Uint8Array(buffer, begin + at, 4 * count), Math.max(1, run));
    },
  };
}
