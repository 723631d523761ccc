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
  /// Of multiples; without them numbers are floats.
  quanta?: number;
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
  is_angle: boolean[];
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
  /// Multiples of a quantum per run at a place, in runs that were continued on straight lines.
  multiples(at: number, count: number, run: number, quanta: Float64Array): Float32Array;
}

const kMagic = 'PICUSPG2';

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

function unpackedMultiples(bytes: Uint8Array, run: number, quanta: Float64Array): Float32Array {
  const count = bytes.length / 4;
  const result = new Float32Array(count);
  const [b, c, d] = [count, 2 * count, 3 * count];
  for (let first = 0, channel = 0; first < count; first += run, ++channel) {
    let before = 0;
    let slope = 0;
    const quantum = quanta[channel];
    const end = Math.min(count, first + run);
    for (let i = first; i < end; ++i) {
      const bits = bytes[i] | (bytes[b + i] << 8) | (bytes[c + i] << 16) | (bytes[d + i] << 24);
      const value = (before + slope + ((bits >>> 1) ^ -(bits & 1))) | 0; // the sign is the lowest bit
      slope = i === first ? 0 : (value - before) | 0;
      before = value;
      result[i] = value * quantum;
    }
  }
  return result;
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
    multiples(at, count, run, quanta) {
      check(at + 4 * count);
      return unpackedMultiples(new Uint8Array(buffer, begin + at, 4 * count), Math.max(1, run), quanta);
    },
  };
}
