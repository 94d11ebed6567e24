import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpanIndex } from '../../../src/span-index/reader.ts';
import { chooseInputOutput } from '../../../src/traces/input-output.ts';
import { sumOnce } from '../../../src/traces/open-trace.ts';
import { decodeSkeleton, encodeSkeleton } from '../../../src/traces/skeleton.ts';
import { type IncomingSpan, type SkeletonSpan, SpanFlag } from '../../../src/traces/span.ts';
import { SPAN_KINDS } from '../../../src/traces/span-kinds.ts';
import { SpanColumns } from '../../../src/traces/span-index/columns.ts';
import { packSpanIndex } from '../../../src/traces/span-index/pack.ts';
import { orderTree } from '../../../src/traces/span-index/tree-order.ts';
import { buildTree, type TreeNode } from '../../../src/traces/tree.ts';
import { indexOf } from '../../support/span-indexes.ts';
import { BASE_NS, incomingSpans } from '../../support/spans.ts';
import { effort } from '../../support/effort.ts';

const [TEMPLATE] = incomingSpans([{ id: 1 }]) as [IncomingSpan];
const idText = (id: number): string => {
  const bytes = Buffer.alloc(8);
  // Both halves differ, and the upper bit of each is set for some.
  bytes.writeUInt32BE((id * 0x9e3779b1) >>> 0, 0);
  bytes.writeUInt32BE((id * 0x85ebca6b) >>> 0, 4);
  return bytes.toString('latin1');
};

const FLAGS = [
  0,
  0,
  0,
  SpanFlag.timeAdjusted,
  SpanFlag.traceEvent,
  SpanFlag.open,
  SpanFlag.costEstimated | SpanFlag.costKnown,
  SpanFlag.costKnown,
  SpanFlag.delivery,
  SpanFlag.hasOutput,
  SpanFlag.hasOutput,
  SpanFlag.hasTraceOutput,
];

interface AnyTrace {
  spans: IncomingSpan[];
  /** The numbers of spans in each block. */
  blocks: number[];
}

/** Traces with orphans, loops, equal and distant times, and usage on any span. */
const anyTrace: fc.Arbitrary<AnyTrace> = fc.integer({ min: 1, max: 14 }).chain((count) => {
  const start = fc.oneof(
    { weight: 6, arbitrary: fc.nat(4).map((n) => BigInt(n) * 600_000n) },
    { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 33n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 400n * 86_400_000_000_000n }) },
  );
  const duration = fc.oneof(fc.nat(5_000_000).map(BigInt), fc.bigInt({ min: 0n, max: 2n ** 45n }));
  const tokens = fc.constantFrom(0, 0, 0, 7, 2 ** 40);
  const one = fc.record({
    parent: fc.option(fc.integer({ min: 1, max: count + 2 }), { freq: 8 }),
    start,
    duration,
    name: fc.constantFrom('a', 'b', 'ü', ''),
    kind: fc.nat(SPAN_KINDS.length - 1),
    status: fc.nat(2),
    flags: fc.constantFrom(...FLAGS),
    model: fc.constantFrom(null, null, 'm', 'n'),
    testId: fc.constantFrom(null, '00000000-0000-4000-8000-000000000001'),
    inputTokens: tokens,
    outputTokens: tokens,
    extraTokens: fc.constantFrom(0, 0, 3),
    cacheReadTokens: fc.constantFrom(0, 0, 3),
    cost: fc.constantFrom(0, 0, 0.25),
    scopeHash: fc.constantFrom(0, 5, 6, 7),
    responseHash: fc.constantFrom(0, 0, 9),
  });
  return fc.record({
    spans: fc.array(one, { minLength: count, maxLength: count }).chain((specs) =>
      fc.shuffledSubarray(
        specs.map(
          (spec, i): IncomingSpan => ({
            ...TEMPLATE,
            ...spec,
            spanId: idText(i + 1),
            parentId: spec.parent === null ? '' : idText(spec.parent),
            start: BASE_NS + spec.start,
            end: BASE_NS + spec.start + spec.duration,
            totalTokens: spec.inputTokens + spec.outputTokens + spec.extraTokens,
          }),
        ),
        { minLength: count },
      ),
    ),
    blocks: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 14, maxLength: 14 }),
  });
});

function blocksOf({ spans, blocks }: AnyTrace): { seq: number; skeleton: Buffer }[] {
  const made: { seq: number; skeleton: Buffer }[] = [];
  for (let from = 0; from < spans.length; ) {
    const to = from + (blocks[made.length] as number);
    made.push({ seq: made.length, skeleton: encodeSkeleton(spans.slice(from, to), 1) });
    from = to;
  }
  return made;
}

/** A row as the reader shows it. */
function rowOf(index: SpanIndex, row: number) {
  const has = (flag: Parameters<SpanIndex['has']>[1]): boolean => index.has(row, flag);
  return {
    id: index.spanId(row),
    depth: index.depth(row),
    parent: index.parent(row) < 0 ? null : index.spanId(index.parent(row)),
    name: index.name(row),
    kind: index.kind(row),
    placeholder: has('placeholder'),
    error: has('error'),
    orphan: has('orphan'),
    cycle: has('cycle'),
    skew: has('skew'),
    open: has('open'),
    costEstimated: has('costEstimated'),
    delivery: has('delivery'),
    startTicks: index.startTicks[row],
    endTicks: (index.startTicks[row] as number) + (index.durationTicks[row] as number),
    usage: index.usageOf(row),
  };
}

/** The same of a node of the tree. */
function nodeOf({ id, depth, parent, span, start, orphan, cycle, skew }: TreeNode, { header }: SpanIndex) {
  const ticks = (time: bigint): number => Number((time - BigInt(header.origin)) / BigInt(header.tick));
  const has = (flag: number): boolean => span !== null && (span.flags & flag) !== 0;
  return {
    id,
    depth,
    parent: parent?.id ?? null,
    name: span?.name ?? '',
    kind: span?.kind ?? 'SPAN',
    placeholder: span === null,
    error: span?.status === 2,
    orphan,
    cycle,
    skew,
    open: has(SpanFlag.open),
    costEstimated: has(SpanFlag.costEstimated),
    delivery: has(SpanFlag.delivery),
    startTicks: ticks(start),
    endTicks: ticks(span?.end ?? start),
    usage: span && usageOf(span),
  };
}

function usageOf(span: SkeletonSpan) {
  const { model, inputTokens, outputTokens, totalTokens, cost, flags } = span;
  const hasDetails = span.cacheReadTokens > 0 || totalTokens !== inputTokens + outputTokens;
  if (model === null && inputTokens + outputTokens + totalTokens + cost === 0 && !hasDetails) return null;
  return {
    model,
    inputTokens,
    outputTokens,
    totalTokens,
    cost: cost === 0 && !(flags & SpanFlag.costKnown) ? null : cost,
    isTokensBelow: (flags & SpanFlag.tokensBelow) !== 0,
    isCostBelow: (flags & SpanFlag.costBelow) !== 0,
  };
}

describe('the span index', () => {
  it('equals the tree of any trace', () => {
    const check = (trace: AnyTrace): void => {
      const blocks = blocksOf(trace);
      const tree = buildTree(blocks.flatMap(({ seq, skeleton }) => decodeSkeleton(skeleton, seq).spans));
      sumOnce(tree);
      const index = indexOf(blocks);
      const rows = Array.from({ length: index.rows }, (_, row) => rowOf(index, row));
      expect(rows).toEqual(tree.order.map((node) => nodeOf(node, index)));
      expect(index.header.outputSpanId).toBe(chooseInputOutput(tree, []).outputSpanId);
      for (const [row, node] of tree.order.entries()) {
        expect(index.rowOf(node.id)).toBe(row);
        expect(index.hasChildren(row)).toBe(node.children.length > 0);
        const below = rows.slice(row + 1).findIndex(({ depth }) => depth <= node.depth);
        expect(index.subtreeEnd(row)).toBe(below < 0 ? index.rows : row + 1 + below);
      }
    };
    fc.assert(fc.property(anyTrace, check), { numRuns: effort(1000) });
  });

  it('is the same for any order of arrival', () => {
    const rows = (trace: AnyTrace): unknown[] => {
      const index = indexOf(blocksOf(trace));
      return Array.from({ length: index.rows }, (_, row) => rowOf(index, row));
    };
    const check = (trace: AnyTrace): void => {
      expect(rows({ ...trace, spans: trace.spans.toReversed() })).toEqual(rows(trace));
    };
    fc.assert(fc.property(anyTrace, check), { numRuns: effort(167) });
  });

  const spanAt = (i: number, more: Partial<IncomingSpan> = {}): IncomingSpan => ({
    ...TEMPLATE,
    spanId: idText(i + 1),
    parentId: i === 0 ? '' : idText(1),
    start: BASE_NS + BigInt(i) * 1_000n,
    end: BASE_NS + BigInt(i) * 1_000n + 5_000n,
    ...more,
  });
  const blocksOfMany = (count: number, make: (i: number) => IncomingSpan) =>
    Array.from({ length: Math.ceil(count / 1000) }, (_, seq) => ({
      seq,
      skeleton: encodeSkeleton(
        Array.from({ length: Math.min(1000, count - seq * 1000) }, (_each, i) => make(seq * 1000 + i)),
        1,
      ),
    }));

  it('has space for more than 65 535 names', () => {
    const index = indexOf(blocksOfMany(70_000, (i) => spanAt(i, { name: `span ${i}` })));
    expect(index.header.columns.name.type).toBe('u32');
    expect([0, 65_534, 65_535, 65_536, 69_999].map((row) => index.name(row))).toEqual(
      [0, 65_534, 65_535, 65_536, 69_999].map((i) => `span ${i}`),
    );
  });

  it('has 16 bits for the names of most traces', () => {
    const index = indexOf(blocksOfMany(65_535, (i) => spanAt(i, { name: `span ${i}` })));
    expect(index.header.columns.name.type).toBe('u16');
    expect(index.name(65_534)).toBe('span 65534');
  });

  it('bounds the names of a trace', () => {
    const long = 'x'.repeat(1_000);
    const index = indexOf(blocksOfMany(10_000, (i) => spanAt(i, { name: `${i} ${long}` })));
    expect(index.header.truncated).toBe(true);
    expect(index.name(9_999)).toBe('…');
    expect(JSON.stringify(index.header).length).toBeLessThan(9 * 1024 * 1024);
  });

  it('has space for a chain deeper than 65 535 spans', () => {
    const index = indexOf(blocksOfMany(70_000, (i) => spanAt(i, { parentId: i === 0 ? '' : idText(i) })));
    expect(index.header.columns.depth.type).toBe('u32');
    expect(index.depth(69_999)).toBe(69_999);
    expect(index.parent(69_999)).toBe(69_998);
    expect(index.subtreeEnd(0)).toBe(70_000);
  });

  it('breaks a loop of 70 000 spans once', () => {
    const index = indexOf(blocksOfMany(70_000, (i) => spanAt(i, { parentId: idText(i === 0 ? 70_000 : i) })));
    expect(index.has(0, 'cycle')).toBe(true);
    expect(index.depth(69_999)).toBe(69_999);
  });

  it.each([
    ['an hour', 3_600_000_000_000n, 1_000],
    ['two hours', 7_200_000_000_000n, 1_677],
    ['a week', 604_800_000_000_000n, 140_816],
    ['forty years', 40n * 31_557_600_000_000_000n, 293_903_053],
  ])('has ticks with which %s fits', (_length, duration, tick) => {
    const index = indexOf(blocksOfMany(1, (i) => spanAt(i, { end: BASE_NS + duration })));
    expect(index.header.tick).toBe(tick);
    expect(index.start(0)).toBe(0);
    expect(Math.abs(index.end(0) - Number(duration) / 1e6)).toBeLessThanOrEqual(tick / 1e6);
    expect(index.originMs).toBe(Number(BASE_NS / 1_000_000n));
  });

  it('of no spans has no rows', () => {
    expect(indexOf([]).rows).toBe(0);
    expect(indexOf([]).durationMs).toBe(0);
  });

  it('reports that spans were left out', () => {
    expect(indexOf([], true).header.truncated).toBe(true);
  });

  it('is read from bytes at any place of a buffer', () => {
    const columns = new SpanColumns(blocksOfMany(3, spanAt));
    const bytes = packSpanIndex(columns, orderTree(columns, Uint32Array.of(0, 1, 2)), false);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(new SpanIndex(shifted.subarray(3)).spanId(2)).toBe(
      Buffer.from(idText(3), 'latin1').toString('hex'),
    );
  });

  it.each([
    ['something else', 'TSXX', 'A span index begins with "TSIX"; got "TSXX".'],
    ['another version', 'TSIX', 'Only version 1 of the span index is supported; got version 2.'],
  ])('is not read from %s', (_what, magic, message) => {
    const bytes = Buffer.concat([
      Buffer.from(magic),
      Buffer.from([16, 0, 0, 0]),
      Buffer.from('{"version":2}   '),
    ]);
    expect(() => new SpanIndex(new Uint8Array(bytes))).toThrow(message);
  });
});
