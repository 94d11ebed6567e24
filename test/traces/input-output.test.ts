import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseInputOutput } from '../../src/traces/input-output.ts';
import { NO_HASHES, NO_SUMS, type SkeletonSpan, SpanFlag } from '../../src/traces/span.ts';
import { SPAN_KINDS, type ObservationKind } from '../../src/traces/span-kinds.ts';
import { buildTree, type TraceTree } from '../../src/traces/tree.ts';
import { effort } from '../support/effort.ts';

const IN = SpanFlag.hasInput;
const OUT = SpanFlag.hasOutput;
const EVENT = SpanFlag.traceEvent;

function span(id: string, parentId: string | null, rest: Partial<SkeletonSpan> = {}): SkeletonSpan {
  const times = { start: 0n, end: 0n };
  const blank = { status: 0, flags: 0, model: null, service: 'app', testId: null, resourceTestId: null };
  return {
    id,
    parentId,
    name: id,
    kind: 'SPAN',
    block: 0,
    index: 0,
    ...times,
    ...NO_SUMS,
    ...NO_HASHES,
    ...blank,
    ...rest,
  };
}

/**
 * Spans written as `id<parent@start-end:KIND+io`, each part but the id optional: `+i` has an input, `+o` an output.
 * Ids in capitals are trace events.
 */
function read(text: string): SkeletonSpan[] {
  return [...text.matchAll(/(\w+)(?:<(\w+))?(?:@(\d+)-(\d+))?(?::([A-Z]+))?(\+i?o?)?/g)].map(
    ([, id = '', parentId = null, start = '0', end = '0', kind = 'SPAN', has = '']) => {
      const flags =
        (id === id.toUpperCase() ? EVENT : 0) | (has.includes('i') ? IN : 0) | (has.includes('o') ? OUT : 0);
      return span(id, parentId, {
        start: BigInt(start),
        end: BigInt(end),
        kind: kind as ObservationKind,
        flags,
      });
    },
  );
}

/** What is chosen for the trace, as `input output`. */
function choose(spans: readonly SkeletonSpan[]): string {
  const tree = buildTree(spans);
  const { inputSpanId, outputSpanId } = chooseInputOutput(tree, tree.traceEvents);
  return `${inputSpanId ?? '-'} ${outputSpanId ?? '-'}`;
}

describe('chooseInputOutput', () => {
  it.each([
    ['of no spans finds neither', '', '- -'],
    ['finds neither where no span has any', 'r a<r:LLM', '- -'],
    ["takes the root's, whatever its kind", 'r:TOOL+io', 'r r'],
    ['takes the input of the earliest-starting root', 'b@2-9+i a@1-9+i c@3-9+i', 'a -'],
    ['takes the output of the latest-ending root', 'a@1-9+o c@3-10+o b@5-8+o', '- c'],
    ['passes over roots that have none', 'a@1-9 b@2-3+io c@3-10', 'b b'],
    ['takes the smaller id of equals', 'b+io a+io', 'a a'],
    ['counts orphans among the root-most', 'r@2-3+io o<gone@1-4:TOOL+io', 'o o'],
    ['counts a span above which a loop was cut among the root-most', 'a<b:TOOL+io b<a@1-2+io', 'a a'],
    ['prefers a root to any span below', 'r@1-2 low<r@0-9:LLM+io s@5-6+io', 's s'],
    ['goes one level down where no root has any', 'r a<r@1-9:CHAIN+io b<r@2-8:AGENT+io', 'a a'],
    ['compares a level across its parents', 'r@1-1 s@2-2 a<r@8-9:LLM+io b<s@3-4:LLM+io', 'b a'],
    ['passes through every kind on the way down', 'r tool<r:TOOL+io llm<tool:LLM+io', 'llm llm'],
    ['finds input and output on different levels', 'r+i a<r:CHAIN+i b<a:LLM+io', 'r b'],
    ['lets a trace event go before every span', 'r+io E+io', 'E E'],
    ['lets a trace event give the one and the spans the other', 'r+io E+o', 'r E'],
    ['lets the latest trace event that has one win', 'E1@1-1+io E2@2-2+o E3@3-3', 'E1 E2'],
    ['beside a trace event, passes over a tool at the top', 'tool:TOOL+io E', '- -'],
    ['beside a trace event, takes what lies below a tool', 'tool:TOOL+io llm<tool:LLM+io E+i', 'E llm'],
    ['beside a trace event, takes a model at the top', 'tool@5-6:TOOL+io llm@1-2:LLM+io E', 'llm llm'],
    ['takes the smaller id of equal trace events', 'E2+io E1+io', 'E1 E1'],
  ])('%s', (_definition, spans, chosen) => {
    expect(choose(read(spans))).toBe(chosen);
    expect(choose(read(spans).toReversed())).toBe(chosen);
  });

  it.each(SPAN_KINDS)('below the root-most spans takes AGENT, CHAIN and LLM only: %s', (kind) => {
    const isTaken = kind === 'AGENT' || kind === 'CHAIN' || kind === 'LLM';
    expect(choose(read(`r a<r:${kind}+io`))).toBe(isTaken ? 'a a' : '- -');
  });

  it('reads the trees of several traces as one', () => {
    const topLevel = ['b@3-4+io', 'a@1-2+io'].flatMap((text) => buildTree(read(text)).topLevel);
    expect(chooseInputOutput({ topLevel }, [])).toEqual({ inputSpanId: 'a', outputSpanId: 'b' });
  });
});

/** Ranks every candidate by the complete rule at once and takes the best. */
function slowChoice(tree: TraceTree, side: 'input' | 'output'): string {
  const ofTree = tree.order.flatMap((node) => {
    if (node.span === null) return [];
    let level = 0;
    for (let above = node.parent; above !== null; above = above.parent) level += above.span === null ? 0 : 1;
    if (level > 0 && !['AGENT', 'CHAIN', 'LLM'].includes(node.span.kind)) return [];
    if (level === 0 && tree.traceEvents.length > 0 && node.span.kind === 'TOOL') return [];
    return { span: node.span, level, rank: side === 'input' ? node.span.start : -node.span.end };
  });
  const ofEvents = tree.traceEvents.map((event) => ({ span: event, level: -1, rank: -event.start }));
  const [best] = [...ofEvents, ...ofTree]
    .filter((each) => (each.span.flags & (side === 'input' ? IN : OUT)) !== 0)
    .toSorted((a, b) => a.level - b.level || Number(a.rank - b.rank) || (a.span.id < b.span.id ? -1 : 1));
  return best?.span.id ?? '-';
}

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const arrivals = fc
  .subarray(IDS)
  .chain((ids) => {
    const parent = fc.option(fc.constantFrom(...ids, 'gone', 'lost'), { freq: 8 });
    const times = fc.tuple(fc.nat(3), fc.nat(3)).map(([start, length]) => {
      return { start: BigInt(start), end: BigInt(start + length) };
    });
    const rest = fc.record({
      flags: fc.constantFrom(0, 0, 0, 0, IN, OUT, IN | OUT, EVENT | IN, EVENT | OUT),
      kind: fc.constantFrom<ObservationKind>('SPAN', 'TOOL', 'LLM', 'AGENT', 'CHAIN'),
    });
    const anySpan = (id: string) =>
      fc.tuple(parent, times, rest).map(([up, at, given]) => span(id, up, { ...at, ...given }));
    return fc.tuple(...ids.map(anySpan));
  })
  .chain((spans) => fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })));

describe('any spans, in any order of arrival', () => {
  it('give the input and output that the rule gives', () => {
    const property = fc.property(arrivals, ([spans, shuffled]) => {
      const tree = buildTree(spans);
      expect(choose(shuffled)).toBe(`${slowChoice(tree, 'input')} ${slowChoice(tree, 'output')}`);
    });
    fc.assert(property, { numRuns: effort(1000) });
  });
});

describe('very large traces', () => {
  it('are searched down a chain of 200 000 spans', () => {
    const chain = Array.from({ length: 200_000 }, (_, i) =>
      span(`s${i}`, i === 0 ? null : `s${i - 1}`, { kind: 'LLM', flags: i === 199_999 ? IN | OUT : 0 }),
    );
    expect(choose(chain)).toBe('s199999 s199999');
  });

  it('are searched over 100 000 siblings', () => {
    const siblings = Array.from({ length: 100_000 }, (_, i) =>
      span(`c${i}`, 'root', { kind: 'LLM', start: BigInt(i), end: BigInt(i), flags: IN | OUT }),
    );
    expect(choose([span('root', null), ...siblings])).toBe('c0 c99999');
  });
});
