import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAll, readLedger } from '../support/ledger.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { otlpRequest, type SpanSpec } from '../support/spans.ts';
import { newTraceId } from './otlp-sender.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function send(specs: readonly SpanSpec[]): Promise<void> {
  const { status, text } = await server.call('POST', '/v1/traces', {
    headers: { 'content-type': 'application/x-protobuf' },
    body: otlpRequest(specs),
  });
  expect(status).toBe(200);
  expect(text).toBe('');
}

interface TraceJson {
  spanCount: number;
  errorCount: number;
  usage: { promptTokens: number; completionTokens: number; totalTokens: number };
  flags: string[];
  models: string[];
  durationMs: number;
}

async function traceOf(trace: string): Promise<TraceJson> {
  return (await server.ok('GET', `/v0/traces/${trace}`)).data;
}

/** What a piece of work adds to the ledger. */
async function ledgerOf(work: () => Promise<void>): Promise<Record<string, number>> {
  const before = await readLedger(server);
  await work();
  const after = await readLedger(server);
  const difference = (name: 'received' | 'stored' | 'duplicate' | 'replaced' | 'rejected') =>
    after[name] - before[name];
  return {
    received: difference('received'),
    stored: difference('stored'),
    duplicate: difference('duplicate'),
    replaced: difference('replaced'),
    rejected: difference('rejected'),
  };
}

const llm = (trace: string, id: number, over: Partial<SpanSpec> = {}): SpanSpec => ({
  trace,
  id,
  name: `call ${id}`,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 3,
  },
  ...over,
});

describe('a request that is sent again', () => {
  it('changes nothing when it is the same', async () => {
    const trace = newTraceId();
    const spans = [1, 2, 3].map((id) => llm(trace, id, { status: id === 3 ? 2 : 0 }));
    const added = await ledgerOf(async () => {
      for (let i = 0; i < 4; i++) await send(spans);
    });
    expect(added).toEqual({ received: 12, stored: 3, duplicate: 9, replaced: 0, rejected: 0 });
    expect(await traceOf(trace)).toMatchObject({
      spanCount: 3,
      errorCount: 1,
      usage: { promptTokens: 30, completionTokens: 9, totalTokens: 39 },
      flags: [],
    });
  });

  it('changes nothing when many connections send it at the same time', async () => {
    const trace = newTraceId();
    const spans = [1, 2, 3].map((id) => llm(trace, id));
    const added = await ledgerOf(async () => {
      await Promise.all(Array.from({ length: 16 }, () => send(spans)));
    });
    expect(added).toEqual({ received: 48, stored: 3, duplicate: 45, replaced: 0, rejected: 0 });
    expect(await traceOf(trace)).toMatchObject({ spanCount: 3, usage: { promptTokens: 30 } });
  });

  it('adds only what is new when it overlaps an earlier one in part', async () => {
    const trace = newTraceId();
    const all = Array.from({ length: 30 }, (_, i) => llm(trace, i + 1, i % 10 === 0 ? { status: 2 } : {}));
    const added = await ledgerOf(async () => {
      for (let from = 0; from < 25; from += 5) await send(all.slice(from, from + 10));
    });
    expect(added).toEqual({ received: 50, stored: 30, duplicate: 20, replaced: 0, rejected: 0 });
    expect(await traceOf(trace)).toMatchObject({
      spanCount: 30,
      errorCount: 3,
      usage: { promptTokens: 300, completionTokens: 90 },
    });
  });

  it('replaces what differs: the last wins, and the sums follow', async () => {
    const trace = newTraceId();
    const added = await ledgerOf(async () => {
      const other = llm(trace, 2, { parent: 1, attributes: {} });
      await send([llm(trace, 1, { status: 2, message: 'first' }), other]);
      const changed = llm(trace, 1, { name: 'second', status: 1 });
      await send([
        { ...changed, attributes: { ...changed.attributes, 'gen_ai.usage.input_tokens': 100 } },
        other,
      ]);
    });
    expect(added).toEqual({ received: 4, stored: 2, duplicate: 1, replaced: 1, rejected: 0 });
    expect(await traceOf(trace)).toMatchObject({
      spanCount: 2,
      errorCount: 0,
      usage: { promptTokens: 100, completionTokens: 3 },
      flags: ['replaced'],
    });
    const spans = await getAll<{ name: string; status: object }>(server, `/v0/traces/${trace}/spans`, 100);
    expect(spans).toContainEqual(expect.objectContaining({ name: 'second', status: { code: 'OK' } }));
    // The rewrite that comes behind drops what was known from the old version, and leaves all else as it was.
    const before = await traceOf(trace);
    await expect.poll(() => traceOf(trace)).toEqual({ ...before, rootName: 'second' });
    expect(await getAll(server, `/v0/traces/${trace}/spans`, 100)).toEqual(spans);
  });

  it('takes the last of two that differ within one request', async () => {
    const trace = newTraceId();
    const added = await ledgerOf(() =>
      send([
        llm(trace, 1, { name: 'first' }),
        llm(trace, 1, { name: 'last' }),
        llm(trace, 1, { name: 'last' }),
      ]),
    );
    expect(added).toEqual({ received: 3, stored: 1, duplicate: 1, replaced: 1, rejected: 0 });
    expect(await getAll(server, `/v0/traces/${trace}/spans`, 10)).toMatchObject([{ name: 'last' }]);
  });

  it('rejects spans of a trace that was deleted, and says so', async () => {
    const trace = newTraceId();
    await send([llm(trace, 1)]);
    expect((await server.call('DELETE', `/v0/traces/${trace}`)).status).toBe(204);
    const added = await ledgerOf(async () => {
      const { status, json } = await server.call('POST', '/v1/traces', {
        body: {
          resourceSpans: [
            { scopeSpans: [{ spans: [{ traceId: trace, spanId: '00000000000000ff', name: 'late' }] }] },
          ],
        },
      });
      expect(status).toBe(200);
      expect(json).toEqual({
        partialSuccess: {
          rejectedSpans: '1',
          errorMessage: expect.stringMatching(/^1 span: the trace was deleted/) as string,
        },
      });
    });
    expect(added).toEqual({ received: 1, stored: 0, duplicate: 0, replaced: 0, rejected: 1 });
    expect((await server.call('GET', `/v0/traces/${trace}`)).status).toBe(404);
  });
});
