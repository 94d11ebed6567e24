import type { Database } from '../storage/sqlite/database.ts';
import { durationMs, flagNames, formatMs, formatNs } from './format.ts';
import { otelTraceUuid, formatUuid, parseId } from './ids.ts';
import { chooseInputOutput } from './input-output.ts';
import { findStoredTrace, loadSkeleton, PayloadReader, type StoredTrace, traceTests } from './load.ts';
import { type SkeletonSpan, SpanFlag } from './span.ts';
import type { JsonValue } from './span-wire.ts';
import { buildStep, spanContent, spanMetadata, type StepJson } from './step.ts';
import { breadthFirst, buildTree } from './tree.ts';

export interface Owner {
  application: number;
  applicationId: string;
  orgId: string;
}

/** A trace is answered with at most this many steps, and no more bytes of them; `/spans` has the rest. */
const MAX_STEPS = 1_000;
const MAX_STEPS_BYTES = 16 * 1024 * 1024;

/** The trace stored under the first of `traceIds` that is: `{ data: Trace }` as JSON bytes, or null. */
export function readTrace(
  database: Database,
  { traceIds, ...owner }: Owner & { traceIds: Uint8Array[] },
): Uint8Array | null {
  const trace = findStoredTrace(database, owner.application, traceIds);
  return trace && jsonBytes({ data: traceDetail(database, trace, owner) });
}

/** The earliest trace that carries a test id, as `readTrace` answers it. */
export function findTraceByTest(
  database: Database,
  { testId, ...owner }: Owner & { testId: string },
): Uint8Array | null {
  const row = database.get<{ trace_id: Buffer }>(
    `SELECT trace_id FROM trace_test JOIN trace USING (tkey)
     WHERE trace_test.application = ?1 AND trace.application = ?1 AND test_id = ?2 ORDER BY start_ns, trace_id LIMIT 1`,
    owner.application,
    parseId(testId),
  );
  return row ? readTrace(database, { ...owner, traceIds: [row.trace_id] }) : null;
}

/** What lists and details of a trace have in common. */
export function traceSummary(trace: StoredTrace, testIds: readonly string[], owner: Owner): StepJson {
  return {
    id: traceUuid(trace),
    orgId: owner.orgId,
    applicationId: owner.applicationId,
    createdAt: formatMs(trace.receivedAt),
    modifiedAt: formatMs(trace.updatedAt),
    timestamp: formatNs(trace.start),
    ...(trace.native && trace.sessionId !== null ? { referenceId: trace.sessionId } : {}),
    testId: testIds[0] ?? null,
    testIds: [...testIds],
    ...(trace.native ? {} : { otelTraceId: trace.traceId.toString('hex') }),
    rootName: trace.rootName,
    services: trace.services,
    sessionId: trace.sessionId,
    userId: trace.userId,
    models: trace.models,
    usage: {
      promptTokens: trace.inputTokens,
      completionTokens: trace.outputTokens,
      totalTokens: trace.inputTokens + trace.outputTokens,
    },
    cost: trace.cost === 0 ? null : trace.cost,
    durationMs: durationMs(trace.start, trace.end),
    spanCount: trace.spanCount,
    errorCount: trace.errorCount,
  };
}

function traceDetail(database: Database, trace: StoredTrace, owner: Owner): StepJson {
  const spans = loadSkeleton(database, trace);
  const explicit = spans.filter((span) => span.flags & SpanFlag.traceEvent);
  const tree = buildTree(spans);
  const payloads = new PayloadReader(database);
  const byId = new Map(spans.map((span) => [span.id, span]));
  const { inputSpanId, outputSpanId } = chooseInputOutput(tree, explicit);
  const inOrder = breadthFirst(tree);
  const metadataSpan = [...explicit.reverse(), ...inOrder].find((span) => span.flags & SpanFlag.hasMetadata);
  const contentOf = (id: string | null, side: 'input' | 'output'): JsonValue => {
    const span = id === null ? undefined : byId.get(id);
    return span ? spanContent(payloads.open(span).bytes, side) : null;
  };
  const treeFlags = (['orphans', 'cycle', 'skew'] as const).filter((name) => tree.flags[name]);
  return {
    ...traceSummary(trace, traceTests(database, trace.tkey), owner),
    metadata: metadataSpan ? spanMetadata(payloads.open(metadataSpan).bytes) : null,
    input: contentOf(inputSpanId, 'input'),
    output: contentOf(outputSpanId, 'output'),
    inputSpanId: shownId(inputSpanId, explicit),
    outputSpanId: shownId(outputSpanId, explicit),
    flags: [...new Set([...flagNames(trace.flags), ...treeFlags])],
    ...steps(inOrder, payloads, traceUuid(trace)),
  };
}

/** A trace event is no span anybody could look up. */
function shownId(id: string | null, explicit: readonly SkeletonSpan[]): string | null {
  return explicit.some((span) => span.id === id) ? null : id;
}

function steps(
  inOrder: readonly SkeletonSpan[],
  payloads: PayloadReader,
  traceId: string,
): { steps: StepJson[]; stepsTruncated: boolean } {
  const shown: StepJson[] = [];
  let bytes = 0;
  for (const span of inOrder) {
    if (shown.length === MAX_STEPS || bytes > MAX_STEPS_BYTES) break;
    const payload = payloads.open(span).bytes;
    bytes += payload.length;
    shown.push(buildStep(span, payload, traceId));
  }
  return { steps: shown, stepsTruncated: shown.length < inOrder.length };
}

function traceUuid({ native, traceId }: StoredTrace): string {
  return native ? formatUuid(traceId) : otelTraceUuid(traceId);
}

/** JSON in a buffer of its own, which moves between threads without a copy. */
export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
