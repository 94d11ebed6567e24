/**
 * Finds the spans of model responses for log records that name a response instead of a span, such as evaluations. An
 * application has an index of its responses from its first such record on; earlier spans are indexed in steps.
 */
import type { Database, RowStatement } from '../storage/database.ts';
import { NO_TRACE, responseKey } from './awaiting-logs.ts';
import { Refreshes } from './refresh.ts';
import { decodeSkeleton } from './skeleton.ts';
import type { TraceKey } from './trace-keys.ts';

/** Most traces with one response that are looked at. */
const MAX_TRACES = 16;
/** Most spans whose responses one step indexes, beyond those of one block. */
const STEP_SPANS = 4_000;
const STEP_BLOCKS = 200;

/** Reports whether the responses of an application are indexed. */
const isIndexed = (database: Database, application: number): boolean =>
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

const ADD_RESPONSE: RowStatement = {
  sql: 'INSERT INTO response_span (application, response, tkey, span_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  columns: ['integer', 'blob', 'integer', 'blob'],
};
const FIND_WAITING: RowStatement = {
  sql: 'SELECT 1 AS found FROM span_log WHERE application = ? AND trace_id = ? AND span_id = ? LIMIT 1',
  columns: ['integer', 'blob', 'blob'],
};

interface IndexedResponse extends TraceKey {
  response: Buffer;
  spanId: Buffer;
  at: number;
}

/** Responses that one command indexes. It looks each application up once. */
export class ResponseIndexes {
  private readonly known = new Map<number, boolean>();
  private responses: IndexedResponse[] = [];

  /** Indexes a block if the responses of its application are indexed. */
  add(database: Database, key: TraceKey, skeleton: () => Buffer, at: number): void {
    const { application } = key;
    let isKept = this.known.get(application);
    if (isKept === undefined) this.known.set(application, (isKept = isIndexed(database, application)));
    if (isKept) this.addBlock(key, skeleton(), at);
  }

  /** Indexes the responses of a block; returns the number of its spans. */
  addBlock({ application, tkey }: TraceKey, skeleton: Buffer, at: number): number {
    const { spans } = decodeSkeleton(skeleton, 0);
    for (const { id, responseHash } of spans) {
      if (responseHash === 0) continue;
      const spanId = Buffer.from(id, 'hex');
      this.responses.push({ application, tkey, response: responseKey(responseHash), spanId, at });
    }
    return spans.length;
  }

  /** Stores the responses, and schedules a refresh of each trace for whose responses records wait. */
  write(database: Database, refreshes: Refreshes): void {
    const { responses } = this;
    this.responses = [];
    database.runMany(
      ADD_RESPONSE,
      responses.map(({ application, response, tkey, spanId }) => [application, response, tkey, spanId]),
    );
    const awaited = database.allMany(
      FIND_WAITING,
      responses.map(({ application, response }) => [application, NO_TRACE, response]),
    );
    for (const [index, { application, tkey, at }] of responses.entries())
      if (awaited[index]?.length) refreshes.add({ application, tkey }, at, 0);
  }
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
  const indexes = new ResponseIndexes();
  for (const place of places) {
    if (spans >= STEP_SPANS) break;
    const key = { application, tkey: place.tkey };
    const block = database.get<{ skeleton: Buffer }>(
      'SELECT skeleton FROM chunk WHERE application = :application AND tkey = :tkey AND seq = :seq',
      { ...key, seq: place.seq },
    );
    const isStored =
      database.get('SELECT 1 FROM trace WHERE tkey = :tkey', { tkey: place.tkey }) !== undefined;
    if (block && isStored) spans += indexes.addBlock(key, block.skeleton, at);
    if (spans >= STEP_SPANS) next = place;
  }
  const refreshes = new Refreshes();
  indexes.write(database, refreshes);
  refreshes.write(database);
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
