/**
 * Finds the spans of model responses for log records that name a response instead of a span, such as evaluations. An
 * application has an index of its responses from its first such record on; earlier spans are indexed in steps.
 */
import type { Database } from '../storage/database.ts';
import { NO_TRACE, responseKey } from './awaiting-logs.ts';
import { scheduleRefresh } from './refresh.ts';
import { decodeSkeleton } from './skeleton.ts';
import type { TraceKey } from './trace-keys.ts';

/** Most traces with one response that are looked at. */
const MAX_TRACES = 16;
/** Most spans whose responses one step indexes, beyond those of one block. */
const STEP_SPANS = 4_000;
const STEP_BLOCKS = 200;

/** Reports whether the responses of an application are indexed. */
export const isIndexed = (database: Database, application: number): boolean =>
  database.get('SELECT 1 FROM response_index WHERE application = :application', { application }) !==
  undefined;

/** Begins the index of an application, at the newest trace. */
export function beginIndex(database: Database, application: number): void {
  const last = database.get<{ tkey: number | null }>('SELECT max(tkey) AS tkey FROM trace')?.tkey ?? 0;
  database.run(
    `INSERT INTO response_index (application, before_tkey, before_seq) VALUES (:application, :before, 0)
     ON CONFLICT DO NOTHING`,
    { application, before: last + 1 },
  );
}

/** Indexes the responses of a block, and schedules a refresh of its trace if records wait for one of them. */
export function indexBlock(database: Database, key: TraceKey, skeleton: Buffer, at: number): number {
  const { spans } = decodeSkeleton(skeleton, 0);
  let isAwaited = false;
  for (const { id, responseHash } of spans) {
    if (responseHash === 0) continue;
    const response = responseKey(responseHash);
    database.run(
      `INSERT INTO response_span (application, response, tkey, span_id) VALUES (:application, :response, :tkey, :spanId)
       ON CONFLICT DO NOTHING`,
      { ...key, response, spanId: Buffer.from(id, 'hex') },
    );
    isAwaited ||= isWaitedFor(database, key.application, response);
  }
  if (isAwaited) scheduleRefresh(database, key, at, 0);
  return spans.length;
}

/** The indexes of responses for one commit, which looks each application up once. */
export class ResponseIndexes {
  private readonly known = new Map<number, boolean>();

  /** Indexes a block if the responses of its application are indexed. */
  add(database: Database, key: TraceKey, skeleton: () => Buffer, at: number): void {
    const { application } = key;
    let isKept = this.known.get(application);
    if (isKept === undefined) this.known.set(application, (isKept = isIndexed(database, application)));
    if (isKept) indexBlock(database, key, skeleton(), at);
  }
}

function isWaitedFor(database: Database, application: number, response: Uint8Array): boolean {
  return (
    database.get(
      'SELECT 1 FROM span_log WHERE application = :application AND trace_id = :none AND span_id = :response LIMIT 1',
      { application, none: NO_TRACE, response },
    ) !== undefined
  );
}

interface IndexPosition {
  application: number;
  beforeTkey: number;
  beforeSeq: number;
}

/** Indexes some of the earlier responses of one application, newest first; returns whether more are left. */
export function indexEarlierResponses(database: Database, { at }: { at: number }): boolean {
  const position = database.get<IndexPosition>(
    `SELECT application, before_tkey AS "beforeTkey", before_seq AS "beforeSeq" FROM response_index
     WHERE before_tkey > 0 ORDER BY application LIMIT 1`,
  );
  if (!position) return false;
  const { application, beforeTkey, beforeSeq } = position;
  const places = database.all<{ tkey: number; seq: number }>(
    `SELECT tkey, seq FROM chunk WHERE application = :application AND (tkey, seq) < (:beforeTkey, :beforeSeq)
     ORDER BY tkey DESC, seq DESC LIMIT :limit`,
    { application, beforeTkey, beforeSeq, limit: STEP_BLOCKS },
  );
  let next = places.length < STEP_BLOCKS ? { tkey: 0, seq: 0 } : places.at(-1);
  let spans = 0;
  for (const place of places) {
    if (spans >= STEP_SPANS) break;
    const key = { application, tkey: place.tkey };
    const block = database.get<{ skeleton: Buffer }>(
      'SELECT skeleton FROM chunk WHERE application = :application AND tkey = :tkey AND seq = :seq',
      { ...key, seq: place.seq },
    );
    const isStored =
      database.get('SELECT 1 FROM trace WHERE tkey = :tkey', { tkey: place.tkey }) !== undefined;
    if (block && isStored) spans += indexBlock(database, key, block.skeleton, at);
    if (spans >= STEP_SPANS) next = place;
  }
  database.run(
    `UPDATE response_index SET before_tkey = :tkey, before_seq = :seq WHERE application = :application`,
    { application, tkey: next?.tkey ?? 0, seq: next?.seq ?? 0 },
  );
  return true;
}

/** Returns the traces with spans that may have a response, newest first. */
export const tracesOfResponse = (
  database: Database,
  application: number,
  response: Uint8Array,
): { tkey: number; traceId: Buffer; spanId: Buffer }[] =>
  database.all(
    `SELECT response_span.tkey, trace_id AS "traceId", span_id AS "spanId"
     FROM response_span JOIN trace ON trace.tkey = response_span.tkey
     WHERE response_span.application = :application AND response = :response
     ORDER BY response_span.tkey DESC LIMIT :limit`,
    { application, response, limit: MAX_TRACES },
  );
