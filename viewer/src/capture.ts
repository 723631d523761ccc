// SPDX-License-Identifier: BSD-3-Clause
// Pictures without a person before the screen: the program opens the page with a wish in its
// address, and reads the picture out of the document.
import type { App } from './app';

export function captureWanted(hash: URLSearchParams): boolean {
  return hash.has('snapshot');
}

export async function capture(app: App, hash: URLSearchParams): Promise<void> {
  if (hash.get('snapshot') === 'scene') document.documentElement.dataset.bare = 'true';
  await new Promise((resolve) => setTimeout(resolve, 0));
  app.showTime();
  app.scene.fit();
}
