import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SpanIndex } from '../../src/span-index/reader.ts';
import { otlpRequest, spanHex, traceBytes } from '../support/spans.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
  const body = otlpRequest([
    { id: 1, name: 'root' },
    { id: 2, parent: 1, name: 'child', status: 2 },
    { id: 3, parent: 9, name: 'orphan' },
  ]);
  await server.call('POST', '/v1/traces', { headers: { 'content-type': 'application/x-protobuf' }, body });
});
afterAll(() => server.close());

const path = `/v0/traces/${traceBytes(1).toString('hex')}/span-index`;
const get = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, { headers: { ...server.headers, ...headers } });

describe('GET /v0/traces/{id}/span-index', () => {
  it('returns the packed rows of the trace', async () => {
    const response = await get();
    expect(response.headers.get('content-type')).toBe('application/vnd.touchstone.span-index');
    const index = new SpanIndex(new Uint8Array(await response.arrayBuffer()));
    const rows = Array.from({ length: index.rows }, (_, row) => [
      index.spanId(row),
      index.name(row),
      index.depth(row),
      index.has(row, 'error'),
    ]);
    expect(rows).toEqual([
      [spanHex(1), 'root', 0, false],
      [spanHex(2), 'child', 1, true],
      [spanHex(9), '', 0, false],
      [spanHex(3), 'orphan', 1, false],
    ]);
  });

  it('has a version, which the caller may name to get 304 while nothing has changed', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/".+"$/);
    const unchanged = await get({ 'if-none-match': `"other", ${etag}` });
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([
      304,
      '',
      etag,
    ]);
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);

    const body = otlpRequest([{ id: 4, parent: 1 }]);
    await server.call('POST', '/v1/traces', { headers: { 'content-type': 'application/x-protobuf' }, body });
    const changed = await get({ 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });
});
