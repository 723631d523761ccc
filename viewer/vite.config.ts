// SPDX-License-Identifier: BSD-3-Clause
// One HTML file with everything inside: scripts and styles go where they are named.
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('no index.html in the bundle');
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        if (part.type === 'chunk') {
          const code = part.code.replaceAll('</script', '<\\/script');
          html = html.replace(/<script[^>]*src="[^"]*"[^>]*><\/script>/, '');
          html = html.replace('</body>', () => `<script type="module">${code}</script></body>`);
        } else {
          html = html.replace(/<link[^>]*rel="stylesheet"[^>]*>/, () => `<style>${part.source}</style>`);
        }
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [singleFile()],
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 1e8, cssCodeSplit: false },
});
