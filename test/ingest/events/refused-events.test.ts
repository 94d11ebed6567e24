import { describe, expect, it } from 'vitest';
import { MemoryStore, newTrace } from './memory-store.ts';

const TRACE = 'b3c1a0de-2a44-4f0e-9d5c-0123456789ab';
const TEST = '7f9c24e8-3b12-4ef1-8a60-f5c0d1e2a3b4';
const AT = '2026-01-31T12:00:00Z';
const trace = { type: 'trace', timestamp: AT, traceId: TRACE };
const log = { type: 'log', timestamp: AT, content: 'x' };
const TIME =
  'must be an ISO 8601 time such as 2026-01-31T12:00:00.123Z, or Unix milliseconds as a number, before the year 2262';

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level++) value = { a: value };
  return value;
}

async function errorOf(event: unknown): Promise<string> {
  const { results, rejected, spans } = await new MemoryStore().send(event);
  const last = results.at(-1);
  if (last === undefined || last.success) throw new Error('the event was taken');
  expect(Object.keys(rejected)).toHaveLength(1);
  expect(spans).toEqual([]);
  return last.error;
}

describe('an event is rejected with the path of what is wrong', () => {
  it.each<[rule: string, event: unknown, error: unknown]>([
    ['no object', 'trace', 'must be an object'],
    ['null', null, 'must be an object'],
    ['an array', [trace], 'must be an object'],
    [
      'an unknown type',
      { ...log, type: 'constructor' },
      'type: must be one of trace, llm, tool, retriever, reranker, embedding, agent, guardrail, evaluator, group, log, request, response',
    ],
    [
      'a type that is no text',
      { ...log, type: { toString: 0 } },
      expect.stringMatching(/^type: must be one of/),
    ],
    ['no timestamp', { type: 'trace' }, 'timestamp: required'],
    ['a timestamp of null', { ...trace, timestamp: null }, 'timestamp: required'],
    ['a timestamp of another type', { ...trace, timestamp: true }, `timestamp: ${TIME}`],
    ['a day that does not exist', { ...trace, timestamp: '2026-02-30' }, `timestamp: ${TIME}`],
    ['a traceId that is no uuid', { ...trace, traceId: 'abc' }, 'traceId: must be a uuid'],
    ['a traceId that is no string', { ...trace, traceId: 7 }, 'traceId: must be a uuid'],
    [
      'a traceId of zeros',
      { ...trace, traceId: '00000000-0000-0000-0000-000000000000' },
      'traceId: must not be the all-zero uuid',
    ],
    [
      'a traceId that is the testId',
      { ...trace, traceId: TEST.toUpperCase(), testId: TEST },
      'traceId: must be a random uuid, not the testId; omit it to have one generated',
    ],
    ['a testId that is no uuid', { ...trace, testId: 'test 1' }, 'testId: must be a uuid'],
    ['a number as input', { ...trace, input: 7 }, 'input: must be a string, an object or an array'],
    ['a referenceId that is no string', { ...trace, referenceId: 7 }, 'referenceId: must be a string'],
    ['steps that are no array', { ...trace, steps: {} }, 'steps: must be an array of step events'],
    ['an id that is no string', { ...log, traceId: TRACE, id: 7 }, 'id: must be a string'],
    ['a log without content', { ...log, content: undefined }, 'content: required'],
    ['an llm without event', { type: 'llm', timestamp: AT, modelId: 'm' }, 'event: must be "start" or "end"'],
    [
      'an llm start without anything',
      { type: 'llm', event: 'start' },
      'timestamp: required; modelId: required; input: required',
    ],
    [
      'an empty modelId',
      { type: 'llm', event: 'end', timestamp: AT, modelId: '' },
      'modelId: must not be empty',
    ],
    [
      'half a token',
      {
        type: 'llm',
        event: 'end',
        timestamp: AT,
        modelId: 'm',
        usage: { promptTokens: 1.5, completionTokens: -1 },
      },
      'usage.promptTokens: must be a whole number; usage.completionTokens: must not be negative',
    ],
    [
      'usage that is no object',
      { type: 'llm', event: 'end', timestamp: AT, modelId: 'm', usage: 3 },
      'usage: must be an object',
    ],
    ['a retriever without result', { type: 'retriever', timestamp: AT, query: 'q' }, 'result: required'],
    ['a group without key', { type: 'group', timestamp: AT }, 'key: required'],
    [
      'a bad nested step',
      { ...trace, steps: [log, log, { type: 'llm', event: 'end', timestamp: AT }] },
      'steps.2.modelId: required',
    ],
    [
      'several mistakes of a nested step',
      { ...trace, steps: [{ type: 'retriever', timestamp: AT }] },
      'steps.0.query: required; steps.0.result: required',
    ],
    ['a nested step that is no object', { ...trace, steps: [7] }, 'steps.0: must be an object'],
    [
      'a nested trace',
      { ...trace, steps: [trace] },
      'steps.0.type: must be one of llm, tool, retriever, reranker, embedding, agent, guardrail, evaluator, group, log, request, response',
    ],
    [
      'a nested step of another trace',
      { ...trace, steps: [{ ...log, traceId: newTrace(5) }] },
      'steps.0.traceId: differs from that of the enclosing event; omit it',
    ],
    [
      'a value nested too deep',
      { ...trace, input: nested(129) },
      'input: objects and arrays must be nested at most 128 levels deep',
    ],
    [
      'a field without a name nested too deep',
      { ...trace, whatever: nested(100_000) },
      'whatever: objects and arrays must be nested at most 128 levels deep',
    ],
    [
      'a value of a nested step nested too deep',
      { ...trace, steps: [{ ...log, metadata: nested(129) }] },
      'steps.0.metadata: objects and arrays must be nested at most 128 levels deep',
    ],
    ['a step without a trace', log, 'traceId: required, because no trace event precedes this step'],
  ])('%s', async (_definition, event, error) => {
    expect(await errorOf(event)).toEqual(error);
  });

  it('a step whose trace event failed', async () => {
    const { results, rejected } = await new MemoryStore().send({ type: 'trace' }, log);
    expect(results[1]).toEqual({
      success: false,
      error: 'traceId: required, because the trace event before this step failed',
    });
    expect(rejected).toEqual({ invalid_event: 1, no_trace: 1 });
  });
});

describe('an event is taken', () => {
  it.each<[rule: string, event: object]>([
    [
      'with values nested 128 deep',
      { ...trace, input: nested(128), steps: [{ ...log, metadata: nested(128) }] },
    ],
    [
      'with a nested step that repeats its traceId',
      { ...trace, steps: [{ ...log, traceId: TRACE.toUpperCase() }] },
    ],
    ['with milliseconds as time', { ...trace, timestamp: 1_769_860_800_000 }],
    ['with no steps', { ...trace, steps: [] }],
  ])('%s', async (_definition, event) => {
    expect((await new MemoryStore().send(event)).results).toEqual([{ success: true, id: TRACE }]);
  });

  it('beside bad neighbours, in order', async () => {
    const store = new MemoryStore();
    const { results, received, rejected } = await store.send(
      7,
      log,
      trace,
      log,
      { ...trace, traceId: newTrace(5), steps: [log, 7] },
      log,
      { ...log, traceId: TRACE },
    );
    expect(results.map(({ success }) => success)).toEqual([false, false, true, true, false, false, true]);
    expect(received).toBe(9);
    expect(rejected).toEqual({ invalid_event: 4, no_trace: 2 });
  });
});

describe('10 000 events and nested steps in one call', () => {
  const steps = (count: number) => Array.from({ length: count }, () => log);

  it('are taken', async () => {
    const { results, received, rejected } = await new MemoryStore().send(
      { ...trace, steps: steps(9_998) },
      log,
    );
    expect(results).toEqual([{ success: true, id: TRACE }, { success: true }]);
    expect({ received, rejected }).toEqual({ received: 10_000, rejected: {} });
  });

  it('are the most: the event that brings more fails entirely, a later one that fits is taken', async () => {
    const { results, received, rejected } = await new MemoryStore().send(
      { ...trace, steps: steps(6_000) },
      { ...trace, traceId: newTrace(7), steps: steps(4_000) },
      { ...trace, traceId: newTrace(8), steps: steps(3_997) },
    );
    expect(results).toEqual([
      { success: true, id: TRACE },
      {
        success: false,
        error:
          'steps: a call accepts at most 10000 events and nested steps, of which 3997 were left for these; send them in several calls',
      },
      { success: true, id: newTrace(8) },
    ]);
    expect(received).toBe(14_000);
    expect(rejected).toEqual({ too_many_steps: 4_001 });
  });
});
