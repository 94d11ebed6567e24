import type { Database } from '../storage/sqlite/database.ts';
import { contentOf, type Side, traceContentOf } from '../traces/content.ts';
import { formatUuid, otelTraceUuid, parseId } from '../traces/ids.ts';
import { chooseInputOutput } from '../traces/input-output.ts';
import { resolveTestIds } from '../traces/link.ts';
import { type StoredTrace, storedTrace, TRACE_COLUMNS } from '../traces/load.ts';
import { OpenTrace, saysOfTrace } from '../traces/open-trace.ts';
import { type SkeletonSpan, SpanFlag } from '../traces/span.ts';
import type { JsonValue } from '../traces/span-wire.ts';
import { buildTree, type TreeNode } from '../traces/tree.ts';

/** What went into the app in a test, and what came out of it. */
export interface TestContent {
  /** As REST shows them, the earliest first. */
  traceIds: string[];
  input: JsonValue;
  output: JsonValue;
  /** Where they are from; null when no span says it, or a native `trace` event does. */
  inputSpanId: string | null;
  outputSpanId: string | null;
}

/** Traces of one test that are named and looked into. */
const MAX_TRACES = 100;
/** No more traces are looked into once they have this many spans together. */
const MAX_SPANS = 100_000;

/** Input and output of a test: the rule for a trace, over those spans of all its traces that belong to the test. */
export function testContent(
  database: Database,
  { application, testId }: { application: number; testId: string },
): TestContent {
  const traces = tracesOfTest(database, application, testId);
  const found = new Map<string, FoundSpan>();
  let topLevel: TreeNode[] = [];
  let events: SkeletonSpan[] = [];
  for (const [index, stored] of firstOf(traces).entries()) {
    const trace = new OpenTrace(database, application, stored);
    // Span ids are unique within a trace only.
    const among = (id: string): string => `${id}.${index}`;
    const spans = spansOfTest(trace, testId).map((span) => {
      found.set(among(span.id), { trace, span });
      return { ...span, id: among(span.id), parentId: span.parentId && among(span.parentId) };
    });
    const tree = buildTree(spans);
    topLevel = topLevel.concat(tree.topLevel);
    events = events.concat(tree.traceEvents);
  }
  const { inputSpanId, outputSpanId } = chooseInputOutput({ topLevel }, events);
  const [input, output] = [found.get(inputSpanId ?? ''), found.get(outputSpanId ?? '')];
  return {
    traceIds: traces.map(({ native, traceId }) => (native ? formatUuid(traceId) : otelTraceUuid(traceId))),
    input: input ? contentOfSpan(input, 'input') : null,
    output: output ? contentOfSpan(output, 'output') : null,
    inputSpanId: shownId(input),
    outputSpanId: shownId(output),
  };
}

interface FoundSpan {
  trace: OpenTrace;
  span: SkeletonSpan;
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

function contentOfSpan({ trace, span }: FoundSpan, side: Side): JsonValue {
  const { view, mapping } = trace.open(span);
  if (saysOfTrace(span, side)) return traceContentOf(mapping, side);
  return contentOf(mapping, view, side)?.value ?? null;
}

/** A trace event is no span anybody could look up. */
function shownId(found: FoundSpan | undefined): string | null {
  return found === undefined || found.span.flags & SpanFlag.traceEvent ? null : found.span.id;
}
