import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';
import { ROOT } from '../support/sources.ts';

/** Largest size of what every visitor loads first, and of each part that loads later, in bytes as brotli. */
const SHELL_BYTES = 260_000;
const CHUNK_BYTES = 60_000;
const ALL_BYTES = 550_000;

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const NOBODY = { 'x-api-key': null, 'x-application-id': null };
const files = JSON.parse(readFileSync(join(ROOT, 'dist/dashboard/files.json'), 'utf8')) as {
  path: string;
  size: number;
  br: number;
}[];
const page = readFileSync(join(ROOT, 'dist/dashboard/index.html'), 'utf8');
const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? [];

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

/** Gets a file as it is sent, without the decoding that `fetch` does. */
const get = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request(server.url + path, { headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
    })
      .on('error', reject)
      .end();
  });

describe('the page', () => {
  it.each(['/', '/traces', '/traces/0af7651916cd43dd8448eb211c80319c?span=1', '/settings?tab=keys'])(
    'is what a browser gets at %s',
    async (path) => {
      const { status, headers, text } = await server.call('GET', path, { headers: { ...NOBODY, ...HTML } });
      expect(status).toBe(200);
      expect(text).toBe(page);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    },
  );

  it('is the places of the server as JSON at / for a program', async () => {
    const { status, json, headers } = await server.call('GET', '/', {
      headers: { ...NOBODY, accept: 'application/json' },
    });
    expect([status, headers.get('vary')]).toEqual([200, 'accept, accept-encoding']);
    const { links } = json as { links: Record<string, string> };
    expect(Object.keys(links)).toEqual(expect.arrayContaining(['traces', 'reference', 'openapi']));
    for (const path of Object.values(links))
      expect((await server.call('GET', path, { headers: HTML })).status, path).toBeOneOf([200, 405]);
  });

  it('may load nothing but files of this server, and turn no text into markup', async () => {
    const { headers } = await server.call('GET', '/', { headers: HTML });
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)|https?:\/\//);
  });

  it.each([
    ['a call of the API', 'GET', '/v0/nothing', HTML],
    ['a path of OTLP', 'GET', '/v1/nothing', HTML],
    ['a page of the documentation', 'GET', '/docs/nothing', HTML],
    ['a file that does not exist', 'GET', '/assets/nothing.js', HTML],
    ['a file outside', 'GET', '/assets/..%2findex.html', HTML],
    ['a program', 'GET', '/traces', { accept: 'application/json' }],
    ['another method', 'POST', '/traces', HTML],
  ])('is not the response to %s', async (_what, method, path, headers) => {
    const { status, json } = await server.call(method, path, { headers });
    expect(status).toBe(404);
    expect((json as { message: string }).message).toMatch(/^(?:Not found|There is no )/);
  });

  it('is not sent again while it is the same', async () => {
    const { headers } = await get('/', HTML);
    const again = await get('/', { ...HTML, 'if-none-match': String(headers['etag']) });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
  });
});

describe('files', () => {
  const plain = readFileSync(join(ROOT, 'dist/dashboard', script));
  it.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
    [undefined, 'identity', (bytes: Buffer) => bytes],
  ])('are sent as %s to whoever accepts %s', async (encoding, accept, decode) => {
    const { status, headers, body } = await get(script, { 'accept-encoding': accept });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['vary']).toContain('accept-encoding');
    expect(decode(body).equals(plain)).toBe(true);
  });

  it('stay in caches, because their names change with them', async () => {
    const { headers } = await get(script, {});
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  });
});

describe('the budget', () => {
  const sizeOf = (wanted: (path: string) => boolean): number =>
    files.filter(({ path }) => wanted(path)).reduce((sum, { br }) => sum + br, 0);

  it('of the shell holds', () => {
    const shell = sizeOf((path) => path === 'index.html' || page.includes(`/${path}`));
    expect(shell).toBeGreaterThan(10_000);
    expect(shell).toBeLessThan(SHELL_BYTES);
  });

  it('of each part that loads later holds, and of everything together', () => {
    const later = files.filter(({ path }) => path.endsWith('.js') && !page.includes(`/${path}`));
    expect(later.filter(({ br }) => br > CHUNK_BYTES)).toEqual([]);
    expect(sizeOf(() => true)).toBeLessThan(ALL_BYTES);
  });
});
