import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonValue, SpanMessage } from '../../../src/traces/span-wire.ts';
import { hex, MemoryStore, newTrace } from './memory-store.ts';

const TRACE = 'b3c1a0de-2a44-4f0e-9d5c-0123456789ab';
const TRACE_BYTES = Buffer.from(TRACE.replaceAll('-', ''), 'hex');
const AT = '2026-01-31T12:00:00Z';
const step = { timestamp: AT, traceId: TRACE };

/** The span id of a step that the sender calls `id`. */
function hashed(id: string): Buffer {
  return createHash('sha256').update(TRACE_BYTES).update('step').update(id).digest().subarray(0, 8);
}

async function spanOf(event: object): Promise<SpanMessage> {
  const store = new MemoryStore();
  const { results } = await store.send(event);
  expect(results).toEqual([{ success: true }]);
  const [span] = store.read();
  if (span === undefined) throw new Error('no span');
  return span;
}

describe('a step becomes a span', () => {
  it.each<[event: Record<string, unknown> & { type: string }, attributes: Record<string, JsonValue>]>([
    [
      { type: 'llm', event: 'start', modelId: 'm-1', input: [{ role: 'user', content: 'Hi' }] },
      {
        'openinference.span.kind': 'LLM',
        'gen_ai.request.model': 'm-1',
        'input.value': '[{"role":"user","content":"Hi"}]',
        'input.mime_type': 'application/json',
        'touchstone.open': true,
      },
    ],
    [
      {
        type: 'llm',
        event: 'end',
        modelId: 'm-1',
        output: 'Hello',
        usage: { promptTokens: 12, completionTokens: 0 },
      },
      {
        'openinference.span.kind': 'LLM',
        'gen_ai.request.model': 'm-1',
        'output.value': 'Hello',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 0,
        'touchstone.unpaired': true,
      },
    ],
    [
      { type: 'tool', toolInput: { city: 'Bern' }, toolOutput: '7 °C' },
      {
        'openinference.span.kind': 'TOOL',
        'input.value': '{"city":"Bern"}',
        'input.mime_type': 'application/json',
        'output.value': '7 °C',
      },
    ],
    [{ type: 'tool' }, { 'openinference.span.kind': 'TOOL' }],
    [
      { type: 'retriever', query: 'q', result: [{ id: 1 }] },
      {
        'openinference.span.kind': 'RETRIEVER',
        'input.value': 'q',
        'output.value': '[{"id":1}]',
        'output.mime_type': 'application/json',
      },
    ],
    ...['reranker', 'embedding', 'agent', 'guardrail', 'evaluator'].map(
      (type): [{ type: string; input: string; output: string }, Record<string, JsonValue>] => [
        { type, input: 'in', output: 'out' },
        { 'openinference.span.kind': type.toUpperCase(), 'input.value': 'in', 'output.value': 'out' },
      ],
    ),
    [
      { type: 'group', key: 'plan' },
      { 'openinference.span.kind': 'CHAIN', 'touchstone.key': 'plan' },
    ],
    [{ type: 'log', content: 'seen' }, { 'input.value': 'seen' }],
    [
      { type: 'request', content: { a: 1 } },
      { 'input.value': '{"a":1}', 'input.mime_type': 'application/json' },
    ],
    [{ type: 'response', content: '' }, { 'input.value': '' }],
  ])('%o', async (event, attributes) => {
    const span = await spanOf({ ...step, ...event });
    expect({ ...span.attributes }).toEqual({ 'touchstone.event': event.type, ...attributes });
    expect(span).toMatchObject({
      traceId: TRACE_BYTES,
      parentSpanId: null,
      name: event['modelId'] ?? event.type,
      startTime: 1_769_860_800_000_000_000n,
      endTime: 1_769_860_800_000_000_000n,
    });
  });

  it('with all the fields steps have in common', async () => {
    const span = await spanOf({
      ...step,
      type: 'tool',
      id: 'call 1',
      parentId: 'plan',
      name: 'weather',
      group: 'g',
      params: { retries: 2 },
      metadata: { a: 1 },
      region: 'eu',
    });
    expect(span).toMatchObject({ name: 'weather', spanId: hashed('call 1'), parentSpanId: hashed('plan') });
    expect({ ...span.attributes }).toEqual({
      'touchstone.event': 'tool',
      'openinference.span.kind': 'TOOL',
      'touchstone.group': 'g',
      'touchstone.params': '{"retries":2}',
      metadata: '{"a":1,"region":"eu"}',
      'touchstone.id': 'call 1',
      'touchstone.parent_id': 'plan',
    });
  });

  it('with fields of other types and of usage as metadata', async () => {
    const usage = { promptTokens: 1, cachedTokens: 5 };
    const span = await spanOf({ ...step, type: 'llm', event: 'end', modelId: 'm', usage, toolInput: 'x' });
    expect(span.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 1,
      metadata: '{"toolInput":"x","usage":{"cachedTokens":5}}',
    });
    expect(span.attributes).not.toHaveProperty('input.value');
  });

  it('with halves of characters replaced', async () => {
    const span = await spanOf({ ...step, type: 'log', id: 'a\ud800', name: '\udc00b', content: 'c\ud800' });
    expect(span.name).toBe('\ufffdb');
    expect(span.attributes).toMatchObject({ 'input.value': 'c\ufffd', 'touchstone.id': 'a\ufffd' });
  });
});

describe('the trace of a step', () => {
  it('is its own traceId, without any trace event', async () => {
    expect((await spanOf({ ...step, type: 'log', content: 'x' })).traceId).toEqual(TRACE_BYTES);
  });

  it('is the one it is nested in, else the trace event before it', async () => {
    const store = new MemoryStore();
    const log = (content: string, rest = {}) => ({ type: 'log', timestamp: AT, content, ...rest });
    const trace = (steps: object[]) => ({ type: 'trace', timestamp: AT, steps });
    await store.send(trace([log('a')]), log('b'), log('own', { traceId: TRACE }), trace([]), log('c'));

    const traces = store
      .read()
      .filter(({ attributes }) => attributes['touchstone.event'] === 'log')
      .map(({ traceId, attributes }) => [attributes['input.value'], hex(traceId)]);
    const [first, second] = [newTrace(1), newTrace(2)].map((id) => id.replaceAll('-', ''));
    expect(Object.fromEntries(traces)).toEqual({ a: first, b: first, own: hex(TRACE_BYTES), c: second });
  });
});

describe('the id of a step', () => {
  const log = { ...step, type: 'log', content: 'x' };

  it('is the span id when it looks like one', async () => {
    const span = await spanOf({ ...log, id: '00f067aa0ba902b7', parentId: '53995c3f42cd8ad8' });
    expect(hex(span.spanId)).toBe('00f067aa0ba902b7');
    expect(span.parentSpanId).toEqual(Buffer.from('53995c3f42cd8ad8', 'hex'));
    expect(Object.keys(span.attributes)).toEqual(['touchstone.event', 'input.value']);
  });

  it.each([
    ['0000000000000000', 'zeros'],
    ['00F067AA0BA902B7', 'upper case'],
    ['00f067aa0ba902b', '15 digits'],
    ['step 1', 'any text'],
  ])('%s (%s) is hashed and kept beside', async (id) => {
    const span = await spanOf({ ...log, id, parentId: id });
    expect(span.spanId).toEqual(hashed(id));
    expect(span.parentSpanId).toEqual(hashed(id));
    expect(span.attributes).toMatchObject({ 'touchstone.id': id, 'touchstone.parent_id': id });
  });

  it('never is the one of the trace event', async () => {
    const store = new MemoryStore();
    await store.send({ type: 'trace', timestamp: AT, traceId: TRACE });
    const taken = hex(store.read()[0]?.spanId as Buffer);
    const { spans } = await store.send({ ...log, id: taken });
    expect(spans.map(({ spanId }) => spanId)).toEqual([hashed(taken)]);
  });

  it('is another one in another trace', async () => {
    const span = await spanOf({ ...log, id: 'a', traceId: newTrace(3) });
    expect(span.spanId).not.toEqual(hashed('a'));
  });

  it('counts as left out when empty, as do name, group and parentId', async () => {
    const empty = await spanOf({ ...log, id: '', parentId: '', name: '', group: '' });
    expect(empty).toEqual(await spanOf(log));
  });

  it('is made from type, time, parent and content when left out', async () => {
    const ids = await Promise.all(
      [
        log,
        { ...log, type: 'request' },
        { ...log, timestamp: '2026-01-31T12:00:00.000000001Z' },
        { ...log, parentId: 'p' },
        { ...log, content: 'y' },
        { ...log, content: ['x'] },
        { ...log, name: 'x' },
        { ...log, metadata: { a: 1 } },
        { ...log, traceId: newTrace(4) },
      ].map(async (event) => hex((await spanOf(event)).spanId)),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const same = { content: 'x', traceId: TRACE, type: 'log', timestamp: '2026-01-31T13:00:00+01:00' };
    expect(hex((await spanOf(same)).spanId)).toBe(ids[0]);
  });

  it('distinguishes steps that say the same', async () => {
    const store = new MemoryStore();
    await store.send(log, log, log);
    expect(store.spans.size).toBe(3);
    await store.send(log, log);
    expect(store.spans.size).toBe(3);
  });
});

describe('a step sent again by its id', () => {
  const first = {
    ...step,
    type: 'tool',
    id: 'a',
    parentId: 'p',
    name: 'weather',
    toolInput: { city: 'Bern' },
    metadata: { a: 1 },
  };

  it.each([true, false])('updates what it gives and leaves the rest (in one call: %s)', async (inOneCall) => {
    const store = new MemoryStore();
    const second = {
      ...step,
      timestamp: '2026-01-31T12:00:01Z',
      type: 'tool',
      id: 'a',
      parentId: '53995c3f42cd8ad8',
      toolInput: 'Bern',
      toolOutput: '7 °C',
    };
    const calls = inOneCall ? [[first, second]] : [[first], [second]];
    const outcomes = [];
    for (const events of calls) outcomes.push(await store.send(...events));

    expect(outcomes.at(-1)?.spans).toMatchObject([{ events: inOneCall ? 2 : 1, completes: !inOneCall }]);
    expect(store.read()).toMatchObject([
      {
        name: 'weather',
        parentSpanId: Buffer.from('53995c3f42cd8ad8', 'hex'),
        startTime: 1_769_860_801_000_000_000n,
        endTime: 1_769_860_801_000_000_000n,
      },
    ]);
    expect({ ...store.read()[0]?.attributes }).toEqual({
      'touchstone.event': 'tool',
      'openinference.span.kind': 'TOOL',
      'input.value': 'Bern',
      'output.value': '7 °C',
      metadata: '{"a":1}',
      'touchstone.id': 'a',
    });
  });

  it('as another type replaces the one before', async () => {
    const store = new MemoryStore();
    const log = { ...step, type: 'log', id: 'a', content: 'x' };
    const { spans, received } = await store.send(first, log);
    expect(spans).toMatchObject([
      { spanId: hashed('a'), events: 1, completes: false },
      { spanId: hashed('a'), events: 1, completes: false },
    ]);
    expect(received).toBe(2);
    expect(Object.keys(store.read()[0]?.attributes ?? {})).toEqual([
      'touchstone.event',
      'input.value',
      'touchstone.id',
    ]);
    expect((await store.send(first)).spans).toMatchObject([{ completes: false }]);
  });

  it('replaces what OpenTelemetry sent under that id', async () => {
    const store = new MemoryStore();
    await store.send({ ...first, id: '00f067aa0ba902b7' });
    const [[key, bytes]] = [...store.spans] as [[string, Buffer]];
    store.spans.set(
      key,
      Buffer.from(bytes.toString('latin1').replace('touchstone.event', 'otherstone.event'), 'latin1'),
    );
    const { spans } = await store.send({ ...step, type: 'log', id: '00f067aa0ba902b7', content: 'x' });
    expect(spans).toMatchObject([{ completes: false }]);
    expect(store.read()[0]?.name).toBe('log');
  });
});
