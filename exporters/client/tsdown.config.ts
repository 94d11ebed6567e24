import { defineConfig } from 'tsdown';

/** The client that the dashboard and the command line use, as a package, with retries and lists. */
export default defineConfig({
  entry: ['src/client.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2023',
  fixedExtension: false,
  dts: { oxc: true },
});
