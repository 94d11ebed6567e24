import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folded } from '../../src/resources/examples/writing/question.ts';
import { createContainsText } from '../../src/storage/sqlite/contains-text.ts';
import { hashOfId, spellingsOf } from '../../src/traces/subject-ids.ts';
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

/** A name in both forms. */
const [COMPOSED, DECOMPOSED] = ['Caf\u00e9 names', 'Cafe\u0301 names'];

describe('a name or a key that must be unique', () => {
  it.each<[path: string, status: number, body: (name: string) => object]>([
    ['/v0/views', 409, (name) => ({ name, screen: 'traces' })],
    ['/v0/inference-steps', 409, (externalId) => ({ type: 'LLM', externalId, title: 'a' })],
    ['/v0/tasks/{task}/examples', 409, (key) => ({ input: 'a', key })],
  ])('exists once, whatever its form: POST %s', async (path, status, body) => {
    const { json } = await server.call('POST', '/v0/tasks', { body: { title: 'a', type: 'STATIC' } });
    const url = path.replace('{task}', (json as { task: { id: string } }).task.id);
    const first = await server.call('POST', url, { body: body(DECOMPOSED) });
    expect(first.status, first.text).toBe(201);
    expect(first.text).toContain(COMPOSED);
    for (const name of [COMPOSED, DECOMPOSED])
      expect((await server.call('POST', url, { body: body(name) })).status).toBe(status);
  });

  it('names the same example in an import and in a filter, whatever its form', async () => {
    const created = await server.call('POST', '/v0/tasks', { body: { title: 'a', type: 'STATIC' } });
    const { id } = (created.json as { task: { id: string } }).task;
    const take = async (key: string): Promise<unknown> => {
      const response = await fetch(`${server.url}/v0/tasks/${id}/examples/import`, {
        method: 'POST',
        headers: { ...server.headers, 'content-type': 'text/csv' },
        body: `key,input\n${key},b\n`,
      });
      expect(response.status).toBe(200);
      return ((await response.json()) as { data: unknown }).data;
    };
    expect(await take(DECOMPOSED)).toMatchObject({ created: 1 });
    expect(await take(COMPOSED)).toMatchObject({ created: 0 });
    expect(await take(DECOMPOSED)).toMatchObject({ created: 0 });
    for (const key of [COMPOSED, DECOMPOSED]) {
      const { json } = await server.call('GET', `/v0/tasks/${id}/examples?key=${encodeURIComponent(key)}`);
      expect((json as { data: unknown[] }).data).toHaveLength(1);
    }
  });
});

describe('a text with many combining marks', () => {
  // Putting them in order would take minutes: it takes quadratic time.
  const text = `a${'\u0323\u0301'.repeat(250_000)}`;

  it('is rejected as a name without being normalised', async () => {
    expect((await server.call('POST', '/v0/tags', { body: { name: text } })).status).toBe(422);
  });

  it.each<[string, (text: string) => unknown]>([
    ['searches', createContainsText().bind(null, 'b')],
    ['hashes of ids', hashOfId],
    ['spellings of ids', spellingsOf],
    ['keys of prompts', folded],
  ])('is not normalised in %s', (_what, use) => {
    expect(use(text)).toBeDefined();
  });
});

describe('a query that is not UTF-8', () => {
  it.each(['a%ED%A0%80b', 'a%FFb', 'a%C3', '%zz', '100%'])('is 400: %s', async (text) => {
    for (const path of ['/v0/tags', '/v0/traces', '/v0/tests']) {
      const { status, json } = await server.call('GET', `${path}?search=${text}`);
      expect(status).toBe(400);
      expect(json).toMatchObject({ message: 'The query of the request is not valid' });
    }
  });

  it('is valid with any other character, and with encoded reserved ones', async () => {
    for (const text of ['%F0%9F%98%80', '100%25', 'a+b', '%2B%26%3D%3F', 'Caf%C3%A9'])
      expect((await server.call('GET', `/v0/tags?search=${text}`)).status).toBe(200);
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
