import type { Database } from '../storage/database.ts';
import { contentOf, type Side, traceContentOf } from '../traces/content.ts';
import { parseId } from '../traces/ids.ts';
import { chooseInputOutput } from '../traces/input-output.ts';
import { type StoredTrace, storedTrace, TRACE_ROW_COLUMNS } from '../traces/load.ts';
import { OpenTrace, saysOfTrace } from '../traces/open-trace.ts';
import type { SkeletonSpan } from '../traces/span.ts';
import type { JsonValue } from '../traces/span-wire.ts';
import { tracesOfTest } from '../traces/traces-of-test.ts';
import { buildTree, type TreeNode } from '../traces/tree.ts';
import { spansOfTest } from './link.ts';

/** Most traces of one test that are listed and read. */
const MAX_TRACES = 100;
/** Limit of spans, in total: once it is reached, no more traces are read. */
const MAX_SPANS = 100_000;

/** A span, and the trace that contains it. */
export interface PlacedSpan {
  trace: OpenTrace;
  span: SkeletonSpan;
}

/** Stored state of a test, with its spans. */
export interface OpenTest {
  /** Traces of the test, earliest first. */
  traces: StoredTrace[];
  /** Spans of all traces that belong to the test, including native trace events. */
  spans: PlacedSpan[];
  /** Span whose input (output) is the input (output) of the test, by the rule for a trace. */
  input: PlacedSpan | null;
  output: PlacedSpan | null;
  /** True if the spans of some traces were left out. */
  isTruncated: boolean;
}

export function openTest(
  database: Database,
  { application, testId }: { application: number; testId: string },
): OpenTest {
  const traces = storedTracesOf(database, application, testId);
  const opened = firstOf(traces);
  const placed = new Map<string, PlacedSpan>();
  let topLevel: TreeNode[] = [];
  let events: SkeletonSpan[] = [];
  for (const [index, stored] of opened.entries()) {
    const trace = new OpenTrace(database, stored);
    // Span ids are unique within a trace only.
    const among = (id: string): string => `${id}.${index}`;
    const spans = spansOfTest([...trace.byId.values()], trace.tree, testId).map((span) => {
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

/** Returns the input or output of a span, or of its entire trace if the span reports that. */
export function contentOfSpan({ trace, span }: PlacedSpan, side: Side): JsonValue {
  const { view, mapping } = trace.open(span);
  if (saysOfTrace(span, side)) return traceContentOf(mapping, side);
  return contentOf(mapping, view, side)?.value ?? null;
}

function storedTracesOf(database: Database, application: number, testId: string): StoredTrace[] {
  return database
    .allExact<Parameters<typeof storedTrace>[0]>(
      `SELECT ${TRACE_ROW_COLUMNS} FROM ${tracesOfTest()} ORDER BY start_ns, trace_id LIMIT :limit`,
      { application, testId: parseId(testId), limit: MAX_TRACES },
    )
    .map(storedTrace);
}

/** Returns the first traces, up to and including the one that reaches MAX_SPANS. */
function firstOf(traces: readonly StoredTrace[]): StoredTrace[] {
  let spans = 0;
  return traces.filter(({ spanCount }) => {
    const isWithin = spans < MAX_SPANS;
    spans += spanCount;
    return isWithin;
  });
}
