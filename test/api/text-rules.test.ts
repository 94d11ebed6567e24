import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';
import { otlpRequest } from '../support/spans.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const MESSAGE = 'must not contain half of a surrogate pair';

describe('half of a surrogate pair', () => {
  it.each<[method: string, path: string, body: unknown, issuePath: string[]]>([
    ['POST', '/v0/tags', { name: 'a\ud800' }, ['name']],
    ['POST', '/v0/tasks', { title: 'a', inputExamples: ['ok', '\udc00b'] }, ['inputExamples', '1']],
    ['POST', '/v0/tasks', { title: 'a', metadata: { inner: ['\ud800'] } }, ['metadata', 'inner', '0']],
    ['POST', '/v0/tasks', { title: 'a', metadata: { 'k\ud800': 1 } }, ['metadata', 'k\ufffd']],
  ])('is 422 in every text: %s %s', async (method, path, body, issuePath) => {
    const { status, json } = await server.call(method, path, { body });
    expect(status).toBe(422);
    const { issues } = json as { issues: { code: string; message: string; path: string[] }[] };
    expect(issues).toContainEqual({ code: 'invalid_string', message: MESSAGE, path: issuePath });
  });

  it('is none where both halves follow each other', async () => {
    const { status } = await server.call('POST', '/v0/tags', {
      body: { name: `pair \ud83d\ude00 ${Date.now()}` },
    });
    expect(status).toBe(201);
  });
});

describe('an accent', () => {
  it('is the same in either form, in names of tags and in searches', async () => {
    const { json } = await server.call('POST', '/v0/tags', { body: { name: 'Cafe\u0301 tag' } });
    expect((json as { data: { name: string } }).data.name).toBe('Caf\u00e9 tag');
    await server.call('POST', '/v0/tasks', { body: { title: 'Cafe\u0301 task', inputExamples: ['x'] } });
    for (const search of ['caf\u00e9 task', 'cafe\u0301 task']) {
      const found = await server.call('GET', `/v0/tasks?search=${encodeURIComponent(search)}`);
      expect((found.json as { data: unknown[] }).data).toHaveLength(1);
    }
  });
});

describe('traces whose ids differ only in bits that the uuid replaces', () => {
  const ids = ['5b8efff7980381038269b633813fc60c', '5b8efff798034103c269b633813fc60c'];
  const uuid = '5b8efff7-9803-8103-8269-b633813fc60c';

  it('are distinguished by their 32 hex digits, and never confused', async () => {
    const body = otlpRequest(ids.map((trace) => ({ trace, id: 1 })));
    const sent = await fetch(`${server.url}/v1/traces`, {
      method: 'POST',
      headers: { ...server.headers, 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(body),
    });
    expect(sent.status).toBe(200);
    const annotation = { traceId: uuid, verdict: true, source: 'TRACE_PAGE' };
    for (const [method, path, sentBody] of [
      ['GET', `/v0/traces/${uuid}`],
      ['GET', `/v0/traces/${uuid}/spans`],
      ['DELETE', `/v0/traces/${uuid}`],
      ['POST', '/v0/human-annotations', annotation],
    ] as const) {
      const { status, json } = await server.call(method, path, sentBody ? { body: sentBody } : {});
      expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 409`);
      for (const id of ids) expect((json as { message: string }).message).toContain(id);
    }
    const listed = await server.call('GET', `/v0/traces?id=${uuid}`);
    const traces = (listed.json as { data: { otelTraceId: string }[] }).data;
    expect(traces.map(({ otelTraceId }) => otelTraceId).sort()).toEqual([...ids].sort());
    const [first, second] = ids as [string, string];
    const read = await server.call('GET', `/v0/traces/${first}`);
    expect((read.json as { data: { otelTraceId: string } }).data.otelTraceId).toBe(first);
    expect((await server.call('DELETE', `/v0/traces/${first}`)).status).toBe(204);
    // Now the uuid is that of the other one alone.
    const left = await server.call('GET', `/v0/traces/${uuid}`);
    expect((left.json as { data: { otelTraceId: string } }).data.otelTraceId).toBe(second);
  });
});

describe('a list of traces', () => {
  it('is sorted by createdAt where that is requested, not by the time of the trace', async () => {
    const tenant = await server.newTenant();
    const send = async (trace: string, start: number): Promise<void> => {
      const { status } = await fetch(`${server.url}/v1/traces`, {
        method: 'POST',
        headers: { ...tenant.headers, 'content-type': 'application/x-protobuf' },
        body: new Uint8Array(otlpRequest([{ trace, id: 1, start }])),
      });
      expect(status).toBe(200);
      await new Promise((resolve) => void setTimeout(resolve, 5));
    };
    const sent = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    for (const [index, trace] of sent.entries()) await send(trace, (3 - index) * 1_000_000_000);
    const order = async (field: string): Promise<string[]> => {
      const { json } = await server.call('GET', `/v0/traces?orderBy=${field}&orderDir=asc`, {
        headers: tenant.headers,
      });
      return (json as { data: { otelTraceId: string }[] }).data.map(({ otelTraceId }) => otelTraceId);
    };
    expect(await order('createdAt')).toEqual(sent);
    expect(await order('timestamp')).toEqual(sent.toReversed());
  });
});
