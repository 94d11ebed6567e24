import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
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
beforeAll(async () => {
  server = await sharedServer();
  packages = ((await (await get('/packages/')).json()) as { data: Package[] }).data;
});
afterAll(() => server.close());

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
