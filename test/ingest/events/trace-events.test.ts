import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hex, MemoryStore, newTrace } from './memory-store.ts';

const TRACE = 'b3c1a0de-2a44-4f0e-9d5c-0123456789ab';
const TEST = '7f9c24e8-3b12-4ef1-8a60-f5c0d1e2a3b4';
const AT = '2026-01-31T12:00:00Z';
const AT_NS = 1_769_860_800_000_000_000n;
const trace = { type: 'trace', timestamp: AT, traceId: TRACE };

describe('a trace event', () => {
  it('becomes one span without parent, under an id made from the trace', async () => {
    const store = new MemoryStore();
    const { results, spans, received, rejected } = await store.send({
      ...trace,
      testId: TEST,
      input: 'Hi',
      output: 'Hello',
      referenceId: 'chat 7',
      metadata: { plan: 'pro' },
    });
    const traceId = Buffer.from(TRACE.replaceAll('-', ''), 'hex');
    const spanId = createHash('sha256').update('trace').update(traceId).digest().subarray(0, 8);

    expect(results).toEqual([{ success: true, id: TRACE }]);
    expect({ received, rejected }).toEqual({ received: 1, rejected: {} });
    expect(spans.map(({ events, completes }) => ({ events, completes }))).toEqual([
      { events: 1, completes: false },
    ]);
    expect(store.read()).toMatchObject([
      { traceId, spanId, parentSpanId: null, name: 'trace', startTime: AT_NS, endTime: AT_NS },
    ]);
    expect({ ...store.read()[0]?.attributes }).toEqual({
      'touchstone.event': 'trace',
      'service.test.id': TEST,
      'session.id': 'chat 7',
      'input.value': 'Hi',
      'output.value': 'Hello',
      metadata: '{"plan":"pro"}',
    });
  });

  it('takes the fields of the interface and makes a trace id', async () => {
    const { results } = await new MemoryStore().send({
      type: 'trace',
      timestamp: AT,
      testId: TEST,
      input: 'Hi',
      output: 'Hello',
    });
    expect(results).toEqual([{ success: true, id: newTrace(1) }]);
  });

  it('makes a trace id for each event that has none', async () => {
    const { results } = await new MemoryStore().send(
      { type: 'trace', timestamp: AT },
      { type: 'trace', timestamp: AT },
    );
    expect(results).toEqual([
      { success: true, id: newTrace(1) },
      { success: true, id: newTrace(2) },
    ]);
  });

  it('takes uuids in upper case', async () => {
    const store = new MemoryStore();
    const { results } = await store.send({
      ...trace,
      traceId: TRACE.toUpperCase(),
      testId: TEST.toUpperCase(),
    });
    expect(results).toEqual([{ success: true, id: TRACE }]);
    expect(store.read()[0]?.attributes['service.test.id']).toBe(TEST);
  });

  it('keeps objects and arrays as JSON', async () => {
    const store = new MemoryStore();
    await store.send({ ...trace, input: { q: [1, 2.5, null] }, output: [] });
    expect(store.read()[0]?.attributes).toMatchObject({
      'input.value': '{"q":[1,2.5,null]}',
      'input.mime_type': 'application/json',
      'output.value': '[]',
      'output.mime_type': 'application/json',
    });
  });

  it('keeps fields without a name of their own as metadata', async () => {
    const store = new MemoryStore();
    await store.send({ ...trace, region: 'eu', metadata: { plan: 'pro' }, nothing: null });
    expect(store.read()[0]?.attributes['metadata']).toBe('{"nothing":null,"plan":"pro","region":"eu"}');
  });

  it('keeps such a field beside metadata of its name', async () => {
    const store = new MemoryStore();
    const metadata = { plan: 1, 'event.plan': 2, zone: 3 };
    await store.send({ ...trace, plan: 4, zone: 5, 'event.plan': 6, metadata });
    expect(JSON.parse(store.read()[0]?.attributes['metadata'] as string)).toEqual({
      ...metadata,
      'event.2.plan': 4,
      'event.zone': 5,
      'event.event.plan': 6,
    });
  });

  it('keeps fields called __proto__ and constructor', async () => {
    const store = new MemoryStore();
    const text = '{"__proto__":{"a":1},"constructor":"b"}';
    const event = JSON.parse(
      `{"type":"trace","timestamp":"${AT}","input":${text},"metadata":${text},"toString":1,"prototype":2}`,
    ) as object;
    const extra = JSON.parse(`{"type":"log","timestamp":"${AT}","content":"x","__proto__":7}`) as object;
    expect((await store.send(event, extra)).results).toMatchObject([{ success: true }, { success: true }]);

    const [span, log] = store.read();
    expect(span?.attributes['input.value']).toBe(text);
    expect(span?.attributes['metadata']).toBe(
      '{"__proto__":{"a":1},"constructor":"b","prototype":2,"toString":1}',
    );
    expect(log?.attributes['metadata']).toBe('{"__proto__":7}');
  });

  it('takes null for left out', async () => {
    const store = new MemoryStore();
    const left = { testId: null, traceId: null, input: null, output: null, referenceId: null };
    const { results } = await store.send({
      type: 'trace',
      timestamp: AT,
      ...left,
      metadata: null,
      steps: null,
    });
    expect(results).toEqual([{ success: true, id: newTrace(1) }]);
    expect({ ...store.read()[0]?.attributes }).toEqual({ 'touchstone.event': 'trace' });
  });
});

describe('a trace event sent again', () => {
  it('updates what it gives and leaves what it leaves out', async () => {
    const store = new MemoryStore();
    await store.send({
      ...trace,
      testId: TEST,
      input: { a: 1 },
      referenceId: 'chat 7',
      metadata: { a: 1, b: 1 },
    });
    const { spans } = await store.send({
      ...trace,
      timestamp: '2026-01-31T12:00:05Z',
      input: 'plain now',
      output: 'done',
      metadata: { b: 2 },
    });

    expect(spans).toMatchObject([{ completes: true, events: 1 }]);
    expect(store.read()).toMatchObject([
      { startTime: AT_NS + 5_000_000_000n, endTime: AT_NS + 5_000_000_000n },
    ]);
    expect({ ...store.read()[0]?.attributes }).toEqual({
      'touchstone.event': 'trace',
      'service.test.id': TEST,
      'session.id': 'chat 7',
      'input.value': 'plain now',
      'output.value': 'done',
      metadata: '{"b":2}',
    });
  });

  it('adds fields without a name to the metadata it leaves out', async () => {
    const store = new MemoryStore();
    await store.send({ ...trace, metadata: { plan: 'pro' } });
    await store.send({ ...trace, region: 'eu' });
    expect(store.read()[0]?.attributes['metadata']).toBe('{"plan":"pro","region":"eu"}');
  });

  it('takes metadata away by giving an empty one', async () => {
    const store = new MemoryStore();
    await store.send({ ...trace, metadata: { plan: 'pro' } });
    await store.send({ ...trace, metadata: {} });
    expect(store.read()[0]?.attributes).not.toHaveProperty('metadata');
  });

  it('within one call is one span that carries both events', async () => {
    const store = new MemoryStore();
    const { spans } = await store.send({ ...trace, input: 'Hi' }, { ...trace, output: 'Hello' });
    expect(spans).toMatchObject([{ events: 2, completes: false }]);
    expect(store.read()[0]?.attributes).toMatchObject({ 'input.value': 'Hi', 'output.value': 'Hello' });
  });

  it('makes the same bytes in one call, in two, and in another order of fields', async () => {
    const [one, two, turned] = [new MemoryStore(), new MemoryStore(), new MemoryStore()];
    const first = { ...trace, input: 'Hi', metadata: { b: 1, a: 2 } };
    const second = { ...trace, output: { x: 1 }, testId: TEST };
    await one.send(first, second);
    await two.send(first);
    await two.send(second);
    await turned.send({ metadata: { a: 2, b: 1 }, testId: TEST, output: { x: 1 }, input: 'Hi', ...trace });
    expect([...two.spans]).toEqual([...one.spans]);
    expect([...turned.spans]).toEqual([...one.spans]);
  });
});

describe('what is stored', () => {
  it('is not requested when nothing of it can matter', async () => {
    const store = new MemoryStore();
    await store.send({
      type: 'trace',
      timestamp: AT,
      steps: [{ type: 'log', timestamp: AT, id: 'a', content: 'x' }],
    });
    await store.send({ type: 'log', timestamp: AT, traceId: TRACE, content: 'x' });
    await store.send({ type: 'nonsense' });
    expect(store.queries).toEqual([]);
  });

  it('is requested once, with all traces of the call', async () => {
    const store = new MemoryStore();
    const other = newTrace(9);
    await store.send(
      trace,
      { type: 'log', timestamp: AT, id: '00000000000000aa', content: 'x' },
      { type: 'trace', timestamp: AT, traceId: other },
      { type: 'llm', event: 'end', timestamp: AT, modelId: 'm' },
      { type: 'llm', event: 'end', timestamp: AT, modelId: 'm' },
    );
    expect(store.queries).toHaveLength(1);
    const [first, second] = store.queries[0] ?? [];
    expect(first?.spanIds.map((id) => hex(id))).toContain('00000000000000aa');
    expect(first?.spanIds).toHaveLength(2);
    expect(first?.matches).toEqual([]);
    expect(second?.spanIds).toHaveLength(3);
    expect(second?.matches).toHaveLength(1);
    expect(second?.matches[0]?.limit).toBeGreaterThanOrEqual(2);
  });
});
