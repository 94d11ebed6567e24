import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  dts: true,
});
