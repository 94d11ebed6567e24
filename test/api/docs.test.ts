import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiCalls } from '../support/api-calls.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const noKey = { 'x-api-key': null, 'x-application-id': null };
const get = (path: string, headers: Record<string, string> = {}) =>
  server.call('GET', path, { headers: { ...noKey, ...headers } });

describe.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/reference.css', 'text/css; charset=utf-8'],
  ['/docs/reference.js', 'text/javascript; charset=utf-8'],
])('%s', (path, type) => {
  it('needs no key, and is requested again only when it has changed', async () => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const again = await get(path, { 'if-none-match': String(headers.get('etag')) });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get(path, { 'if-none-match': '"another"' })).status).toBe(200);
    expect((await get(path, { 'accept-encoding': 'identity' })).text).toBe(text);
  });
});

describe('the page', () => {
  it('may load files of this server only, and runs no inline script', async () => {
    const { headers, text } = await get('/docs');
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy.join()).not.toMatch(/unsafe|https?:/);
    expect(text).not.toMatch(/<style|style="|<script(?![^>]*\bsrc=)|\son\w+="/);
  });

  it('names files that are there, and sections that are in it', async () => {
    const { text } = await get('/docs');
    const named = new Set([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => String(path)));
    const files = [...named].filter((path) => !/^[#]|^data:|^\.\/$/.test(path));
    expect(files.sort()).toEqual(['docs/reference.css', 'docs/reference.js', 'openapi.json']);
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => String(id));
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
    const missing = [...named].filter((path) => path.startsWith('#') && !ids.includes(path.slice(1)));
    expect(missing).toEqual([]);
  });

  it('shows every operation with its path, its parameters and a command', async () => {
    const { text } = await get('/docs');
    for (const { operation, method, path } of apiCalls) {
      const start = text.indexOf(`<article id="${operation.operationId}">`);
      const article = text.slice(start, text.indexOf('</article>', start));
      expect(article, operation.operationId).toContain(`>${method}</b> <code>${path}</code>`);
      expect(article, operation.operationId).toContain('curl ');
      for (const { name } of operation.parameters ?? []) expect(article).toContain(`<code>${name}</code>`);
    }
  });

  it('contains no text that looks like a key', async () => {
    expect((await get('/docs')).text).not.toMatch(/sk_\w{12}_\w{20}/);
  });

  it('sends less than 200 kB in all', async () => {
    let bytes = 0;
    for (const path of ['/docs', '/docs/reference.css', '/docs/reference.js'])
      bytes += gzipSync((await get(path)).text).length;
    expect(bytes).toBeLessThan(200_000);
  });

  it('has the colours of the dashboard', async () => {
    const dashboard = readFileSync('src/dashboard/styles.css', 'utf8');
    const colours = [...(await get('/docs/reference.css')).text.matchAll(/--[\w-]+: #\w+;/g)].map(
      ([text]) => text,
    );
    expect(colours.length).toBeGreaterThan(20);
    expect(colours.filter((colour) => !dashboard.includes(colour))).toEqual([]);
  });
});
