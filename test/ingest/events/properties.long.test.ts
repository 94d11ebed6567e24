import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NativeOutcome } from '../../../src/ingest/events/outcome.ts';
import { hex, MemoryStore, newTrace } from './memory-store.ts';
import { effort } from '../../support/effort.ts';

const traceId = fc.constantFrom(newTrace(101), newTrace(102));
const timestamp = fc.integer({ min: 1_769_860_800_000, max: 1_769_860_800_004 });
const text = fc.constantFrom('a', 'b', 'm');
const content = fc.oneof(text, fc.constantFrom({ a: 1 }, ['b']));
const id = fc.constantFrom('x', 'y', '00f067aa0ba902b7');
const metadata = fc.dictionary(text, fc.integer({ min: 0, max: 2 }));

/** Never a model: which of the two a span is called by can't be seen then. */
const name = fc.constantFrom('name a', 'name b');

const common = { traceId, timestamp };
const optional = { id, parentId: id, name, group: text, params: content };

/** Good events over few values, so that they meet each other often. A start says the same metadata each time. */
function goodEvents(idOfLlm: fc.Arbitrary<string>): fc.Arbitrary<object> {
  const ofLlm = { ...optional, id: idOfLlm };
  return fc.oneof(
    record('trace', { input: content, output: content, referenceId: text, metadata, extra: text }),
    record('tool', { ...optional, toolInput: content, toolOutput: content, metadata, extra: text }),
    record('log', { ...optional, id: fc.constant('log'), metadata }, { content }),
    record('llm', ofLlm, {
      event: fc.constant('start'),
      modelId: text,
      input: content,
      extra: fc.constant('s'),
    }),
    record('llm', { ...ofLlm, output: content, metadata }, { event: fc.constant('end'), modelId: text }),
  );
}
const goodEvent = goodEvents(id);

function record(type: string, optionalFields: object, requiredFields: object = {}): fc.Arbitrary<object> {
  const required = { type: fc.constant(type), ...common, ...requiredFields };
  const model = { ...required, ...optionalFields } as Record<string, fc.Arbitrary<unknown>>;
  return fc.record(model, { requiredKeys: Object.keys(required) });
}

const anyEvent: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      type: fc.oneof(fc.constantFrom('trace', 'llm', 'tool', 'retriever', 'group', 'log'), fc.jsonValue()),
      timestamp: fc.oneof(timestamp, fc.jsonValue()),
      traceId: fc.oneof(traceId, fc.jsonValue()),
      event: fc.oneof(fc.constantFrom('start', 'end'), fc.jsonValue()),
      modelId: fc.jsonValue(),
      usage: fc.jsonValue(),
      input: fc.jsonValue(),
      content: fc.jsonValue(),
      metadata: fc.jsonValue(),
      steps: fc.oneof(fc.array(goodEvent, { maxLength: 3 }), fc.array(fc.jsonValue(), { maxLength: 3 })),
    },
    { requiredKeys: [] },
  ),
  goodEvent,
);

/** What is wrong with the sums of an outcome; nothing, one hopes. */
function wrongSums({ results, spans, received, rejected }: NativeOutcome, events: unknown[]): string[] {
  const carried = spans.reduce((sum, span) => sum + span.events, 0);
  const rejectedCount = Object.values(rejected).reduce((sum, count) => sum + count, 0);
  const wrong: string[] = [];
  if (results.length !== events.length) wrong.push(`${results.length} results for ${events.length} events`);
  if (received !== carried + rejectedCount)
    wrong.push(`${received} received, ${carried} carried, ${rejectedCount} rejected`);
  if (results.every(({ success }) => success) !== (rejectedCount === 0))
    wrong.push(`${rejectedCount} rejected, not reported`);
  return wrong;
}

describe('whatever the events', () => {
  it('there is a result for each and the sums are right', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent), async (events) => {
        const json = JSON.parse(JSON.stringify(events)) as unknown[];
        expect(wrongSums(await new MemoryStore().send(...json), json)).toEqual([]);
      }),
      { numRuns: effort(167) },
    );
  });

  it('bad ones change nothing about good ones', async () => {
    const marked = fc.array(fc.oneof(goodEvent, fc.constant('bad')));
    await fc.assert(
      fc.asyncProperty(marked, async (events) => {
        const [mixed, good] = [new MemoryStore(), new MemoryStore()];
        await mixed.send(...events);
        await good.send(...events.filter((event) => event !== 'bad'));
        expect([...mixed.spans]).toEqual([...good.spans]);
      }),
    );
  });
});

describe('whatever the good events', () => {
  const callsOf = (event: fc.Arbitrary<object>) =>
    fc.array(fc.array(event, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });

  it('none is lost, and the store remembers the starts that are open', async () => {
    await fc.assert(
      fc.asyncProperty(callsOf(goodEvent), async (batches) => {
        const store = new MemoryStore();
        for (const events of batches) {
          const outcome = await store.send(...events);
          expect(wrongSums(outcome, events)).toEqual([]);
          expect(outcome.rejected).toEqual({});
        }
        const open = store
          .read()
          .filter(({ attributes }) => attributes['touchstone.open'] === true)
          .map(({ traceId: trace, spanId }) => hex(trace, spanId));
        expect(store.open.map((step) => hex(step.traceId, step.spanId)).sort()).toEqual(open.sort());
      }),
      { numRuns: effort(333) },
    );
  });

  it('a call sent again changes nothing, as long as types share no ids', async () => {
    const calls = callsOf(goodEvents(fc.constantFrom('p', '53995c3f42cd8ad8')));
    await fc.assert(
      fc.asyncProperty(calls, async (batches) => {
        const store = new MemoryStore();
        for (const events of batches) await store.send(...events);
        const last = batches.at(-1) ?? [];
        const before = new Map(store.spans);
        const openBefore = store.open.map(({ spanId }) => hex(spanId)).sort();
        await store.send(...last);
        expect([...store.spans]).toEqual([...before]);
        expect(store.open.map(({ spanId }) => hex(spanId)).sort()).toEqual(openBefore);
      }),
      { numRuns: effort(333) },
    );
  });
});
