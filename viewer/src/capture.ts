// SPDX-License-Identifier: BSD-3-Clause
// Pictures without a person before the screen: the program opens the page with a wish in its
// address, takes a picture of it, or reads a film out of the document.
import type { App } from './app';
import { make } from './dom';
import { gifOf } from './gif';
import type { EncodedFrame } from './webm';
import { i420Of, webmOf } from './webm';

export function captureWanted(hash: URLSearchParams): boolean {
  return hash.has('snapshot') || hash.has('film');
}

export async function capture(app: App, hash: URLSearchParams): Promise<void> {
  if (hash.has('snapshot')) {
    if (hash.get('snapshot') === 'scene') document.documentElement.dataset.bare = 'true';
    freeze(app);
    window.addEventListener('resize', () => freeze(app)); // the window gets its size late
    return;
  }
  const result = make('pre', { id: 'film' });
  try {
    result.textContent = base64(await film(app, hash));
  } catch (error) {
    result.textContent = `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  document.body.replaceChildren(result);
}

/// Puts a picture in the place of the canvas, which is there only when the graphics processor has
/// found the time.
function freeze(app: App): void {
  document.querySelector('img.scene-canvas')?.remove();
  app.layOut();
  app.scene.fit();
  app.showTime();
  app.scene.render();
  const { canvas } = app.scene;
  canvas.after(make('img', { class: 'scene-canvas', decoding: 'sync', src: canvas.toDataURL() }));
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/// Waits for something that happens outside of this thread. A browser that is told to hurry skips
/// idle time, so there must be none.
async function withoutIdling<T>(work: Promise<T>): Promise<T> {
  let settled = false;
  const done = work.finally(() => (settled = true));
  const channel = new MessageChannel();
  const turn = () => new Promise<void>((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
  while (!settled) await turn();
  channel.port1.close();
  return await done;
}

interface Wish {
  width: number;
  height: number;
  times: number[];
  perSecond: number;
}

function wishOf(app: App, hash: URLSearchParams, perSecond: number): Wish {
  const number = (key: string) => Number(hash.get(key) ?? 0);
  const all = !(number('to') > number('from'));
  const [from, to] = all ? [app.player.begin, app.player.end] : [number('from'), number('to')];
  const count = Math.max(2, Math.round(number('seconds') * perSecond));
  return {
    width: number('width') || 640,
    height: number('height') || 400,
    times: Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1)),
    perSecond,
  };
}

// Draws the scene at every time and hands it on.
async function shoot(app: App, wish: Wish, take: (canvas: HTMLCanvasElement, i: number) => void | Promise<void>) {
  document.documentElement.dataset.bare = 'true';
  app.scene.resize(wish.width, wish.height, 1);
  app.scene.fit();
  for (const [i, t] of wish.times.entries()) {
    app.player.seek(t);
    app.showTime();
    app.scene.render();
    await take(app.scene.canvas, i);
  }
}

async function film(app: App, hash: URLSearchParams): Promise<Uint8Array> {
  return hash.get('film') === 'gif' ? await gifFilm(app, hash) : await webmFilm(app, hash);
}

/// Reads the pixels of the scene.
function pixelReader(wish: Wish): (canvas: HTMLCanvasElement) => Uint8ClampedArray {
  const copy = make('canvas', { width: wish.width, height: wish.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas to copy frames to');
  return (canvas) => {
    context.drawImage(canvas, 0, 0, wish.width, wish.height);
    return context.getImageData(0, 0, wish.width, wish.height).data;
  };
}

async function gifFilm(app: App, hash: URLSearchParams): Promise<Uint8Array> {
  const wish = wishOf(app, hash, 20);
  const read = pixelReader(wish);
  const frames: Uint8ClampedArray[] = [];
  await shoot(app, wish, (canvas) => void frames.push(read(canvas)));
  return gifOf(frames, wish.width, wish.height, 100 / wish.perSecond);
}

async function webmFilm(app: App, hash: URLSearchParams): Promise<Uint8Array> {
  const wish = wishOf(app, hash, 30);
  const frames: EncodedFrame[] = [];
  let trouble: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, key: chunk.type === 'key', time: Math.round(chunk.timestamp / 1000) });
    },
    error: (error) => (trouble = error),
  });
  wish.width &= ~1; // colours are told for pairs of pixels
  wish.height &= ~1;
  encoder.configure({ codec: 'vp8', width: wish.width, height: wish.height, bitrate: 2.5e6, framerate: wish.perSecond });
  const read = pixelReader(wish);
  await shoot(app, wish, async (canvas, i) => {
    const frame = new VideoFrame(i420Of(read(canvas), wish.width, wish.height), {
      format: 'I420', codedWidth: wish.width, codedHeight: wish.height,
      timestamp: Math.round((1e6 * i) / wish.perSecond),
      colorSpace: { matrix: 'smpte170m', primaries: 'bt709', transfer: 'iec61966-2-1', fullRange: false },
    });
    encoder.encode(frame, { keyFrame: i % 60 === 0 });
    frame.close();
    if (encoder.encodeQueueSize > 8) await withoutIdling(encoder.flush());
  });
  await withoutIdling(encoder.flush());
  if (trouble) throw trouble as Error;
  return webmOf(frames, wish.width, wish.height, (1000 * wish.times.length) / wish.perSecond);
}
