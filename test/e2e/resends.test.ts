import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLedger } from '../support/ledger.ts';
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

const traceOf = async (trace: string) => (await server.ok('GET', `/v0/traces/${trace}`)).data;

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

/** test/traces/store.test.ts holds what a store makes of spans that it knows. */
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
