import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_HASHES, NO_SUMS, type SkeletonSpan, SpanFlag } from '../../src/traces/span.ts';
import { breadthFirst, buildTree, subtree, type TraceTree } from '../../src/traces/tree.ts';
import { effort } from '../support/effort.ts';

const ADJUSTED = SpanFlag.timeAdjusted;
const EVENT = SpanFlag.traceEvent;
const MS = 1_000_000n;

function span(id: string, parentId: string | null, start = 0n, flags = 0): SkeletonSpan {
  const rest = { model: null, service: 'app', testId: null, resourceTestId: null, block: 0, index: 0 };
  return {
    id,
    parentId,
    name: id,
    kind: 'SPAN',
    status: 0,
    flags,
    start,
    end: start,
    ...rest,
    ...NO_SUMS,
    ...NO_HASHES,
  };
}

/** Spans written as `id<parent@start!mark`; no parent = a root, no start = 0. */
function read(text: string): SkeletonSpan[] {
  const marks: Record<string, number> = { adjusted: ADJUSTED, event: EVENT };
  return [...text.matchAll(/(\w+)(?:<(\w+))?(?:@(\w+))?(?:!(\w+))?/g)].map(
    ([, id = '', parentId = null, start = '0', mark = '']) => span(id, parentId, BigInt(start), marks[mark]),
  );
}

/** The nodes in pre-order, a dot for each level of depth; placeholders in brackets. */
function draw(tree: TraceTree): string {
  const lines = tree.order.map((node) => {
    const marks = (['orphan', 'cycle', 'skew'] as const).filter((mark) => node[mark]);
    const name = node.span === null ? `(${node.id})` : node.id;
    return ['.'.repeat(node.depth) + name, ...marks].join(' ');
  });
  return lines.join(', ');
}

const idsOf = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id).join(' ');

describe('buildTree', () => {
  it.each([
    ['of no spans is empty', '', ''],
    ['puts a parent before its children', 'leaf<child child<root root', 'root, .child, ..leaf'],
    ['sorts children by start, then by id', 'r late<r@2 b<r@1 a<r@1', 'r, .a, .b, .late'],
    ['sorts the top level by start, then by id', 'late@2 b@1 a@1', 'a, b, late'],
    ['hangs an orphan under a placeholder', 'a<gone b<a', '(gone), .a orphan, ..b'],
    [
      'has one placeholder for each missing parent',
      'a<gone b<lost c<gone',
      '(gone), .a orphan, .c orphan, (lost), .b orphan',
    ],
    [
      'sorts a placeholder by its earliest child',
      'late<gone@9 root@5 early<gone@1',
      '(gone), .early orphan, .late orphan, root',
    ],
    ['cuts a loop at its earliest-starting span', 'a<c@3 b<a@1 c<b@2 r@2', 'b cycle, .c, ..a, r'],
    ['cuts a loop of equal starts at the smallest id', 'c<b b<a a<c', 'a cycle, .b, ..c'],
    ['brings a span that is its own parent to the top', 'self<self', 'self cycle'],
    [
      'cuts a loop on the loop, though a span hanging off it starts earlier',
      'a<b@5 b<a@6 tail<b@1',
      'a cycle, .b, ..tail',
    ],
    ['cuts every loop', 'a<b b<a c<d d<c', 'a cycle, .b, c cycle, .d'],
    ['marks a child that starts more than 1 ms before its parent', 'r@1000001 a<r', 'r, .a skew'],
    ['lets a child start 1 ms before its parent', 'r@1000001 a<r@1', 'r, .a'],
    ['marks a span whose times were corrected', 'r!adjusted', 'r skew'],
    [
      'sees no skew against a parent that is not stored',
      'a<gone b<gone@9000000',
      '(gone), .a orphan, .b orphan',
    ],
    ['sees no skew where a loop was cut', 'a<b b<a@9000000', 'a cycle, .b'],
    ['passes over trace events', 'root event!event', 'root'],
    ['takes a parent that is a trace event for one not stored', 'a<e e!event', '(e), .a orphan'],
  ])('%s', (_definition, spans, drawn) => {
    expect(draw(buildTree(read(spans)))).toBe(drawn);
    expect(draw(buildTree(read(spans).toReversed()))).toBe(drawn);
  });

  it('keeps trace events beside the tree', () => {
    expect(idsOf(buildTree(read('root e1!event e2!event')).traceEvents)).toBe('e1 e2');
  });

  it.each([
    ['nothing', 'root a<root', {}],
    ['orphans', 'root a<gone', { orphans: true }],
    ['a cycle', 'root a<a', { cycle: true }],
    ['skew', 'root!adjusted', { skew: true }],
  ])('reports the complete trace that it has %s', (_what, spans, flags) => {
    const none = { orphans: false, cycle: false, skew: false };
    expect(buildTree(read(spans)).flags).toEqual({ ...none, ...flags });
  });
});

describe('breadthFirst', () => {
  it.each([
    ['goes level by level, each in order of start', 'a@1 b@2 a1<a@4 b1<b@3 x<a1@5', 'a b b1 a1 x'],
    ['counts orphans among the root-most', 'o<gone@1 r@2 p<gone@3 a<r@2', 'o r p a'],
  ])('%s', (_definition, spans, ids) => {
    expect(idsOf(breadthFirst(buildTree(read(spans))))).toBe(ids);
  });
});

describe('subtree', () => {
  it.each([
    ['is the node and all below it', 'a', 'a b'],
    ['of a leaf is the leaf', 'c', 'c'],
    ['of a placeholder holds its orphans', 'gone', 'gone o'],
    ['of an unknown id is empty', 'nobody', ''],
  ])('%s', (_definition, id, ids) => {
    expect(idsOf(subtree(buildTree(read('root a<root b<a c<root o<gone')), id))).toBe(ids);
  });
});

interface Step {
  id: string;
  start: bigint;
}

const compare = (a: Step, b: Step) => Number(a.start - b.start) || (a.id < b.id ? -1 : Number(a.id > b.id));

/** The tree by definition: for each node the way that leads to it from the top. */
function slowTree(spans: readonly SkeletonSpan[]) {
  const stored = spans.filter(({ flags }) => flags !== EVENT).sort(compare);
  const find = (id: string | null) => stored.find((each) => each.id === id);
  const ancestors = (each: SkeletonSpan) => {
    const found: SkeletonSpan[] = [];
    for (let up = find(each.parentId); up !== undefined && !found.includes(up); up = find(up.parentId)) {
      found.push(up);
    }
    return found;
  };
  const isOnLoop = (each: SkeletonSpan) => ancestors(each).includes(each);
  const isTruncated = (each: SkeletonSpan) => isOnLoop(each) && ancestors(each).sort(compare)[0] === each;
  const placeholder = (id: string) => ({
    id,
    start: stored.find(({ parentId }) => parentId === id)?.start ?? 0n,
  });
  const wayTo = (each: SkeletonSpan): Step[] => {
    if (each.parentId === null || isTruncated(each)) return [each];
    const parent = find(each.parentId);
    return [...(parent === undefined ? [placeholder(each.parentId)] : wayTo(parent)), each];
  };

  const parentIds = new Set(stored.map(({ parentId }) => parentId).filter((id) => id !== null));
  const missing = [...parentIds].filter((id) => find(id) === undefined).map(placeholder);
  const nodes = [
    ...missing.map((step) => ({
      id: step.id,
      span: null,
      way: [step],
      orphan: false,
      cycle: false,
      skew: false,
    })),
    ...stored.map((each) => {
      const way = wayTo(each);
      const parent = find(way.at(-2)?.id ?? null);
      const isEarly = parent !== undefined && parent.start > each.start + MS;
      return {
        id: each.id,
        span: each,
        way,
        orphan: way.length > 1 && parent === undefined,
        cycle: isTruncated(each),
        skew: isEarly || each.flags === ADJUSTED,
      };
    }),
  ];
  const sortKey = (way: Step[]) =>
    way.map(({ id, start }) => `${String(start).padStart(9, '0')} ${id}/`).join('');
  return nodes.sort((a, b) => (sortKey(a.way) < sortKey(b.way) ? -1 : 1));
}

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const arrivals = fc
  .subarray(IDS)
  .chain((ids) => {
    const parentId = fc.option(fc.constantFrom(...ids, 'gone', 'lost'), { freq: 8 });
    const start = fc.nat(4).map((n) => BigInt(n) * 600_000n);
    const flags = fc.constantFrom(0, 0, 0, 0, ADJUSTED, EVENT);
    return fc.tuple(
      ...ids.map((id) => fc.tuple(parentId, start, flags).map(([up, at, marks]) => span(id, up, at, marks))),
    );
  })
  .chain((spans) => fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })));

describe('any spans, in any order of arrival', () => {
  const check = (property: (spans: SkeletonSpan[], tree: TraceTree) => void) => {
    const run = ([spans, shuffled]: [SkeletonSpan[], SkeletonSpan[]]) => property(spans, buildTree(shuffled));
    fc.assert(fc.property(arrivals, run), { numRuns: effort(667) });
  };

  it('make the tree that the definition makes', () => {
    check((spans, tree) => {
      const seen = tree.order.map(({ id, span: own, parent, depth, orphan, cycle, skew }) => {
        return { id, span: own, parentId: parent?.id, depth, orphan, cycle, skew };
      });
      const expected = slowTree(spans).map(({ way, ...node }) => {
        return { ...node, parentId: way.at(-2)?.id, depth: way.length - 1 };
      });
      expect(seen).toEqual(expected);
      expect(idsOf(tree.topLevel)).toBe(idsOf(tree.order.filter(({ depth }) => depth === 0)));
      for (const node of tree.order) {
        expect(tree.byId.get(node.id)).toBe(node);
        expect(idsOf(node.children)).toBe(idsOf(tree.order.filter(({ parent }) => parent === node)));
      }
    });
  });

  it('are walked by breadth as the definition says', () => {
    check((spans, tree) => {
      const nodes = slowTree(spans);
      const isPlaceholder = ({ id }: Step) => nodes.some((node) => node.id === id && node.span === null);
      const ranked = nodes
        .filter((node) => node.span !== null)
        .map(({ way }) => ({
          step: way.at(-1) as Step,
          level: way.filter((step) => !isPlaceholder(step)).length,
        }))
        .sort((a, b) => a.level - b.level || compare(a.step, b.step));
      expect(idsOf(breadthFirst(tree))).toBe(idsOf(ranked.map(({ step }) => step)));
    });
  });

  it('have the subtrees that the definition gives', () => {
    check((spans, tree) => {
      const nodes = slowTree(spans);
      for (const { id } of nodes) {
        const below = nodes.filter(({ way }) => way.some((step) => step.id === id));
        expect(idsOf(subtree(tree, id))).toBe(idsOf(below));
      }
    });
  });
});

describe('very large traces', () => {
  const many = (count: number, make: (i: number) => SkeletonSpan) =>
    Array.from({ length: count }, (_, i) => make(i));
  const chain = many(200_000, (i) => span(`s${i}`, i === 0 ? null : `s${i - 1}`, BigInt(i)));

  it('may be a chain of 200 000 spans', () => {
    const tree = buildTree(chain);
    expect(tree.order.at(-1)?.depth).toBe(199_999);
    expect(breadthFirst(tree)).toHaveLength(200_000);
    expect(subtree(tree, 's1')).toHaveLength(199_999);
  });

  it('may be a loop of 200 000 spans', () => {
    const tree = buildTree(chain.with(0, span('s0', 's199999')));
    expect(idsOf(tree.topLevel)).toBe('s0');
    expect(tree.order).toHaveLength(200_000);
  });

  it.each([
    ['of a root', read('root')],
    ['of a parent that is not stored', []],
  ])('may have 100 000 children %s', (_parent, root) => {
    const tree = buildTree([...many(100_000, (i) => span(`c${i}`, 'root')), ...root]);
    expect(tree.byId.get('root')?.children).toHaveLength(100_000);
    expect(breadthFirst(tree)).toHaveLength(100_000 + root.length);
    expect(subtree(tree, 'root')).toHaveLength(100_001);
  });

  it('may have 100 000 roots', () => {
    expect(buildTree(many(100_000, (i) => span(`r${i}`, null))).topLevel).toHaveLength(100_000);
  });
});
