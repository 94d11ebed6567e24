import type { Database, RowStatement } from '../storage/database.ts';
import { RowSet } from '../storage/row-set.ts';
import type { TraceKey } from './trace-keys.ts';

/** Query of a native call for the stored state of a trace: spans by id, and open starts by match key. */
export interface NativeQuery {
  traceId: Uint8Array;
  spanIds: Uint8Array[];
  /** Open starts to find: the oldest of each key, until `limit` of them are not in `touched`. */
  matches: { key: Uint8Array; limit: number }[];
  /** Ids of steps that the call itself changes, which may no longer be open when it looks for one. */
  touched: Uint8Array[];
}

/** Stored state, with ids in lower-case hex. */
export interface NativeAnswer {
  /** Ids of ends that closed a start, with the id of that start. */
  aliases: [endId: string, spanId: string][];
  /** Open starts by match key, oldest first. */
  open: [key: string, spanIds: string[]][];
}

/** Requested spans of one trace. */
export interface WantedNative {
  /** Index of the query to which they belong. */
  query: number;
  traceId: Uint8Array;
  spanIds: Uint8Array[];
}

export interface NativeBlocks {
  /** Blocks, each once, with the requested spans whose current version it contains. */
  blocks: { query: number; spanIds: Uint8Array[]; skeleton: Uint8Array; payload: Uint8Array }[];
  /** Requested spans that did not fit; `readNativeSpans` returns more of them. */
  left: WantedNative[];
}

/**
 * Most bytes of blocks that one command returns: the writer does nothing else while it runs, and the bytes are
 * copied.
 */
const MAX_BLOCK_BYTES = 8 * 1024 * 1024;
/** Most spans that one command looks up to find their blocks. */
const MAX_SPANS = 4_000;
/** Number of open starts that are read in addition to the requested ones. */
const SPARE_ROWS = 16;

/** Runs in the writer, so that it sees all accepted requests. */
export function findNativeSteps(
  database: Database,
  { application, queries }: { application: number; queries: NativeQuery[] },
): NativeBlocks & { answers: NativeAnswer[] } {
  const wanted: WantedNative[] = [];
  const answers = queries.map((query, index) => {
    const answer: NativeAnswer = { aliases: [], open: [] };
    const tkey = findTraceKey(database, application, query.traceId);
    if (tkey === undefined) return answer;
    const spanIds = new Map(query.spanIds.map((id) => [hex(id), id]));
    for (const id of query.spanIds) {
      const row = database.get<{ span_id: Buffer }>(
        'SELECT span_id FROM closed_step WHERE application = ? AND tkey = ? AND end_id = ?',
        application,
        tkey,
        id,
      );
      if (!row) continue;
      answer.aliases.push([hex(id), hex(row.span_id)]);
      spanIds.set(hex(row.span_id), row.span_id);
    }
    const touched = new Set(query.touched.map(hex));
    for (const { key, limit } of query.matches) {
      const open = findOpenStarts(database, { application, tkey, key, limit }, touched);
      answer.open.push([hex(key), open.map(hex)]);
      for (const id of open) spanIds.set(hex(id), id);
    }
    wanted.push({ query: index, traceId: query.traceId, spanIds: [...spanIds.values()] });
    return answer;
  });
  return { answers, ...readNativeSpans(database, { application, wanted }) };
}

/**
 * Returns the oldest open starts of a key, until `limit` of them are not touched. Each touched one is read at most
 * once.
 */
function findOpenStarts(
  database: Database,
  { application, tkey, key, limit }: TraceKey & { key: Uint8Array; limit: number },
  touched: ReadonlySet<string>,
): Buffer[] {
  const found: Buffer[] = [];
  let left = limit;
  let last: { start: bigint; id: Buffer } = { start: -(2n ** 63n), id: Buffer.alloc(0) };
  for (;;) {
    const most = left + Math.min(touched.size, SPARE_ROWS);
    const rows = database.allExact<{ start: bigint; id: Buffer }>(
      `SELECT start_ns AS start, span_id AS id FROM open_step
       WHERE application = ? AND tkey = ? AND match = ? AND (start_ns, span_id) > (?, ?)
       ORDER BY start_ns, span_id LIMIT ?`,
      application,
      tkey,
      key,
      last.start,
      last.id,
      most,
    );
    for (const row of rows) {
      if (left === 0) return found;
      found.push(row.id);
      if (!touched.has(hex(row.id))) left -= 1;
      last = row;
    }
    if (left === 0 || rows.length < most) return found;
  }
}

/** Returns blocks that contain these spans, as many as one command may return; at least one, if there is any. */
export function readNativeSpans(
  database: Database,
  { application, wanted }: { application: number; wanted: WantedNative[] },
): NativeBlocks {
  const found: NativeBlocks = { blocks: [], left: [] };
  let bytes = 0;
  let room = MAX_SPANS;
  for (const { query, traceId, spanIds } of wanted) {
    const isFull = bytes >= MAX_BLOCK_BYTES || room === 0;
    const tkey = isFull ? null : findTraceKey(database, application, traceId);
    if (tkey === null) found.left.push({ query, traceId, spanIds });
    if (typeof tkey !== 'number') continue;
    const left = spanIds.slice(room);
    const now = spanIds.slice(0, room);
    room -= now.length;
    for (const [seq, members] of byBlock(database, { application, tkey }, now)) {
      if (bytes >= MAX_BLOCK_BYTES) {
        for (const id of members) left.push(id);
        continue;
      }
      const block = database.get<{ skeleton: Buffer; payload: Buffer }>(
        'SELECT skeleton, payload FROM chunk WHERE application = ? AND tkey = ? AND seq = ?',
        application,
        tkey,
        seq,
      );
      if (!block) throw new Error(`the directory names block ${seq}, which is not stored`);
      found.blocks.push({ query, spanIds: members, ...block });
      bytes += block.skeleton.length + block.payload.length;
    }
    if (left.length > 0) found.left.push({ query, traceId, spanIds: left });
  }
  return found;
}

export function findTraceKey(
  database: Database,
  application: number,
  traceId: Uint8Array,
): number | undefined {
  return database.get<{ tkey: number }>(
    'SELECT tkey FROM trace WHERE application = ? AND trace_id = ?',
    application,
    traceId,
  )?.tkey;
}

/** Groups spans by the block with their current version. Spans that are not stored are absent. */
function byBlock(
  database: Database,
  { application, tkey }: TraceKey,
  spanIds: readonly Uint8Array[],
): Map<number, Uint8Array[]> {
  const blocks = new Map<number, Uint8Array[]>();
  for (const id of spanIds) {
    const row = database.get<{ seq: number }>(
      'SELECT seq FROM span WHERE application = ? AND tkey = ? AND span_id = ?',
      application,
      tkey,
      id,
    );
    if (!row) continue;
    const members = blocks.get(row.seq);
    if (members) members.push(id);
    else blocks.set(row.seq, [id]);
  }
  return blocks;
}

/** Native `llm` starts and ends to store; see `open_step` and `closed_step`. */
export interface NativeSteps {
  opened: { traceId: Uint8Array; match: Uint8Array; start: bigint; spanId: Uint8Array }[];
  closed: { traceId: Uint8Array; match: Uint8Array; start: bigint; spanId: Uint8Array }[];
  aliases: { traceId: Uint8Array; endId: Uint8Array; spanId: Uint8Array }[];
}

const OPEN_STEP: RowStatement = {
  sql: 'INSERT INTO open_step (application, tkey, match, start_ns, span_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  columns: ['integer', 'integer', 'blob', 'integer', 'blob'],
};
const CLOSE_STEP: RowStatement = {
  sql: 'DELETE FROM open_step WHERE application = ? AND tkey = ? AND match = ? AND start_ns = ? AND span_id = ?',
  columns: ['integer', 'integer', 'blob', 'integer', 'blob'],
};
const ADD_ALIAS: RowStatement = {
  sql: 'INSERT INTO closed_step (application, tkey, end_id, span_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  columns: ['integer', 'integer', 'blob', 'blob'],
};

/** Steps of native calls that one command opens and closes. */
export class StepChanges {
  private readonly opened = new RowSet(OPEN_STEP);
  private readonly closed = new RowSet(CLOSE_STEP);
  private readonly aliases = new RowSet(ADD_ALIAS);

  /** Adds the steps of one call. `tkeyOf` returns the keys of stored traces. */
  add(application: number, steps: NativeSteps, tkeyOf: (traceId: Uint8Array) => number | undefined): void {
    const changes = [
      [this.opened, steps.opened],
      [this.closed, steps.closed],
    ] as const;
    for (const [rows, changed] of changes) {
      for (const { traceId, match, start, spanId } of changed) {
        const tkey = tkeyOf(traceId);
        if (tkey !== undefined) rows.add(application, tkey, match, start, spanId);
      }
    }
    for (const { traceId, endId, spanId } of steps.aliases) {
      const tkey = tkeyOf(traceId);
      if (tkey !== undefined) this.aliases.add(application, tkey, endId, spanId);
    }
  }

  write(database: Database): void {
    for (const rows of [this.opened, this.closed, this.aliases]) rows.write(database);
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
