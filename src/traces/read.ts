import type { Database } from '../storage/database.ts';
import type { Owner } from '../contract/owner.ts';
import { durationMs, flagNames, formatNs, shownCost } from './format.ts';
import { otelTraceUuid, formatUuid } from './ids.ts';
import { findStoredTrace, type StoredTrace, traceTests } from './load.ts';
import { OpenTrace } from './open-trace.ts';
import { TraceFlag } from './rollup.ts';
import { type SkeletonSpan, SpanFlag } from './span.ts';
import { asFields, buildStep, type StepJson, usageOf } from './step.ts';
import { attributeValues } from './trace-attributes.ts';
import { firstTraceOfTest } from './traces-of-test.ts';
import { breadthFirst } from './tree.ts';
import { isoTime } from '../contract/values.ts';

/** Limits of a trace response: number of steps, and their bytes; `/spans` returns all of them. */
const MAX_STEPS = 1_000;
const MAX_STEPS_BYTES = 16 * 1024 * 1024;

/** Returns `{ data: Trace }` as JSON bytes for the first of `traceIds` that is stored; null when none is. */
export function readTrace(
  database: Database,
  { traceIds, ...owner }: Owner & { traceIds: Uint8Array[] },
): Uint8Array | null {
  const trace = findStoredTrace(database, owner.application, traceIds);
  return trace && jsonBytes({ data: traceDetail(database, trace, owner) });
}

/**
 * Returns the earliest trace of the app that carries a test id, else that of the test's delivery, in the form of
 * `readTrace`.
 */
export function findTraceByTest(
  database: Database,
  { testId, ...owner }: Owner & { testId: string },
): Uint8Array | null {
  const traceId = firstTraceOfTest(database, owner.application, testId);
  return traceId ? readTrace(database, { ...owner, traceIds: [traceId] }) : null;
}

/** Builds the fields that lists and details of a trace have in common. */
export function traceSummary(trace: StoredTrace, testIds: readonly string[], owner: Owner): StepJson {
  const tag = attributeValues(trace.attributes, 'tag');
  const environment = attributeValues(trace.attributes, 'environment');
  const cost = shownCost(trace.cost, (trace.flags & TraceFlag.costKnown) !== 0);
  const duration = durationMs(trace.start, trace.end);
  return {
    id: traceUuid(trace),
    orgId: owner.orgId,
    applicationId: owner.applicationId,
    createdAt: isoTime(trace.receivedAt),
    modifiedAt: isoTime(trace.updatedAt),
    timestamp: formatNs(trace.start),
    ...(trace.native && trace.sessionId !== null ? { referenceId: trace.sessionId } : {}),
    testId: testIds[0] ?? null,
    testIds: [...testIds],
    ...(trace.native ? {} : { otelTraceId: trace.traceId.toString('hex') }),
    rootName: trace.rootName,
    services: trace.services,
    environment: environment[0] ?? null,
    sessionId: trace.sessionId,
    userId: trace.userId,
    tags: tag,
    models: trace.models,
    usage: usageOf(trace),
    cost,
    costEstimated: (trace.flags & TraceFlag.costEstimated) !== 0,
    durationMs: duration,
    spanCount: trace.spanCount,
    errorCount: trace.errorCount,
    hasError: trace.errorCount > 0,
    stepCount: trace.spanCount,
    totalPromptTokens: trace.inputTokens,
    totalCompletionTokens: trace.outputTokens,
    totalCost: cost,
    totalDurationMs: Math.round(duration),
    ruleSet: trace.ruleSet,
  };
}

function traceDetail(database: Database, trace: StoredTrace, owner: Owner): StepJson {
  const open = new OpenTrace(database, trace);
  const { tree } = open;
  const inOrder = breadthFirst(tree);
  const metadataSpan = [...tree.traceEvents.toReversed(), ...inOrder].find(
    (span) => span.flags & SpanFlag.hasMetadata,
  );
  const treeFlags = (['orphans', 'cycle', 'skew'] as const).filter((name) => tree.flags[name]);
  return {
    ...traceSummary({ ...trace, ...open.sums }, traceTests(database, trace.tkey), owner),
    metadata: metadataSpan ? asFields('metadata', open.open(metadataSpan).mapping.metadata()) : null,
    input: open.content('input'),
    output: open.content('output'),
    inputSpanId: shownId(open.inputSpan),
    outputSpanId: shownId(open.outputSpan),
    flags: [...new Set([...flagNames(trace.flags), ...treeFlags])],
    ...steps(inOrder, open, traceUuid(trace)),
  };
}

/** Returns the id for the API; null for a trace event, which cannot be looked up as a span. */
function shownId(span: SkeletonSpan | null): string | null {
  return span === null || span.flags & SpanFlag.traceEvent ? null : span.id;
}

function steps(
  inOrder: readonly SkeletonSpan[],
  trace: OpenTrace,
  traceId: string,
): { steps: StepJson[]; stepsTruncated: boolean } {
  const shown: StepJson[] = [];
  let bytes = 0;
  for (const span of inOrder) {
    if (shown.length === MAX_STEPS || bytes > MAX_STEPS_BYTES) break;
    const open = trace.open(span);
    bytes += open.view.bytes.length;
    shown.push(buildStep(span, open, traceId));
  }
  return { steps: shown, stepsTruncated: shown.length < inOrder.length };
}

/** Returns the uuid as which the API shows a trace. */
export function traceUuid({ native, traceId }: Pick<StoredTrace, 'native' | 'traceId'>): string {
  return native ? formatUuid(traceId) : otelTraceUuid(traceId);
}

/** Returns JSON in a buffer of its own, which moves between threads without a copy. */
export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
