import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const noKey = { 'x-api-key': null, 'x-application-id': null };
const get = (path: string, headers: Record<string, string> = {}) =>
  server.call('GET', path, { headers: { ...noKey, ...headers } });

describe.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
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
  it('may ask no other host, whatever its script tries', async () => {
    const { headers } = await get('/docs');
    const policy = new Map(
      (headers.get('content-security-policy') ?? '')
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
    );
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('script-src')).toEqual(["'self'"]);
    expect(policy.get('connect-src')).toEqual(["'self'"]);
    for (const sources of policy.values())
      for (const source of sources)
        expect(["'none'", "'self'", "'unsafe-inline'", 'data:']).toContain(source);
  });

  it('names files of this server only, and all of them are there', async () => {
    const [page, start] = [(await get('/docs')).text, (await get('/docs/start.js')).text];
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g), ...start.matchAll(/"url":"([^"]+)"/g)].map(
      ([, path]) => String(path),
    );
    expect(named).toEqual(['docs/reference.js', 'docs/start.js', 'openapi.json']);
    for (const path of named) expect((await get(`/${path}`)).status).toBe(200);
    expect(page + start).not.toMatch(/\/\//);
    expect(start).toContain('"withDefaultFonts":false');
    expect(start).toContain('"telemetry":false');
  });

  it('starts a script that is there', async () => {
    expect((await get('/docs/reference.js')).text).toContain('createApiReference');
  });
});
