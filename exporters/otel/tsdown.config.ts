import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/main.ts', 'src/auto.ts'],
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  dts: true,
  // The package contains what it uses of OpenTelemetry's SDK: see docs/adr/0026-exporter-without-dependencies.md.
  deps: { onlyBundle: [/^@opentelemetry\/(?!api$)/] },
  // Their ES modules, of which only the used parts are taken.
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
});
