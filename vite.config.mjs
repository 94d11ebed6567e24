import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** The dashboard. Development: `npx vite` beside a running server, to which it passes the calls of the API. */
export default defineConfig({
  root: 'src/dashboard',
  publicDir: false,
  // Files find each other relative to themselves: a proxy may serve them below a path.
  base: './',
  plugins: [tailwindcss()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // The Content-Security-Policy allows no inline script, and all supported browsers preload modules themselves.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { '^/(v0|v1|docs|openapi.json|healthz|readyz)': 'http://127.0.0.1:4318' } },
});
