import { defineConfig } from 'tsdown';

// The package contains what it uses of OpenTelemetry's SDK: see docs/adr/0026-exporter-without-dependencies.md.
const common = {
  fixedExtension: false,
  dts: true,
  deps: { onlyBundle: [/^@opentelemetry\/(?!api$)/] },
};

export default defineConfig([
  {
    ...common,
    entry: ['src/main.ts', 'src/auto.ts', 'src/testing.ts'],
    format: ['esm', 'cjs'],
    platform: 'node',
    target: 'node20.19',
    // Their ES modules, of which only the used parts are taken.
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  },
  {
    ...common,
    entry: ['src/web.ts'],
    format: ['esm'],
    platform: 'browser',
    target: 'es2023',
    // The first build has emptied the folder.
    clean: false,
    inputOptions: { resolve: { mainFields: ['browser', 'module', 'main'], aliasFields: [['browser']] } },
  },
]);
