import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_COMMAND_WEIGHT } from '../../src/ingest/pace.ts';
import { type Slice, sliceSpans } from '../../src/ingest/slices.ts';
import type { IncomingSpan } from '../../src/traces/span.ts';
import { effort } from '../support/effort.ts';

/** Spans of one trace, by their sizes in bytes. Slicing looks at nothing else. */
function spansOf(trace: string, sizes: readonly number[]): IncomingSpan[] {
  return sizes.map((size, i) => {
    const span = { traceId: trace, spanId: `${trace} ${i}`, bytes: { length: size } };
    return span as unknown as IncomingSpan;
  });
}

const idsOf = ({ spans }: Slice): string[] => spans.map(({ spanId }) => spanId);
const traceCount = ({ spans }: Slice): number => new Set(spans.map(({ traceId }) => traceId)).size;

const KIB = 1024;
const anySizes = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.integer({ min: 0, max: 4 * KIB }), { minLength: 1, maxLength: 40 }) },
  { weight: 2, arbitrary: fc.array(fc.constant(100), { minLength: 1_000, maxLength: 6_000 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(1, 900 * KIB, 9_000 * KIB), { minLength: 1, maxLength: 9 }),
  },
);
const anyRequest = fc
  .record({ traces: fc.array(anySizes, { maxLength: 25 }), isMixed: fc.boolean() })
  .map(({ traces, isMixed }) => {
    const spans = traces.flatMap((sizes, i) => spansOf(`t${i}`, sizes));
    // Spans of different traces between each other, as senders mix them; those of one trace keep their order.
    const numberOf = ({ spanId }: IncomingSpan): number => Number(spanId.split(' ')[1]);
    return isMixed ? spans.toSorted((a, b) => numberOf(a) - numberOf(b)) : spans;
  });

describe('slices', () => {
  it('hold every span once, bounded in weight, and split only traces that fill a slice alone', () => {
    fc.assert(
      fc.property(anyRequest, (spans) => {
        const slices = sliceSpans(spans, MAX_COMMAND_WEIGHT);
        expect(slices.length).toBeGreaterThan(0);
        expect(slices.flatMap(idsOf).toSorted()).toEqual(spans.map(({ spanId }) => spanId).toSorted());

        for (const slice of slices) {
          if (slice.spans.length > 1) expect(slice.weight).toBeLessThanOrEqual(MAX_COMMAND_WEIGHT);
          if (slices.length > 1) expect(slice.spans).not.toEqual([]);
        }
        for (const trace of new Set(spans.map(({ traceId }) => traceId))) {
          const own = spans.filter(({ traceId }) => traceId === trace);
          const holders = slices.filter((slice) => slice.spans.some(({ traceId }) => traceId === trace));
          if (holders.length > 1) expect(sliceSpans(own, MAX_COMMAND_WEIGHT).length).toBeGreaterThan(1);
          // Versions of a span must reach the store in the order in which they were sent.
          const order = holders.flatMap((slice) => slice.spans.filter(({ traceId }) => traceId === trace));
          expect(order.map(({ spanId }) => spanId)).toEqual(own.map(({ spanId }) => spanId));
        }
      }),
      { numRuns: effort(20) },
    );
  });

  it('are one for a request of usual size, and for one without spans', () => {
    expect(sliceSpans([], MAX_COMMAND_WEIGHT)).toEqual([{ spans: [], traceIds: [], weight: 0 }]);
    const spans = Array.from({ length: 512 }, (_, i) => spansOf(`t${i >> 3}`, [700])).flat();
    expect(sliceSpans(spans, MAX_COMMAND_WEIGHT)).toHaveLength(1);
  });

  it('are few: two that follow each other do not fit into one', () => {
    const spans = Array.from({ length: 8_192 }, (_, i) => spansOf(`t${i}`, [500])).flat();
    const slices = sliceSpans(spans, MAX_COMMAND_WEIGHT);
    for (const [index, { weight }] of slices.slice(1).entries()) {
      expect(weight + (slices[index] as Slice).weight).toBeGreaterThan(MAX_COMMAND_WEIGHT);
    }
    expect(Math.max(...slices.map(traceCount))).toBeLessThan(MAX_COMMAND_WEIGHT / 10);
  });
});

it('name the traces of their spans', () => {
  const spans = [...spansOf('one', [0]), ...spansOf('two', Array<number>(5_000).fill(0))];
  for (const slice of sliceSpans(spans, MAX_COMMAND_WEIGHT))
    expect(slice.traceIds).toEqual([...new Set(slice.spans.map(({ traceId }) => traceId))]);
});

it('weigh the tests that spans name, each once where the spans of it come together', () => {
  const named = (tests: number, spans: number): IncomingSpan[] =>
    spansOf('trace', Array(spans).fill(0)).map((span, i) => ({ ...span, testId: `${i % tests}` }));
  const slices = (spans: readonly IncomingSpan[]): number => sliceSpans(spans, 4_000).length;
  expect(slices(named(1, 3_900))).toBe(1);
  expect(slices(named(3_900, 3_900))).toBe(6);
});
