import type { Database } from '../storage/sqlite/database.ts';
import { contentOf, type Side, traceContentOf } from './content.ts';
import { parseId } from './ids.ts';
import { chooseInputOutput } from './input-output.ts';
import { resolveTestIds } from './link.ts';
import { type StoredTrace, storedTrace, TRACE_COLUMNS } from './load.ts';
import { OpenTrace, saysOfTrace } from './open-trace.ts';
import { type SkeletonSpan, SpanFlag } from './span.ts';
import type { JsonValue } from './span-wire.ts';
import { buildTree, type TreeNode } from './tree.ts';

/** Traces of one test that are named and looked into. */
const MAX_TRACES = 100;
/** No more traces are looked into once they have this many spans together. */
const MAX_SPANS = 100_000;

/** A span, and the trace that opens it. */
export interface PlacedSpan {
  trace: OpenTrace;
  span: SkeletonSpan;
}

/** Whatever is stored of a test, its spans at hand. */
export interface OpenTest {
  /** The earliest first. */
  traces: StoredTrace[];
  /** Those of all its traces that belong to the test, native trace events too. */
  spans: PlacedSpan[];
  /** Whose input (output) is the test's: the rule for a trace, over all these spans. */
  input: PlacedSpan | null;
  output: PlacedSpan | null;
  /** Whether the spans of some traces were left out. */
  isTruncated: boolean;
}

export function openTest(
  database: Database,
  { application, testId }: { application: number; testId: string },
): OpenTest {
  const traces = tracesOfTest(database, application, testId);
  const opened = firstOf(traces);
  const placed = new Map<string, PlacedSpan>();
  let topLevel: TreeNode[] = [];
  let events: SkeletonSpan[] = [];
  for (const [index, stored] of opened.entries()) {
    const trace = new OpenTrace(database, stored);
    // Span ids are unique within a trace only.
    const among = (id: string): string => `${id}.${index}`;
    const spans = spansOfTest(trace, testId).map((span) => {
      placed.set(among(span.id), { trace, span });
      return { ...span, id: among(span.id), parentId: span.parentId && among(span.parentId) };
    });
    const tree = buildTree(spans);
    topLevel = topLevel.concat(tree.topLevel);
    events = events.concat(tree.traceEvents);
  }
  const { inputSpanId, outputSpanId } = chooseInputOutput({ topLevel }, events);
  return {
    traces,
    spans: [...placed.values()],
    input: placed.get(inputSpanId ?? '') ?? null,
    output: placed.get(outputSpanId ?? '') ?? null,
    isTruncated: opened.length < traces.length,
  };
}

/** What went into a span, or came out; of its whole trace where that is what it says. */
export function contentOfSpan({ trace, span }: PlacedSpan, side: Side): JsonValue {
  const { view, mapping } = trace.open(span);
  if (saysOfTrace(span, side)) return traceContentOf(mapping, side);
  return contentOf(mapping, view, side)?.value ?? null;
}

function tracesOfTest(database: Database, application: number, testId: string): StoredTrace[] {
  return database
    .allExact<Parameters<typeof storedTrace>[0]>(
      `SELECT ${TRACE_COLUMNS} FROM trace_test JOIN trace USING (tkey)
       WHERE trace_test.application = ?1 AND trace.application = ?1 AND test_id = ?2
       ORDER BY start_ns, trace_id LIMIT ?3`,
      application,
      parseId(testId),
      MAX_TRACES,
    )
    .map(storedTrace);
}

/** The first traces, up to the one that reaches MAX_SPANS. */
function firstOf(traces: readonly StoredTrace[]): StoredTrace[] {
  let spans = 0;
  return traces.filter(({ spanCount }) => {
    const isWithin = spans < MAX_SPANS;
    spans += spanCount;
    return isWithin;
  });
}

/** The spans of a trace that belong to the test, by the link rule; an event that names no test speaks for any. */
function spansOfTest({ tree, byId }: OpenTrace, testId: string): SkeletonSpan[] {
  const tests = resolveTestIds(tree, null);
  return [...byId.values()].filter((span) =>
    span.flags & SpanFlag.traceEvent ? (span.testId ?? testId) === testId : tests.get(span.id) === testId,
  );
}
