import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseEncoding } from '../../src/server/accept-encoding.ts';
import { otlpRequest, traceBytes } from '../support/spans.ts';
import { RawConnection, requestBytes, sendRaw } from '../support/sockets.ts';
import { startServer, type TestServer } from '../support/server.ts';

describe('chooseEncoding', () => {
  it.each<[accepted: string | undefined, encoding: string | null]>([
    [undefined, null],
    ['', null],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', null],
    ['identity', null],
    ['*', 'zstd'],
    ['*;q=0.5, zstd;q=0', 'br'],
    ['zstd;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip; q = 0', null],
    ['identity;q=1, gzip;q=0.5', null],
    ['gzip;q=nothing', null],
  ])('of %j is %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });
});

describe('responses', () => {
  let server: TestServer;
  const large = `/v0/traces/${traceBytes(1).toString('hex')}/spans?limit=100000`;
  const index = `/v0/traces/${traceBytes(1).toString('hex')}/span-index`;
  beforeAll(async () => {
    server = await startServer();
    const spans = Array.from({ length: 4_000 }, (_, i) => ({ id: i + 1, name: `span ${i}`, start: i }));
    const headers = { 'content-type': 'application/x-protobuf' };
    await server.call('POST', '/v1/traces', { headers, body: otlpRequest(spans) });
    await server.call('POST', '/v0/tags', { body: { name: 'x'.repeat(40) } });
  });
  afterAll(() => server.close());

  const get = (path: string, acceptEncoding: string | null, method = 'GET') =>
    sendRaw(server.url, {
      method,
      path,
      headers: { ...server.headers, 'accept-encoding': acceptEncoding },
    });

  it.each([
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('in pieces and at once are the same in %s as without', async (encoding, decompress) => {
    for (const path of [large, index, large.replace('100000', '30')]) {
      const [plain, packed] = [await get(path, null), await get(path, encoding)];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect([plain.headers['vary'], packed.headers['vary']]).toEqual(['accept-encoding', 'accept-encoding']);
      expect(packed.body.length).toBeLessThan(plain.body.length);
      expect(decompress(packed.body).equals(plain.body)).toBe(true);
    }
  });

  it.each<[what: string, method: string, path: string]>([
    ['a small response', 'GET', '/v0/tags?limit=1'],
    ['an error', 'GET', '/v0/tags/none'],
    ['the response of a change', 'POST', '/v0/api-keys'],
  ])('leave %s as it is', async (_what, method, path) => {
    const { headers } = await get(path, 'gzip, br, zstd', method);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('leave a response without its body as it is', async () => {
    const { status, headers } = await server.call('HEAD', large, { headers: { 'accept-encoding': 'gzip' } });
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([
      200,
      null,
      'accept-encoding',
    ]);
  });

  it('continue when clients disconnect in the middle', async () => {
    for (let i = 0; i < 20; i++) {
      const connection = await RawConnection.open(server.url);
      const headers = { ...server.headers, 'accept-encoding': 'br' };
      connection.write(requestBytes({ method: 'GET', path: large, headers }));
      connection.destroy();
      await connection.closed;
    }
    const answer = await get(large, 'zstd');
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'zstd']);
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
