/** The package in other runtimes, in frameworks of servers and under Vitest: spans ended = stats() = stored. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { type App, makeApp } from './support/built-package.ts';
import { newDelivery, newSecret, post } from './support/webhook.ts';

let app: App;
let modules: string;
let server: TestServer;
beforeAll(async () => {
  app = await makeApp('frameworks');
  modules = join(app.folder, '..');
  server = await startServer();
}, 900_000);
afterAll(async () => {
  app.remove();
  await server.close();
});

type Tenant = Awaited<ReturnType<TestServer['newTenant']>>;

const environment = ({ apiKey, applicationId }: Tenant): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TOUCHSTONE_URL: server.url,
  TOUCHSTONE_API_KEY: apiKey,
  TOUCHSTONE_APPLICATION_ID: applicationId,
  OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
});

async function storedOf({ headers }: Tenant): Promise<number> {
  const { json } = await server.call('GET', '/v0/ingest/ledger', { headers });
  return (json as { data: { stored: number }[] }).data.reduce((sum, row) => sum + row.stored, 0);
}

const LOST_NONE = { rejected: 0, failed: 0, dropped: 0, waiting: 0, inFlight: 0 };

/** Finds the program of a runtime in the package for this platform. */
function programOf(scope: string, path: string): string {
  const [folder = ''] = readdirSync(join(modules, scope)).filter((name) => !name.includes('musl'));
  return join(modules, scope, folder, path);
}

const RUNTIMES: Record<string, () => string[]> = {
  Bun: () => [programOf('@oven', 'bin/bun')],
  Deno: () => [
    programOf('@deno', 'deno'),
    'run',
    '--allow-all',
    '--no-prompt',
    '--node-modules-dir=manual',
    '--no-lock',
  ],
};

describe.each(Object.keys(RUNTIMES))('%s', (name) => {
  it.each(['main.mjs', 'main.cjs'])('stores every span of %s', async (file) => {
    const tenant = await server.newTenant();
    const testIds = Array.from({ length: 8 }, () => randomUUID());
    const [program = '', ...args] = RUNTIMES[name]?.() ?? [];
    const { stdout, stderr } = await promisify(execFile)(program, [...args, join(app.folder, file)], {
      cwd: app.folder,
      env: {
        ...environment(tenant),
        HOME: app.folder,
        MODE: 'register',
        BURST: '2000',
        TEST_IDS: JSON.stringify(testIds),
      },
      maxBuffer: 2 ** 26,
    });
    expect(stderr).toBe('');
    const { stats, reported } = JSON.parse(stdout) as {
      stats: object;
      reported: { testId: string | null }[];
    };
    expect(reported).toHaveLength(8 * 3 + 2_000);
    expect(stats).toMatchObject({ ended: reported.length, exported: reported.length, ...LOST_NONE });
    expect(await storedOf(tenant)).toBe(reported.length);
    for (const testId of testIds) {
      const { json } = await server.call('GET', `/v0/traces/by-test/${testId}`, { headers: tenant.headers });
      expect(json).toMatchObject({ data: { testId } });
    }
  });
});

describe.each(['express', 'fastify', 'hono', 'koa'])('%s', (framework) => {
  it('runs tests at the same time, and stores the spans of each', async () => {
    const [tenant, secret] = [await server.newTenant(), newSecret()];
    const child = spawn(process.execPath, [join(app.folder, 'framework.mjs')], {
      cwd: app.folder,
      env: { ...environment(tenant), FRAMEWORK: framework, SECRET: secret },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await expect.poll(() => stdout + stderr).toContain('\n');
    const url = stdout.split('\n')[0] ?? '';
    const deliveries = Array.from({ length: 20 }, () => newDelivery(secret));
    const answers = await Promise.all(deliveries.map((delivery) => post(url, delivery)));
    expect(answers, stderr).toEqual(deliveries.map(() => ({ status: 200, body: { ok: true } })));
    child.stdin.end();
    await once(child, 'close');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout.split('\n')[1] ?? '')).toMatchObject({ ended: 40, exported: 40, ...LOST_NONE });
    expect(await storedOf(tenant)).toBe(40);
    for (const { testId } of deliveries) {
      const { json } = await server.call('GET', `/v0/traces/by-test/${testId}`, { headers: tenant.headers });
      expect(json).toMatchObject({ data: { testId } });
    }
  });
});

/** Makes an app that is not below node_modules, where the runners of tests look for none. */
function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-project-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, target] of [
    ['touchstone-otel', join(app.folder, 'node_modules/touchstone-otel')],
    ['@opentelemetry', join(modules, '@opentelemetry')],
    ['vitest', join(modules, 'vitest')],
  ] as const)
    symlinkSync(target, join(folder, 'node_modules', name), 'dir');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/** Ends spans in a test, and writes down the counts of its process or thread. */
const PART = `
const { appendFileSync } = require('node:fs');
const { randomUUID } = require('node:crypto');
const { trace } = require('@opentelemetry/api');
const { register, withTest } = require('touchstone-otel');
exports.work = async () => {
  const touchstone = register();
  withTest(randomUUID(), () => {
    for (let n = 0; n < 10; n += 1) trace.getTracer('app').startSpan('answer').end();
  });
  await touchstone.shutdown();
  appendFileSync(process.env.RESULTS, JSON.stringify(touchstone.stats()) + '\\n');
};
`;

/** Programs of three parts. */
const PROGRAMS: Record<string, { program: string; args: string[] }> = {
  'a cluster': {
    program: `
import cluster from 'node:cluster';
import { work } from './part.cjs';
if (cluster.isPrimary) for (let n = 0; n < 3; n += 1) cluster.fork();
else void work().then(() => process.disconnect());
`,
    args: ['main.mjs'],
  },
  'worker threads': {
    program: `
import { isMainThread, Worker } from 'node:worker_threads';
import { work } from './part.cjs';
if (isMainThread) for (let n = 0; n < 3; n += 1) new Worker(new URL(import.meta.url));
else await work();
`,
    args: ['main.mjs'],
  },
  'the test runner of Node': {
    program: `
import test from 'node:test';
import { work } from './part.cjs';
test('answers', work);
`,
    args: ['--test', 'main.mjs', 'second.mjs', 'third.mjs'],
  },
};

it.each(Object.entries(PROGRAMS))('%s: each part sends its spans', async (_name, { program, args }) => {
  const [tenant, folder] = [await server.newTenant(), makeProject()];
  const results = join(folder, 'results');
  try {
    writeFileSync(join(folder, 'part.cjs'), PART);
    for (const name of ['main', 'second', 'third']) writeFileSync(join(folder, `${name}.mjs`), program);
    const { stderr } = await promisify(execFile)(process.execPath, args, {
      cwd: folder,
      env: { ...environment(tenant), RESULTS: results },
    });
    expect(stderr).toBe('');
    const counts = readFileSync(results, 'utf8').trim().split('\n');
    expect(counts).toHaveLength(3);
    for (const line of counts)
      expect(JSON.parse(line)).toMatchObject({ ended: 10, exported: 10, ...LOST_NONE });
    expect(await storedOf(tenant)).toBe(30);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('Vitest with its default settings', () => {
  it('sends the spans of two files of tests', async () => {
    const [tenant, folder] = [await server.newTenant(), makeProject()];
    try {
      for (const name of ['first', 'second'])
        writeFileSync(
          join(folder, `${name}.test.js`),
          `import { writeFileSync } from 'node:fs';
import { trace } from '@opentelemetry/api';
import { register, withTest } from 'touchstone-otel';
import { afterAll, test } from 'vitest';
const touchstone = register({ strict: true });
test.each([1, 2, 3])('answers %s', () => withTest(crypto.randomUUID(), () => trace.getTracer('app').startSpan('answer').end()));
afterAll(async () => {
  await touchstone.shutdown();
  writeFileSync('${name}.json', JSON.stringify(touchstone.stats()));
});
`,
        );
      const vitest = join(modules, 'vitest/vitest.mjs');
      const run = promisify(execFile)(process.execPath, [vitest, 'run'], {
        cwd: folder,
        env: environment(tenant),
      });
      const { stderr } = await run;
      expect(stderr).not.toContain('touchstone:');
      for (const name of ['first', 'second'])
        expect(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))).toMatchObject({
          ended: 3,
          exported: 3,
          ...LOST_NONE,
        });
      expect(await storedOf(tenant)).toBe(6);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it('a function that is frozen between its calls loses nothing', async () => {
  const tenant = await server.newTenant();
  const program = `
import { createInterface } from 'node:readline';
import { trace } from '@opentelemetry/api';
import { register } from 'touchstone-otel';
const touchstone = register();
for await (const _line of createInterface({ input: process.stdin })) {
  for (let n = 0; n < 3; n += 1) trace.getTracer('app').startSpan('answer').end();
  await touchstone.flush();
  console.log(JSON.stringify(touchstone.stats()));
}
`;
  writeFileSync(join(app.folder, 'frozen.mjs'), program);
  const child = spawn(process.execPath, [join(app.folder, 'frozen.mjs')], {
    cwd: app.folder,
    env: environment(tenant),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  for (let call = 1; call <= 4; call += 1) {
    child.stdin.write('call\n');
    await expect.poll(() => stdout.split('\n').length + Number(stderr !== '')).toBe(call + 1);
    // Connections that were kept end meanwhile: the server closes them after five seconds without a request.
    child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, call === 1 ? 6_000 : 300));
    child.kill('SIGCONT');
  }
  child.stdin.end();
  await once(child, 'close');
  expect(stderr).toBe('');
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    ended: 12,
    exported: 12,
    ...LOST_NONE,
  });
  expect(await storedOf(tenant)).toBe(12);
});
