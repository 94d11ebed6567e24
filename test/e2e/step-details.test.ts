/** Details of native steps, from `POST /v0/ingest` to `GET /v0/traces/{id}`. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

type Json = Record<string, unknown>;
interface TraceJson extends Json {
  steps: Json[];
}

const AT = '2026-03-01T12:00:00.000Z';

/** Sends a trace with these steps and returns it as it is read. */
async function traceWith(steps: readonly Json[], fields: Json = {}): Promise<TraceJson> {
  const traceId = randomUUID();
  const nested = steps.map((step) => ({ timestamp: AT, ...step }));
  const events = [{ type: 'trace', timestamp: AT, traceId, input: 'q', steps: nested, ...fields }];
  const { status, json, text } = await server.call('POST', '/v0/ingest', { body: { events } });
  expect([status, json], text).toEqual([200, { data: [{ success: true, id: traceId }] }]);
  const read = await server.call('GET', `/v0/traces/${traceId}`);
  return (read.json as { data: TraceJson }).data;
}

async function stepWith(step: Json): Promise<Json> {
  const { steps } = await traceWith([step]);
  return steps[0] as Json;
}

const log = { type: 'log', content: 'line' };

describe('metadata of any type', () => {
  it.each([
    ['an object', { a: 1 }, { a: 1 }],
    ['a text', 'plain', { metadata: 'plain' }],
    ['the JSON of an object', '{"a":1}', { a: 1 }],
    ['a list', ['a', 1], { metadata: ['a', 1] }],
    ['a number', 7, { metadata: 7 }],
    ['null', null, undefined],
  ])('is kept: %s', async (_what, metadata, shown) => {
    const { steps, ...trace } = await traceWith([{ ...log, metadata }], { metadata });
    expect(steps[0]?.['metadata']).toEqual(shown);
    expect(trace['metadata']).toEqual(shown ?? null);
  });
});

describe('the details of a step', () => {
  it.each<[string, Json, Json]>([
    ['the duration', { durationMs: 250 }, { durationMs: 250, endTime: '2026-03-01T12:00:00.250Z' }],
    ['the end', { endTime: '2026-03-01T13:00:01+01:00' }, { durationMs: 1_000 }],
    ['a failure', { error: 'refused' }, { status: 'error', error: 'refused' }],
    ['a time-out', { status: 'timeout' }, { status: 'timeout' }],
    ['success with a warning', { status: 'success', error: 'slow' }, { status: 'success', error: 'slow' }],
    ['a pending one', { status: 'pending' }, { status: 'pending' }],
    ['the status code', { statusCode: 502 }, { statusCode: '502' }],
    ['the cost', { costAmount: 0.25 }, { costAmount: 0.25 }],
    [
      'values of other types',
      { durationMs: 'long', status: 'odd' },
      { metadata: { durationMs: 'long', status: 'odd' } },
    ],
  ])('reach the model: %s', async (_what, given, shown) => {
    expect(await stepWith({ ...log, ...given })).toMatchObject(shown);
  });

  it.each<[Json, Json]>([
    [
      { type: 'llm', event: 'end', modelId: 'm', output: 'x', finishReason: 'length', durationMs: 40 },
      { finishReason: 'length', finishReasons: ['length'], durationMs: 40, endTime: AT },
    ],
    [
      { type: 'tool', name: 'find', toolCallId: 'call_1' },
      { toolName: 'find', toolCallId: 'call_1' },
    ],
    [
      { type: 'guardrail', guardrailAction: 'block', guardrailTriggered: true, guardrailType: 'pii' },
      { guardrailAction: 'block', guardrailTriggered: true, guardrailType: 'pii' },
    ],
    [
      {
        type: 'evaluator',
        evaluatorName: 'kind',
        evaluationScore: 0.5,
        evaluationLabel: 'fair',
        evaluationExplanation: { why: 'curt' },
      },
      {
        evaluatorName: 'kind',
        evaluationScore: 0.5,
        evaluationLabel: 'fair',
        evaluationExplanation: '{"why":"curt"}',
      },
    ],
    [
      { type: 'group', key: 'k', input: 'a', output: ['b'] },
      { key: 'k', input: 'a', output: '["b"]' },
    ],
  ])('reach the model by type: %j', async (given, shown) => {
    const step = await stepWith(given);
    expect(step).toMatchObject(shown);
    expect(step).not.toHaveProperty('metadata');
  });

  it('count in the trace', async () => {
    const failed = { ...log, error: 'refused', costAmount: 0.5, durationMs: 10 };
    expect(await traceWith([failed, log])).toMatchObject({
      hasError: true,
      errorCount: 1,
      totalCost: 0.5,
      totalDurationMs: 10,
    });
  });
});

describe('steps of the same time', () => {
  const names = Array.from({ length: 12 }, (_, i) => `step ${i}`);

  it('keep the order in which they were sent, and their time', async () => {
    const { steps, timestamp } = await traceWith(names.map((name) => ({ ...log, name })));
    expect(steps.map(({ name }) => name)).toEqual(names);
    expect(new Set([timestamp, ...steps.map((step) => step['timestamp'])])).toEqual(new Set([AT]));
  });

  it('pair with ends of the same time', async () => {
    const call = { type: 'llm', modelId: 'm' };
    const { steps } = await traceWith([
      { ...call, event: 'end', output: 'x' },
      log,
      { ...call, event: 'start', input: 'q' },
    ]);
    expect(steps.map(({ type, status }) => [type, status])).toEqual([
      ['log', 'success'],
      ['llm', 'success'],
    ]);
  });
});

it('the input of a trace begins with what lists show of it', async () => {
  const input = { question: 'x'.repeat(400) };
  const { id, input: whole } = await traceWith([], { input });
  const [listed] = (await server.ok('GET', `/v0/traces?id=${String(id)}`)).data;
  expect(JSON.stringify(whole).startsWith(listed?.input ?? 'nothing')).toBe(true);
});
