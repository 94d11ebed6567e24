import type { Database } from '../storage/sqlite/database.ts';
import { decodeSkeleton } from './skeleton.ts';

/** What a native call needs to know of a trace that is stored: spans by id, and open starts by what they match. */
export interface NativeQuery {
  traceId: Uint8Array;
  spanIds: Uint8Array[];
  matches: { key: Uint8Array; limit: number }[];
}

export interface NativeAnswer {
  /** Where each span lies; `payload` is that of its chunk. */
  spans: { id: string; payload: Uint8Array; index: number }[];
  /** Ids of ends that closed a start → the id of that start. */
  aliases: [endId: string, spanId: string][];
  /** Match key → open starts, oldest first. */
  open: [key: string, spanIds: string[]][];
}

/** All ids in the answer are lower-case hex. Runs in the writer, so that it sees everything accepted before. */
export function findNativeSteps(
  database: Database,
  { application, queries }: { application: number; queries: NativeQuery[] },
): NativeAnswer[] {
  return queries.map((query) => {
    const answer: NativeAnswer = { spans: [], aliases: [], open: [] };
    const trace = database.get<{ tkey: number }>(
      'SELECT tkey FROM trace WHERE application = ? AND trace_id = ?',
      application,
      query.traceId,
    );
    if (!trace) return answer;
    const wanted = new Map(query.spanIds.map((id) => [hex(id), id]));
    for (const id of query.spanIds) {
      const row = database.get<{ span_id: Buffer }>(
        'SELECT span_id FROM closed_step WHERE tkey = ? AND end_id = ?',
        trace.tkey,
        id,
      );
      if (!row) continue;
      answer.aliases.push([hex(id), hex(row.span_id)]);
      wanted.set(hex(row.span_id), row.span_id);
    }
    for (const { key, limit } of query.matches) {
      const rows = database.all<{ span_id: Buffer }>(
        'SELECT span_id FROM open_step WHERE tkey = ? AND match = ? ORDER BY start_ns, span_id LIMIT ?',
        trace.tkey,
        key,
        limit,
      );
      answer.open.push([hex(key), rows.map((row) => hex(row.span_id))]);
      for (const row of rows) wanted.set(hex(row.span_id), row.span_id);
    }
    for (const [id, bytes] of wanted) {
      const row = database.get<{ ck: number; skeleton: Buffer; payload: Buffer }>(
        'SELECT ck, skeleton, payload FROM span JOIN chunk ON ck = chunk WHERE tkey = ? AND span_id = ?',
        trace.tkey,
        bytes,
      );
      if (!row) continue;
      const index = decodeSkeleton(row.skeleton, row.ck).spans.findIndex((span) => span.id === id);
      answer.spans.push({ id, payload: row.payload, index });
    }
    return answer;
  });
}

/** What to remember of native `llm` starts and ends; see `open_step` and `closed_step`. */
export interface NativeSteps {
  opened: { traceId: Uint8Array; match: Uint8Array; start: bigint; spanId: Uint8Array }[];
  closed: { traceId: Uint8Array; match: Uint8Array; start: bigint; spanId: Uint8Array }[];
  aliases: { traceId: Uint8Array; endId: Uint8Array; spanId: Uint8Array }[];
}

export function storeSteps(database: Database, application: number, steps: NativeSteps): void {
  const tkeyOf = (traceId: Uint8Array): number | undefined =>
    database.get<{ tkey: number }>(
      'SELECT tkey FROM trace WHERE application = ? AND trace_id = ?',
      application,
      traceId,
    )?.tkey;
  for (const { traceId, match, start, spanId } of steps.opened) {
    const tkey = tkeyOf(traceId);
    if (tkey === undefined) continue;
    database.run('INSERT OR IGNORE INTO open_step VALUES (?, ?, ?, ?)', tkey, match, start, spanId);
  }
  for (const { traceId, match, start, spanId } of steps.closed) {
    const tkey = tkeyOf(traceId);
    if (tkey === undefined) continue;
    database.run(
      'DELETE FROM open_step WHERE tkey = ? AND match = ? AND start_ns = ? AND span_id = ?',
      tkey,
      match,
      start,
      spanId,
    );
  }
  for (const { traceId, endId, spanId } of steps.aliases) {
    const tkey = tkeyOf(traceId);
    if (tkey === undefined) continue;
    database.run('INSERT OR IGNORE INTO closed_step VALUES (?, ?, ?)', tkey, endId, spanId);
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
