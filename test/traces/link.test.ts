import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveTestIds, traceTestIds } from '../../src/traces/link.ts';
import { NO_HASHES, NO_SUMS, type SkeletonSpan, SpanFlag } from '../../src/traces/span.ts';
import { buildTree } from '../../src/traces/tree.ts';
import { effort } from '../support/effort.ts';

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

/** Spans written as `id<parent@start=own/resource`, each part but the id optional; ids in capitals are trace events. */
function read(text: string): SkeletonSpan[] {
  return [...text.matchAll(/(\w+)(?:<(\w+))?(?:@(\d+))?(?:=(\w*))?(?:\/(\w+))?/g)].map(
    ([, id = '', parentId = null, start = '0', own, resourceTestId = null]) =>
      span(id, parentId, {
        start: BigInt(start),
        testId: own || null,
        resourceTestId,
        flags: id === id.toUpperCase() ? EVENT : 0,
      }),
  );
}

describe('resolveTestIds', () => {
  it.each([
    ["a span's own id goes before its ancestor's", 'r=T1 a<r=T2', null, 'r=T1 a=T2'],
    [
      "the nearest ancestor's goes before a farther one's",
      'r=T1 a<r=T2 b<a c<b',
      null,
      'r=T1 a=T2 b=T2 c=T2',
    ],
    ["an ancestor's goes before the resource's", 'r=T1 a<r/T2', null, 'r=T1 a=T1'],
    ["the resource's goes before the trace's", 'a=T1 b/T2', null, 'a=T1 b=T2'],
    ["an ancestor's resource hands nothing down", 'first=T1 r@1/T2 a<r@2', null, 'first=T1 r=T2 a=T1'],
    ["the trace's only id reaches spans beside and above", 'r a<r@1=T1 b<r@2', null, 'r=T1 a=T1 b=T1'],
    ["of several, the trace's is on the earliest span", 'a@2=T1 b@1/T2 c', null, 'c=T2 b=T2 a=T1'],
    ['of equal starts, the smaller span id decides', 'b=T1 a=T2 c', null, 'a=T2 b=T1 c=T2'],
    ["on one span, its own goes before its resource's", 'a=T1/T0 b', null, 'a=T1 b=T1'],
    ["a trace event's is the trace's", 'a E@1=T1', 'T2', 'a=T1'],
    ['a trace event is no span to link', 'E=T1', null, ''],
    ["the trace's goes before the delivery's", 'a=T1 b', 'T2', 'a=T1 b=T1'],
    ["the delivery's is the last resort", 'a b<a', 'T1', 'a=T1 b=T1'],
    ['without any id there is no link', 'a b<a', null, ''],
    ['nothing passes between orphans', 'a=T1 b<gone@1=T2 c<gone@2', null, 'a=T1 b=T2 c=T1'],
    ['nothing passes where a loop was cut', 'r=T1 a<c@1 b<a@2=T2 c<b@3', null, 'r=T1 a=T1 b=T2 c=T2'],
  ])('%s', (_definition, spans, delivered, links) => {
    const resolved = resolveTestIds(buildTree(read(spans)), delivered);
    expect([...resolved].map((link) => link.join('=')).join(' ')).toBe(links);
  });
});

describe('traceTestIds', () => {
  it.each([
    ['are none where none is carried', 'a', null, []],
    ['hold the delivered one', 'a', 'T1', ['T1']],
    ['stand in order of first start, the delivered one last', 'a@3=T1 b@2=T2', 'T0', ['T2', 'T1', 'T0']],
    ['stand once each, where they first appear', 'a@1=T2/T1 b@2=T1/T2', 'T1', ['T2', 'T1']],
    ["have a span's own before its resource's", 'a=T2/T1', null, ['T2', 'T1']],
    ['of equal starts stand in order of span id', 'b=T1 a=T2', null, ['T2', 'T1']],
    ['include those of trace events', 'a=T1 E@1=T2', null, ['T1', 'T2']],
  ])('%s', (_definition, spans, delivered, testIds) => {
    expect(traceTestIds(read(spans), delivered)).toEqual({ testId: testIds[0] ?? null, testIds });
  });
});

function slowPrimary(spans: readonly SkeletonSpan[]): string | null {
  const carriers = spans.filter((each) => each.testId !== null || each.resourceTestId !== null);
  const first = carriers.find((each) =>
    carriers.every(
      (other) => each.start < other.start || (each.start === other.start && each.id <= other.id),
    ),
  );
  return first?.testId ?? first?.resourceTestId ?? null;
}

/** Each rung of the rule as it is written, tried in turn. */
function slowLinks(spans: readonly SkeletonSpan[], delivered: string | null): Map<string, string> {
  const links = new Map<string, string>();
  for (const node of buildTree(spans).order) {
    if (node.span === null) continue;
    const rungs = [node.span.testId];
    for (let above = node.parent; above !== null; above = above.parent)
      rungs.push(above.span?.testId ?? null);
    rungs.push(node.span.resourceTestId, slowPrimary(spans), delivered);
    const testId = rungs.find((id) => id !== null) ?? null;
    if (testId !== null) links.set(node.id, testId);
  }
  return links;
}

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const anyTestId = fc.option(fc.constantFrom('T1', 'T2', 'T3'), { freq: 2 });
const arrivals = fc
  .subarray(IDS)
  .chain((ids) => {
    const parent = fc.option(fc.constantFrom(...ids, 'gone', 'lost'), { freq: 8 });
    const rest = fc.record({
      start: fc.nat(3).map(BigInt),
      flags: fc.constantFrom(0, 0, 0, EVENT),
      testId: anyTestId,
      resourceTestId: anyTestId,
    });
    return fc.tuple(...ids.map((id) => fc.tuple(parent, rest).map(([up, given]) => span(id, up, given))));
  })
  .chain((spans) => fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })));

describe('any spans, in any order of arrival', () => {
  it('are linked as the rule says', () => {
    const property = fc.property(arrivals, anyTestId, ([spans, shuffled], delivered) => {
      expect(resolveTestIds(buildTree(shuffled), delivered)).toEqual(slowLinks(spans, delivered));
    });
    fc.assert(property, { numRuns: effort(667) });
  });

  it('give the trace every id carried, the primary one first', () => {
    const property = fc.property(arrivals, anyTestId, ([spans, shuffled], delivered) => {
      const { testId, testIds } = traceTestIds(shuffled, delivered);
      const carried = [...spans.flatMap((each) => [each.testId, each.resourceTestId]), delivered];
      expect(testIds.toSorted()).toEqual([...new Set(carried)].filter((id) => id !== null).toSorted());
      expect(testId).toBe(slowPrimary(spans) ?? delivered);
      expect(testIds[0] ?? null).toBe(testId);

      const starts = testIds.map((id) => {
        const carriers = spans.filter((each) => each.testId === id || each.resourceTestId === id);
        return Math.min(99, ...carriers.map(({ start }) => Number(start)));
      });
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    });
    fc.assert(property, { numRuns: effort(667) });
  });
});

describe('very large traces', () => {
  it('hand an id down a chain of 200 000 spans', () => {
    const chain = Array.from({ length: 200_000 }, (_, i) =>
      span(`s${i}`, i === 0 ? null : `s${i - 1}`, { testId: i === 0 ? 'T1' : null, resourceTestId: 'T2' }),
    );
    expect(resolveTestIds(buildTree(chain), null).get('s199999')).toBe('T1');
  });

  it('hand an id down to 100 000 siblings', () => {
    const siblings = Array.from({ length: 100_000 }, (_, i) => span(`c${i}`, 'root'));
    const links = resolveTestIds(buildTree([span('root', null, { testId: 'T1' }), ...siblings]), null);
    expect(links.size).toBe(100_001);
    expect(new Set(links.values())).toEqual(new Set(['T1']));
  });
});
