import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type Tenant, type TestServer } from '../../support/server.ts';
import { type App, makeApp } from './support/built-package.ts';
import { findNode20 } from './support/nodes.ts';
import { newSecret } from './support/webhook.ts';

const TEST_ID = '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10';

/** An app of one file. It prints what became of its spans, and whether the test has its id. */
const APP = `
import { trace } from '@opentelemetry/api';
import { createWebhookHandler, register, withTest } from 'touchstone-otel';

async function main() {
  const touchstone = register({ serviceName: 'bundled', strict: true });
  createWebhookHandler({ secret: process.env.SECRET, touchstone, run: () => undefined });
  await withTest('${TEST_ID}', () => trace.getTracer('app').startSpan('answer').end());
  await touchstone.shutdown();
  console.log(JSON.stringify({ isRegistered: touchstone.isRegistered, exported: touchstone.stats().exported }));
}

void main();
`;

/** Programs that write a bundle of the file to another one. They run in the folder of the app. */
const BUNDLERS: Record<string, string> = {
  esbuild: `
    import { build } from 'esbuild';
    export default (entry, outfile, format) =>
      build({ entryPoints: [entry], outfile, format, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' });
  `,
  webpack: `
    import { promisify } from 'node:util';
    import { basename, dirname } from 'node:path';
    import webpack from 'webpack';
    export default async (entry, outfile, format) => {
      const isModule = format === 'esm';
      const stats = await promisify(webpack)({
        mode: 'production', target: 'node20', entry,
        experiments: { outputModule: isModule, topLevelAwait: true },
        output: { path: dirname(outfile), filename: basename(outfile), chunkFormat: isModule ? 'module' : 'commonjs', library: { type: isModule ? 'module' : 'commonjs2' } },
      });
      const { errors, warnings } = stats.toJson();
      if (errors.length + warnings.length > 0) throw new Error(JSON.stringify([...errors, ...warnings].map((one) => one.message)));
    };
  `,
  rollup: `
    import commonjs from '@rollup/plugin-commonjs';
    import resolve from '@rollup/plugin-node-resolve';
    import { rollup } from 'rollup';
    export default async (input, file, format) => {
      const onwarn = (warning) => { throw new Error(warning.message); };
      const bundle = await rollup({ input, onwarn, external: (id) => id.startsWith('node:') || id === 'util', plugins: [resolve({ preferBuiltins: true }), commonjs()] });
      await bundle.write({ file, format, inlineDynamicImports: true });
    };
  `,
  rolldown: `
    import { build } from 'rolldown';
    export default (input, file, format) =>
      build({ input, platform: 'node', logLevel: 'warn', onLog: (_, { message }) => { throw new Error(message); }, output: { file, format, codeSplitting: false } });
  `,
  vite: `
    import { basename, dirname } from 'node:path';
    import { build } from 'vite';
    export default (entry, outfile, format) =>
      build({
        configFile: false, logLevel: 'warn', ssr: { noExternal: true },
        build: { ssr: entry, outDir: dirname(outfile), emptyOutDir: false, rolldownOptions: { output: { format, entryFileNames: basename(outfile) } } },
      });
  `,
  bun: `
    import { execFile } from 'node:child_process';
    import { globSync } from 'node:fs';
    import { promisify } from 'node:util';
    // As its package for this machine has it: scripts of packages are not run.
    const [bun] = globSync('../@oven/*/bin/bun');
    export default (entry, outfile, format) =>
      promisify(execFile)(bun, ['build', entry, '--target=node', '--format=' + format, '--outfile=' + outfile]);
  `,
};

let app: App;
let server: TestServer;
/** A folder without node_modules above it: there is nothing to load beside the bundle. */
const away = mkdtempSync(join(tmpdir(), 'touchstone-bundles-'));
beforeAll(async () => {
  app = await makeApp('bundlers');
  server = await startServer();
}, 900_000);
afterAll(async () => {
  app.remove();
  await server.close();
  rmSync(away, { recursive: true, force: true });
});

const envFor = ({ apiKey, applicationId }: Tenant): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  SECRET: newSecret(),
  TOUCHSTONE_URL: server.url,
  TOUCHSTONE_API_KEY: apiKey,
  TOUCHSTONE_APPLICATION_ID: applicationId,
  OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
});

/** The server has the one span of the app, in its test. */
async function expectStored({ headers }: Tenant): Promise<void> {
  const ledger = await server.call('GET', '/v0/ingest/ledger', { headers });
  expect(ledger.json).toMatchObject({ data: [{ received: 1, stored: 1 }] });
  const trace = await server.call('GET', `/v0/traces/by-test/${TEST_ID}`, { headers });
  expect(trace.json).toMatchObject({ data: { testId: TEST_ID, spanCount: 1, rootName: 'answer' } });
}

describe.each(Object.keys(BUNDLERS))('a bundle by %s', (bundler) => {
  it.each([
    ['esm', 'mjs'],
    ['cjs', 'cjs'],
  ])('as %s sends its spans from a folder without packages', async (format, suffix) => {
    const [entry, script] = [`${bundler}-entry.mjs`, `${bundler}.mjs`].map((name) =>
      join(app.folder, name),
    ) as [string, string];
    const output = join(away, `${bundler}.${suffix}`);
    writeFileSync(entry, APP);
    writeFileSync(script, `${BUNDLERS[bundler]}`);
    const build = `const { default: bundle } = await import(${JSON.stringify(script)}); await bundle(...${JSON.stringify([entry, output, format])});`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', build], { cwd: app.folder });

    const tenant = await server.newTenant();
    const { stdout, stderr } = await promisify(execFile)(findNode20(), [output], {
      cwd: away,
      env: envFor(tenant),
    });
    expect({ stdout, stderr }).toEqual({ stdout: '{"isRegistered":true,"exported":1}\n', stderr: '' });
    await expectStored(tenant);
  });
});

/** Test runners with their default settings: their program, and the arguments for a folder. */
const RUNNERS: Record<string, { program: string; args: (folder: string) => string[]; after: string }> = {
  Jest: { program: 'jest/bin/jest.js', args: (folder) => ['--rootDir', folder], after: 'afterAll' },
  Mocha: { program: 'mocha/bin/mocha.js', args: () => ['answer.test.js'], after: 'after' },
};

describe.each(Object.entries(RUNNERS))('%s with its default settings', (name, { program, args, after }) => {
  it('sends the spans of its tests', async () => {
    // Jest looks for no tests below node_modules.
    const folder = join(away, name);
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    for (const [link, target] of [
      ['touchstone-otel', join(app.folder, 'node_modules/touchstone-otel')],
      ['@opentelemetry', join(app.folder, '../@opentelemetry')],
    ] as const)
      symlinkSync(target, join(folder, 'node_modules', link), 'dir');
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(
      join(folder, 'answer.test.js'),
      `
const { trace } = require('@opentelemetry/api');
const { register, withTest } = require('touchstone-otel');
const touchstone = register({ strict: true });
it('answers', () => withTest('${TEST_ID}', () => trace.getTracer('app').startSpan('answer').end()));
${after}(() => touchstone.shutdown());
`,
    );
    const tenant = await server.newTenant();
    const command = [join(app.folder, '..', program), ...args(folder)];
    const { stderr } = await promisify(execFile)(process.execPath, command, {
      cwd: folder,
      env: envFor(tenant),
    });
    expect(stderr).not.toContain('touchstone:');
    await expectStored(tenant);
  });
});
