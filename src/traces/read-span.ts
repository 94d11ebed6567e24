import type { Database } from '../storage/database.ts';
import { durationMs, formatNs, shownCost, statusName, stepType } from './format.ts';
import type { LogRecordMessage } from './log-record.ts';
import { addLogged } from './logged-span.ts';
import { ownRulesOf } from './own-rules/open.ts';
import { findStoredTrace, PayloadReader, type StoredTrace } from './load.ts';
import { jsonBytes, traceUuid } from './read.ts';
import { decodeSkeleton, WantedSpans } from './skeleton.ts';
import { type SkeletonSpan, SpanFlag } from './span.ts';
import { logsOfSpan } from './span-logs.ts';
import { PayloadFields } from './span-payload.ts';
import { usageOf } from './step.ts';
import { hasSums } from './sums.ts';
import { mediaAt, numberMedia, type SpanMedia } from './span-media.ts';

export interface ReadSpan {
  application: number;
  traceIds: Uint8Array[];
  /** 16 hex digits. */
  spanId: string;
}

/**
 * Returns one span as JSON bytes, `{ data }`, with everything that was sent; null when it is not stored. The directory names
 * its block, so that this takes the same time in a trace of any size.
 */
export function readSpan(database: Database, wanted: ReadSpan): Uint8Array | null {
  const found = findSpanAndTrace(database, wanted);
  if (!found) return null;
  const { trace, span, logs } = found;
  const { fields, statusMessage } = new PayloadFields(database, trace, logs).fieldsOf(span);
  numberMedia(fields.mapped);
  return jsonBytes({ data: { ...headOf(span, trace, statusMessage), ...fields } });
}

/** Returns the bytes of an image or the like that was sent within a span, by its `mediaIndex`; null when there is none. */
export function readSpanMedia(
  database: Database,
  { index, ...wanted }: ReadSpan & { index: number },
): SpanMedia | null {
  const found = findSpanAndTrace(database, wanted);
  if (!found) return null;
  const { fields } = new PayloadFields(database, found.trace, found.logs).fieldsOf(found.span);
  return mediaAt(fields.mapped, index);
}

interface FoundSpan {
  trace: StoredTrace;
  span: SkeletonSpan;
  logs: Map<string, LogRecordMessage[]>;
}

function findSpanAndTrace(database: Database, { application, traceIds, spanId }: ReadSpan): FoundSpan | null {
  const trace = findStoredTrace(database, application, traceIds);
  const span = trace && findSpan(database, trace, spanId);
  if (!trace || !span) return null;
  const logs = logsOfSpan(database, application, trace.traceId, Buffer.from(spanId, 'hex'));
  const records = logs.get(spanId);
  if (records) {
    const payloads = new PayloadReader(database, trace);
    const bytesOf = (one: SkeletonSpan): Buffer => payloads.open(one).bytes;
    addLogged(span, records, { prices: ownRulesOf(database, application).prices, bytesOf });
  }
  return { trace, span, logs };
}

/** Finds the current version of a span. */
function findSpan(database: Database, trace: StoredTrace, spanId: string): SkeletonSpan | null {
  const id = Buffer.from(spanId, 'hex');
  const block = database.get<{ seq: number; skeleton: Buffer }>(
    `SELECT chunk.seq, skeleton FROM span JOIN chunk USING (application, tkey, seq)
     WHERE application = :application AND tkey = :tkey AND span_id = :id`,
    { application: trace.application, tkey: trace.tkey, id },
  );
  if (!block) return null;
  const wanted = new WantedSpans();
  wanted.add(id);
  const span = decodeSkeleton(block.skeleton, block.seq, wanted).spans.find((one) => one.id === spanId);
  return span === undefined || span.flags & SpanFlag.traceEvent ? null : span;
}

function headOf(span: SkeletonSpan, trace: StoredTrace, message: string): object {
  return {
    id: span.id,
    traceId: traceUuid(trace),
    parentId: span.parentId,
    name: span.name,
    kind: span.kind,
    type: stepType(span.kind),
    startTime: formatNs(span.start),
    endTime: formatNs(span.end),
    durationMs: durationMs(span.start, span.end),
    status: { code: statusName(span.status), ...(message === '' ? {} : { message }) },
    service: span.service,
    testId: span.testId ?? span.resourceTestId,
    model: span.model,
    usage: hasSums(span) ? usageOf(span) : null,
    cost: shownCost(span.cost, (span.flags & SpanFlag.costKnown) !== 0),
    costEstimated: (span.flags & SpanFlag.costEstimated) !== 0,
  };
}
