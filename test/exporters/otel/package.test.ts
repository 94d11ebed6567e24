import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT, type Line, makeApp, PACKAGE } from './support/built-package.ts';

const BUDGET = { bytes: 262_000, gzipped: 74_500 };
const LINES: Line[] = ['line-2-oldest', 'line-2', 'line-3'];
const ROOT = join(PACKAGE, '../..');

/** The package as it is published. */
const published = join(mkdtempSync(join(tmpdir(), 'touchstone-otel-')), 'package');

beforeAll(() => {
  mkdirSync(published);
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md']) {
    cpSync(join(PACKAGE, file), join(published, file));
  }
  cpSync(BUILT, join(published, 'dist'), { recursive: true });
});
afterAll(() => rmSync(join(published, '..'), { recursive: true, force: true }));

interface Manifest {
  dependencies?: Record<string, string>;
  peerDependencies: Record<string, string>;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Runs a program of the project, and gives back what it complains of. */
async function complaintsOf(script: string, args: readonly string[], cwd: string): Promise<string> {
  const command = [join(ROOT, 'node_modules', script), ...args];
  const failed = (error: { stdout: string; stderr: string }): string => error.stdout + error.stderr;
  return promisify(execFile)(process.execPath, command, { cwd }).then(() => '', failed);
}

const importsOf = (file: string): string[] =>
  [...readFileSync(join(published, 'dist', file), 'utf8').matchAll(/(?:from |require\()"([^"]+)"/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(node:|util$|\.\/)/.test(name));

/** Declarations that several entries share are in a file of their own, named by a hash. */
const SHARED = /^import .* from "\.\/(.+)\.c?js";$/;

/** The order of the imports is that in which the build happened to meet them. */
function declarationsOf(file: string): string {
  const lines = readFileSync(join(published, 'dist', file), 'utf8').split('\n');
  const isImport = (line: string): boolean => line.startsWith('import ');
  const suffix = file.slice(file.indexOf('.'));
  const shared = lines.flatMap((line) => SHARED.exec(line)?.[1] ?? []);
  return [
    ...lines.filter((line) => isImport(line) && !SHARED.test(line)).sort(),
    ...lines.filter((line) => !isImport(line)),
    ...shared.map((name) => readFileSync(join(published, 'dist', name + suffix), 'utf8')),
  ].join('\n');
}

describe('the published package', () => {
  it('declares what it declared', async () => {
    const declarations = declarationsOf('main.d.ts');
    expect(declarationsOf('main.d.cts')).toBe(declarations);
    await expect(declarations).toMatchFileSnapshot('api.snapshot.txt');
  });

  it.each([
    ['for import', /^(?!web).*\.js$/],
    ['for require', /\.cjs$/],
    ['for edge runtimes', /^web\.js$/],
  ])('keeps its programs %s small', (_for, name) => {
    const program = readdirSync(join(published, 'dist'))
      .filter((file) => name.test(file))
      .map((file) => readFileSync(join(published, 'dist', file)));
    expect(Buffer.concat(program).length).toBeLessThanOrEqual(BUDGET.bytes);
    expect(gzipSync(Buffer.concat(program)).length).toBeLessThanOrEqual(BUDGET.gzipped);
  });

  it('has no dependencies and imports only its peer, the API of OpenTelemetry', () => {
    const { dependencies, peerDependencies } = readManifest(published);
    expect(dependencies).toBe(undefined);
    expect(Object.keys(peerDependencies)).toEqual(['@opentelemetry/api']);
    for (const file of ['main.js', 'main.cjs', 'main.d.ts'])
      expect(new Set(importsOf(file))).toEqual(new Set(['@opentelemetry/api']));
  });

  it('has no module of Node in its build for edge runtimes', () => {
    const text = readFileSync(join(published, 'dist/web.js'), 'utf8');
    expect([...text.matchAll(/from "([^"]+)"/g)].map(([, name]) => name)).toEqual([
      '@opentelemetry/api',
      '@opentelemetry/api',
    ]);
  });

  it('offers the same for edge runtimes, but for the adapters of servers for Node', () => {
    const exported = (file: string): string[] =>
      (
        /export \{([^}]+)\};?\s*(?:\/\/.*)?\s*$/.exec(
          readFileSync(join(published, 'dist', file), 'utf8'),
        )?.[1] ?? ''
      )
        .split(',')
        .map((name) => name.trim());
    const ofNode = ['NodeListener', 'toNodeListener', 'FastifyScope', 'toFastifyPlugin'];
    expect(exported('web.d.ts').toSorted()).toEqual(
      exported('main.d.ts')
        .filter((name) => !ofNode.includes(name.replace(/^type /, '')))
        .toSorted(),
    );
  });

  it('lists what all runtimes have in one place', () => {
    const namesIn = (file: string): string[] =>
      [...readFileSync(join(PACKAGE, 'src', file), 'utf8').matchAll(/export (?:type )?\{([^}]+)\}/g)]
        .flatMap(([, names = '']) => names.split(','))
        .map((name) => name.trim());
    expect(namesIn('main.ts').filter((name) => namesIn('web.ts').includes(name))).toEqual([]);
  });

  it.each(['.js', '.cjs'])('loads nothing at run time (%s) that a bundler could not see', (suffix) => {
    const files = readdirSync(join(published, 'dist')).filter((file) => file.endsWith(suffix));
    const text = files.map((file) => readFileSync(join(published, 'dist', file), 'utf8')).join('\n');
    expect(text).not.toMatch(/createRequire|\bimport\(|import\.meta|require\.resolve|require\([^"]/);
  });

  it.each([
    ['publint/src/cli.js', '--strict'],
    // Old resolution of modules knows no subpaths, and `auto` has no types to find; `web` is an ES module only.
    ['@arethetypeswrong/cli/dist/index.js', '--exclude-entrypoints', 'auto', 'testing', 'web', '--pack'],
  ])('passes %s', async (script, ...options) => {
    expect(await complaintsOf(script, [...options, published], PACKAGE)).toBe('');
  });
});

describe.each(LINES)('OpenTelemetry of %s', (line) => {
  it('is within the range of the peer', () => {
    const version = installed(line)['@opentelemetry/api'] ?? '';
    const range = readManifest(published).peerDependencies['@opentelemetry/api'] ?? '';
    expect([version, range, isWithin(version, range)]).toEqual([version, range, true]);
  });

  it('agrees with the declared types, however the package is loaded', async () => {
    const app = await makeApp(line);
    const { dependencies = {} } = readManifest(join(PACKAGE, 'test', line));
    const sdk = Object.keys(dependencies).find((name) => name.includes('sdk-trace')) ?? '';
    const use = `
import { createServer } from 'node:http';
import type { Sampler as SdkSampler, SpanExporter, SpanProcessor } from '${sdk}';
import { AlwaysOnSampler, BatchSpanProcessor } from '${sdk}';
import type { WebhookTest } from 'touchstone-otel';
import { bind, createWebhookHandler, observe, recordTests, register, TestIdSpanProcessor, testSpans, toNodeListener, TouchstoneSpanExporter, TouchstoneSpanProcessor, withTest } from 'touchstone-otel';

export const exporter: SpanExporter = new TouchstoneSpanExporter({ url: 'http://127.0.0.1:4318' });
export const processors: SpanProcessor[] = [new TouchstoneSpanProcessor({ shouldExport: testSpans }), new TestIdSpanProcessor()];
export const batch = ${line === 'line-3' ? 'new BatchSpanProcessor({ exporter })' : 'new BatchSpanProcessor(exporter)'};
export const sampler: SdkSampler = recordTests(new AlwaysOnSampler());
export const answer: Promise<number> = withTest('id', async () => bind((n: number) => n + 1)(1));
const touchstone = register({ sampler, redact: (text) => text, strict: true, serviceName: process.env['NAME'] });
export const done: Promise<void> = touchstone.flush();
export const lost: number = touchstone.stats().dropped;
const run = async ({ prompt, overridesFor }: WebhookTest): Promise<unknown> => ({ prompt, ...overridesFor('answer') });
export const POST: (request: Request) => Promise<Response> = createWebhookHandler({ secret: process.env['SECRET'], touchstone, run });
createServer(toNodeListener(createWebhookHandler({ validate: 'api', touchstone: new TouchstoneSpanProcessor(), run })));
const search = observe(async <T extends string>(query: T, limit?: number) => [{ query, limit }], { kind: 'retriever', session: (query) => query, output: (found) => found.length });
export const found: Promise<{ query: 'a'; limit: number | undefined }[]> = search('a', 1);
async function* words(count: number): AsyncGenerator<string, void, unknown> { yield String(count); }
export const stream: AsyncGenerator<string, void, unknown> = observe(words, { kind: 'llm', output: (items) => items.join('') })(1);
class Bot {
  @observe({ kind: 'agent' })
  answer(question: string): string { return question; }
}
export const said: string = new Bot().answer('Hi');
// @ts-expect-error: the arguments stay those of the function
search(1);
// @ts-expect-error: a kind that traces do not show
observe(words, { kind: 'model' });
// @ts-expect-error: a test needs its id
withTest(() => 1);
// @ts-expect-error: a handler needs an app
createWebhookHandler({ validate: 'api' });
`;
    for (const file of ['use.mts', 'use.cts']) writeFileSync(join(app.folder, file), use);
    const options =
      '--ignoreConfig --noEmit --strict --module nodenext --target es2023 --lib es2023 --types node';
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    const args = [...options.split(' '), ...types, 'use.mts', 'use.cts'];
    const complaints = await complaintsOf('typescript/bin/tsc', args, app.folder);
    app.remove();
    expect(complaints).toBe('');
  });
});

/** The versions that the lock file of a line puts at its top, where the package finds them. */
function installed(line: Line): Record<string, string> {
  const lock = JSON.parse(readFileSync(join(PACKAGE, 'test', line, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  return Object.fromEntries(
    Object.entries(lock.packages)
      .filter(([path]) => path.lastIndexOf('node_modules/') === 0)
      .map(([path, { version }]) => [path.slice('node_modules/'.length), version]),
  );
}

/** For ranges of the form `>=1.2.3 <4`. */
function isWithin(version: string, range: string): boolean {
  const [, from = '', below = ''] = /^>=(\S+) <(\S+)$/.exec(range) ?? [];
  return compare(version, from) >= 0 && compare(version, below) < 0;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let n = 0; n < 3; n += 1) {
    const difference = (left[n] ?? 0) - (right[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
