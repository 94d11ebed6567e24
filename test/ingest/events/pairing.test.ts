import { describe, expect, it } from 'vitest';
import type { NativeOutcome } from '../../../src/ingest/events/outcome.ts';
import { hex, MemoryStore, newTrace } from './memory-store.ts';

const TRACE = 'b3c1a0de-2a44-4f0e-9d5c-0123456789ab';
const BASE = 1_769_860_800_000;

function start(second: number, rest: object = {}): object {
  const common = { type: 'llm', event: 'start', traceId: TRACE, timestamp: BASE + second * 1000 };
  return { ...common, modelId: 'm', input: `in ${second}`, ...rest };
}

function end(second: number, rest: object = {}): object {
  const common = { type: 'llm', event: 'end', traceId: TRACE, timestamp: BASE + second * 1000 };
  return { ...common, modelId: 'm', output: `out ${second}`, ...rest };
}

/** The spans as `start-end in/out`, with `open` or `unpaired`. */
function describeSpans(store: MemoryStore): string[] {
  const second = (time: bigint) => Number(time / 1_000_000n - BigInt(BASE)) / 1000;
  return store.read().map(({ startTime, endTime, attributes }) => {
    const text = (name: string) => {
      const value = attributes[name];
      return typeof value === 'string' ? value.replace(/^(in|out) /, '') : '-';
    };
    const flags = ['open', 'unpaired'].filter((flag) => attributes[`touchstone.${flag}`] === true);
    const times = `${second(startTime)}-${second(endTime)}`;
    return [`${times} ${text('input.value')}/${text('output.value')}`, ...flags].join(' ');
  });
}

function counts({ opened, closed, aliases }: NativeOutcome): string {
  return `opened ${opened.length}, closed ${closed.length}, aliases ${aliases.length}`;
}

describe('starts and ends in one call', () => {
  it.each<[rule: string, events: object[], spans: string[], remembered: string]>([
    ['a start alone is open', [start(1)], ['1-1 1/- open'], 'opened 1, closed 0, aliases 0'],
    ['an end alone is unpaired', [end(1)], ['1-1 -/1 unpaired'], 'opened 0, closed 0, aliases 0'],
    ['an end closes its start', [start(1), end(2)], ['1-2 1/2'], 'opened 0, closed 0, aliases 1'],
    [
      'an end closes the oldest start by time',
      [start(3), start(1), end(5)],
      ['1-5 1/5', '3-3 3/- open'],
      'opened 1, closed 0, aliases 1',
    ],
    [
      'ends close in the order of the events',
      [start(1), start(2), end(9), end(5)],
      ['1-9 1/9', '2-5 2/5'],
      'opened 0, closed 0, aliases 2',
    ],
    [
      'of starts at one time the first is closed first',
      [start(1, { input: 'a' }), start(1, { input: 'b' }), end(2)],
      ['1-2 a/2', '1-1 b/- open'],
      'opened 1, closed 0, aliases 1',
    ],
    [
      'an end closes by id, not the oldest',
      [start(1), start(2, { id: 'x' }), end(3, { id: 'x' })],
      ['1-1 1/- open', '2-3 2/3'],
      'opened 1, closed 0, aliases 0',
    ],
    [
      'a start closed by id is not closed again',
      [start(1, { id: 'x' }), start(2), end(3, { id: 'x' }), end(4)],
      ['1-3 1/3', '2-4 2/4'],
      'opened 0, closed 0, aliases 1',
    ],
    [
      'an end without id closes a start with one',
      [start(1, { id: 'x' }), end(2)],
      ['1-2 1/2'],
      'opened 0, closed 0, aliases 1',
    ],
    [
      'an end whose id no start has stays alone',
      [start(1), end(2, { id: 'x' })],
      ['1-1 1/- open', '2-2 -/2 unpaired'],
      'opened 1, closed 0, aliases 0',
    ],
    [
      'an end before its start in the call, by id',
      [end(2, { id: 'x' }), start(1, { id: 'x' })],
      ['1-2 1/2'],
      'opened 0, closed 0, aliases 0',
    ],
    [
      'an end before its start in the call, without id',
      [end(2), start(1)],
      ['1-2 1/2'],
      'opened 0, closed 0, aliases 1',
    ],
    [
      'an end does not close a start that comes after it in the call and in time',
      [end(1), start(2)],
      ['1-1 -/1 unpaired', '2-2 2/- open'],
      'opened 1, closed 0, aliases 0',
    ],
    [
      'a start sent twice is one start, at its new time',
      [start(1, { id: 'x' }), start(2), start(3, { id: 'x' }), end(4)],
      ['2-4 2/4', '3-3 3/- open'],
      'opened 1, closed 0, aliases 1',
    ],
    [
      'ends that say the same close one start each',
      [start(1), start(2), end(3), end(3)],
      ['1-3 1/3', '2-3 2/3'],
      'opened 0, closed 0, aliases 2',
    ],
  ])('%s', async (_definition, events, spans, remembered) => {
    const store = new MemoryStore();
    const outcome = await store.send(...events);
    expect(describeSpans(store)).toEqual(spans);
    expect(counts(outcome)).toBe(remembered);
    expect(outcome.spans.reduce((sum, span) => sum + span.events, 0)).toBe(events.length);
  });

  it.each<[field: string, start: object, end: object]>([
    ['modelId', { modelId: 'a' }, { modelId: 'b' }],
    ['name', { name: 'a' }, { name: 'b' }],
    ['name, given once', { name: 'a' }, {}],
    ['group', { group: 'a' }, { group: 'b' }],
    ['group, given once', {}, { group: 'b' }],
    ['traceId', { traceId: newTrace(1) }, { traceId: newTrace(2) }],
  ])('are no pair with another %s', async (_field, ofStart, ofEnd) => {
    const store = new MemoryStore();
    await store.send(start(1, ofStart), end(2, ofEnd));
    expect(describeSpans(store)).toEqual(['1-1 1/- open', '2-2 -/2 unpaired']);
  });

  it('are a pair in the steps of a trace and beside it', async () => {
    const store = new MemoryStore();
    const nested = { type: 'llm', modelId: 'm', name: 'n', group: 'g' };
    await store.send(
      {
        type: 'trace',
        timestamp: BASE,
        steps: [{ ...nested, event: 'start', timestamp: BASE, input: 'in 0' }],
      },
      { ...nested, event: 'end', timestamp: BASE + 1000, output: 'out 1' },
    );
    expect(describeSpans(store)).toEqual(['0-0 -/-', '0-1 0/1']);
  });
});

describe('an end in a later call', () => {
  it.each<[rule: string, calls: object[][], spans: string[], remembered: string]>([
    ['closes the start stored', [[start(1)], [end(2)]], ['1-2 1/2'], 'opened 0, closed 1, aliases 1'],
    [
      'closes by id',
      [[start(1), start(2, { id: 'x' })], [end(3, { id: 'x' })]],
      ['1-1 1/- open', '2-3 2/3'],
      'opened 0, closed 1, aliases 0',
    ],
    [
      'closes the oldest stored',
      [[start(2)], [start(1)], [end(3)]],
      ['1-3 1/3', '2-2 2/- open'],
      'opened 0, closed 1, aliases 1',
    ],
    [
      'closes one of its own call before a stored one',
      [[start(1)], [start(2), end(3)]],
      ['1-1 1/- open', '2-3 2/3'],
      'opened 0, closed 0, aliases 1',
    ],
    [
      'closes a stored one before one that comes after it in its call',
      [[start(1)], [end(3), start(2)]],
      ['1-3 1/3', '2-2 2/- open'],
      'opened 1, closed 1, aliases 1',
    ],
    [
      'closes the next one stored when the call closed the oldest by id',
      [
        [start(1, { id: 'x' }), start(2)],
        [end(3, { id: 'x' }), end(4)],
      ],
      ['1-3 1/3', '2-4 2/4'],
      'opened 0, closed 2, aliases 1',
    ],
    [
      'closes as many as there are',
      [
        [start(1), start(2)],
        [end(3), end(4), end(5)],
      ],
      ['1-3 1/3', '2-4 2/4', '5-5 -/5 unpaired'],
      'opened 0, closed 2, aliases 2',
    ],
    [
      'finds no start that an earlier end closed',
      [[start(1), end(2)], [end(3)]],
      ['1-2 1/2', '3-3 -/3 unpaired'],
      'opened 0, closed 0, aliases 0',
    ],
    [
      'finds a start sent again with it',
      [[start(1)], [start(1), end(2)]],
      ['1-2 1/2'],
      'opened 0, closed 1, aliases 1',
    ],
    [
      'finds no start that was changed in its call',
      [[start(1, { id: 'x' })], [start(1, { id: 'x', group: 'g' }), end(2)]],
      ['1-1 1/- open', '2-2 -/2 unpaired'],
      'opened 1, closed 1, aliases 0',
    ],
    [
      'by id joins the start that comes last',
      [[end(2, { id: 'x' })], [start(1, { id: 'x' })]],
      ['1-2 1/2'],
      'opened 0, closed 0, aliases 0',
    ],
  ])('%s', async (_definition, calls, spans, remembered) => {
    const store = new MemoryStore();
    let last: NativeOutcome | undefined;
    for (const events of calls) last = await store.send(...events);
    expect(describeSpans(store)).toEqual(spans);
    expect(last && counts(last)).toBe(remembered);
    expect(store.open).toHaveLength(spans.filter((span) => span.endsWith('open')).length);
  });

  it('completes the stored span and is no conflict', async () => {
    const store = new MemoryStore();
    await store.send(start(1));
    expect((await store.send(end(2))).spans).toMatchObject([{ events: 1, completes: true }]);
    await store.send(end(7, { id: 'x' }));
    expect((await store.send(start(6, { id: 'x' }))).spans).toMatchObject([{ events: 1, completes: true }]);
  });
});

describe('a pair sent in any way', () => {
  const first = start(1, {
    id: 'x',
    name: 'of start',
    parentId: 'p',
    params: { t: 0 },
    metadata: { a: 1, both: 1 },
  });
  const last = end(2, {
    id: 'x',
    name: 'of end',
    group: 'g',
    usage: { promptTokens: 3 },
    metadata: { both: 2, b: 2 },
    z: 1,
  });

  it.each<[way: string, calls: object[][]]>([
    ['the end first', [[last], [first]]],
    ['in one call', [[first, last]]],
    ['in one call, the end first', [[last, first]]],
    ['the start again', [[first], [last], [first]]],
    ['the end again', [[first], [last], [last]]],
    ['all again', [[first, last], [first], [last, first]]],
  ])('%s: makes the same bytes', async (_way, calls) => {
    const expected = new MemoryStore();
    await expected.send(first);
    await expected.send(last);
    const store = new MemoryStore();
    for (const events of calls) await store.send(...events);

    expect([...store.spans]).toEqual([...expected.spans]);
    expect(store.open).toEqual([]);
    expect(store.read()).toMatchObject([{ name: 'of end' }]);
    expect(store.read()[0]?.attributes).toMatchObject({
      'touchstone.params': '{"t":0}',
      'touchstone.parent_id': 'p',
      'touchstone.group': 'g',
      metadata: '{"a":1,"b":2,"both":2,"z":1}',
    });
  });
});

describe('sent again', () => {
  it.each<[what: string, calls: object[][], again: object[]]>([
    ['a pair', [[start(1), end(2)]], [start(1), end(2)]],
    ['a start that was closed since', [[start(1)], [end(2)]], [start(1)]],
    ['an end that closed a stored start', [[start(1)], [end(2)]], [end(2)]],
    ['an end, while another start is open', [[start(1)], [end(2)], [start(3)]], [end(2)]],
    ['an end without a start', [[end(2)]], [end(2)]],
    ['an end without a start, when one is open now', [[end(2)], [start(1)]], [end(2)]],
    ['an end before its start', [[end(2), start(1)]], [end(2), start(1)]],
    ['an end that joined by id', [[end(2, { id: 'x' })], [start(1, { id: 'x' })]], [end(2, { id: 'x' })]],
    ['ends that say the same', [[start(1), start(2), end(3), end(3)]], [end(3), end(3)]],
    ['an open start', [[start(1)]], [start(1)]],
  ])('%s changes nothing', async (_what, calls, again) => {
    const store = new MemoryStore();
    for (const events of calls) await store.send(...events);
    const before = new Map(store.spans);
    const outcome = await store.send(...again);

    expect([...store.spans]).toEqual([...before]);
    expect(counts(outcome)).toBe('opened 0, closed 0, aliases 0');
    expect(outcome.spans.reduce((sum, span) => sum + span.events, 0)).toBe(again.length);
  });

  it('with another type, an open start is open no more', async () => {
    const store = new MemoryStore();
    await store.send(start(1, { id: 'x' }));
    const log = { type: 'log', id: 'x', traceId: TRACE, timestamp: BASE, content: 'y' };
    expect(counts(await store.send(log))).toBe('opened 0, closed 1, aliases 0');
    await store.send(end(2));
    expect(describeSpans(store)).toEqual(['0-0 y/-', '2-2 -/2 unpaired']);
  });
});

describe('10 000 events of one trace', () => {
  it('are paired without looking through all of them for each', async () => {
    const store = new MemoryStore();
    const places = Array.from({ length: 5_000 }, (_, place) => (place * 2_003) % 5_000);
    const since = process.threadCpuUsage();
    const { spans, opened } = await store.send(
      ...places.map((place) => start(place)),
      ...places.map((place) => end(10_000 + place)),
    );
    // Of this thread alone: the machine may be busy with other things.
    expect(process.threadCpuUsage(since).user / 1_000).toBeLessThan(5_000);
    expect(opened).toEqual([]);
    expect(new Set(spans.map(({ spanId }) => hex(spanId))).size).toBe(5_000);
    expect(spans.every(({ events }) => events === 2)).toBe(true);
  });
});
