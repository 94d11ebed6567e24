/** Log records that name a model response instead of a span, until that response is stored. */
import { isObject } from '../contract/is-object.ts';
import type { Database } from '../storage/database.ts';
import { decodeLogRecord } from './log-record.ts';
import type { OpenTrace } from './open-trace.ts';
import { unpack } from './pack.ts';
import type { TraceKey } from './trace-keys.ts';

/** Attribute with the id of a model response. */
export const RESPONSE_ID = 'gen_ai.response.id';

/** Trace id under which records wait for the span of their response. */
export const NO_TRACE = Buffer.alloc(0);

/** Most records that one refresh gives to the spans of a trace. */
const MAX_GIVEN = 1_000;

/** Returns the span id of the records that wait for a response, from the hash of its id. */
export function responseKey(hash: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeUInt32BE(hash, 4);
  return key;
}

/** A log record and the span to which it belongs. */
export interface GivenLog {
  /** Number of the record. */
  log: number;
  spanId: string;
}

/**
 * Finds at most `room` records that wait for responses of a trace. A hash may be that of several responses, so the ids are
 * compared.
 */
export function recordsForTrace(
  database: Database,
  { application, tkey }: TraceKey,
  trace: OpenTrace,
  room: number,
): GivenLog[] {
  const rows = database.all<{ log: number; record: Buffer; spanId: Buffer }>(
    `SELECT span_log.id AS log, record, response_span.span_id AS "spanId"
     FROM response_span JOIN span_log ON span_log.application = response_span.application
       AND span_log.trace_id = :none AND span_log.span_id = response_span.response
     WHERE response_span.application = :application AND response_span.tkey = :tkey LIMIT :limit`,
    { application, tkey, none: NO_TRACE, limit: Math.max(0, Math.min(room, MAX_GIVEN)) },
  );
  const given = new Map<number, GivenLog>();
  for (const { log, record, spanId } of rows) {
    const id = spanId.toString('hex');
    const span = given.has(log) ? undefined : trace.byId.get(id);
    if (!span) continue;
    const { attributes, body } = decodeLogRecord(unpack(record));
    const wanted = attributes[RESPONSE_ID] ?? (isObject(body) ? body[RESPONSE_ID] : undefined);
    const { mapping } = trace.open(span);
    if (typeof wanted === 'string' && mapping.text('responseId') === wanted)
      given.set(log, { log, spanId: id });
  }
  return [...given.values()];
}

/** Gives records to their spans. A record that the span already has is removed. */
export function giveRecords(
  database: Database,
  { application, tkey }: TraceKey,
  traceId: Uint8Array,
  given: readonly GivenLog[],
): void {
  for (const { log, spanId } of given) {
    const place = { application, traceId, spanId: Buffer.from(spanId, 'hex'), log };
    const isKnown = database.get(
      `SELECT 1 FROM span_log WHERE application = :application AND trace_id = :traceId AND span_id = :spanId
         AND hash = (SELECT hash FROM span_log WHERE id = :log)`,
      place,
    );
    if (isKnown) database.run('DELETE FROM span_log WHERE id = :log AND tkey IS NULL', { log });
    else
      database.run(
        `UPDATE span_log SET trace_id = :traceId, span_id = :spanId, tkey = :tkey
         WHERE id = :log AND application = :application AND tkey IS NULL`,
        { ...place, tkey },
      );
  }
}
