import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';

interface Package {
  name: string;
  file: string;
  bytes: number;
  sha256: string;
}

const FILES = ['otel.tgz', 'client.tgz', 'touchstone_otel-0.1.0-py3-none-any.whl'];

let server: TestServer;
let packages: Package[];
const app = mkdtempSync(join(tmpdir(), 'touchstone-packages-'));
beforeAll(async () => {
  server = await sharedServer();
  packages = ((await (await get('/packages/')).json()) as { data: Package[] }).data;
});
afterAll(async () => {
  await server.close();
  rmSync(app, { recursive: true });
});

/** Sends a request without a key. */
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, { headers });

it('lists all packages without a key, for programs and for people', async () => {
  expect(packages.map(({ file }) => file)).toEqual(FILES);
  const page = await get('/packages', { accept: 'text/html' });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const text = await page.text();
  for (const { file, name } of packages) {
    expect(text).toContain(`href="/packages/${file}"`);
    expect(text).toContain(name);
  }
});

describe.each(FILES)('%s', (file) => {
  it('has the bytes that the list promises, and is sent again only when it has changed', async () => {
    const { bytes, sha256 } = packages.find((one) => one.file === file) as Package;
    const response = await get(`/packages/${file}`);
    const body = Buffer.from(await response.arrayBuffer());
    expect([response.status, body.length]).toEqual([200, bytes]);
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    const again = await get(`/packages/${file}`, { 'if-none-match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });
});

it('has every package that the documentation installs', () => {
  const pages = ['README.md', ...markdownIn('docs'), ...markdownIn('examples'), ...markdownIn('exporters')];
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/TOUCHSTONE_URL\/packages\/([\w.-]+\w)/g)].map(
      ([, file]) => file,
    ),
  );
  expect(new Set(named)).toEqual(new Set(FILES));
});

const markdownIn = (folder: string): string[] =>
  globSync(`${folder}/**/*.md`, { exclude: ['**/node_modules/**'] });

it.each(['/packages/index.json', '/packages/..%2fmain.js', '/packages/otel'])('has no %s', async (path) => {
  const response = await get(path);
  expect([response.status, await response.json()]).toEqual([
    404,
    { message: 'No such package. GET /packages/ lists all.' },
  ]);
});

it.each([['publint/src/cli.js', '--strict'], ['@arethetypeswrong/cli/dist/index.js']])(
  'the client passes %s as it is handed out',
  async (script, ...options) => {
    const command = [`node_modules/${script}`, ...options, 'dist/packages/client.tgz'];
    // Rejects with the complaints.
    const { stderr } = await promisify(execFile)(process.execPath, command);
    expect(stderr).toBe('');
  },
);

it('npm installs the packages from the server, and they load', async () => {
  writeFileSync(join(app, 'package.json'), '{ "private": true }');
  const run = (program: string, args: readonly string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(program, args, { cwd: app, env: { ...process.env, NODE_ENV: '' } });
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--legacy-peer-deps'];
  const urls = ['otel', 'client'].map((name) => `${server.url}/packages/${name}.tgz`);
  await run('npm', ['install', ...quiet, ...urls]);
  const use = `
    import { answerOf, createClient } from 'touchstone-client';
    const client = createClient({ baseUrl: '${server.url}', apiKey: '${server.apiKey}', applicationId: '${server.applicationId}' });
    console.log((await answerOf(client.GET('/v0/tasks'))).pagination.total);`;
  writeFileSync(join(app, 'use.mjs'), use);
  expect((await run(process.execPath, ['use.mjs'])).stdout).toBe('0\n');
});
