import type { Database } from '../storage/database.ts';
import { greater } from '../storage/dialect.ts';
import { RULE_SET_VERSION } from './conventions/rule-set.ts';
import { insertPreview, mergePreview, replacePreview } from './preview.ts';
import { type Candidate, isBetter, type Rollup, TraceFlag } from './rollup.ts';
import { refreshSession, type SessionChanges } from './session-index.ts';
import type { SpanSums } from './span.ts';
import { raiseRange, raiseSums, type TraceRanges } from './trace-ranges.ts';
import type { TraceKey } from './trace-keys.ts';

/** Fields of a trace row that are needed to add spans. */
export interface TraceRow {
  tkey: bigint;
  start_ns: bigint;
  end_ns: bigint;
  next_seq: bigint;
  span_count: bigint;
  total_tokens: bigint;
  cost: number;
  root_rank: bigint;
  root_ns: bigint;
  root_name: string;
  session_id: string | null;
  user_id: string | null;
  flags: bigint;
  models: string;
  services: string;
  attributes: string;
}

export function findTraceRow(
  database: Database,
  application: number,
  traceId: Uint8Array,
): TraceRow | undefined {
  return database.getExact<TraceRow>(
    `SELECT tkey, start_ns, end_ns, next_seq, span_count, total_tokens, cost, root_rank, root_ns, root_name, session_id,
       user_id, flags, models, services, attributes
     FROM trace WHERE application = ? AND trace_id = ?`,
    application,
    traceId,
  );
}

const SUM_COLUMNS = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost',
];

/** Returns the values of the columns that name a trace and its participants. */
const describedValues = ({ rootName, sessionId, userId, models, services }: Rollup) =>
  [
    rootName.rank,
    rootName.at,
    rootName.text,
    sessionId,
    userId,
    JSON.stringify(models),
    JSON.stringify(services),
  ] as const;

/** Returns the values of SUM_COLUMNS. */
function sumValues(sums: Readonly<SpanSums>): number[] {
  return [
    sums.inputTokens,
    sums.outputTokens,
    sums.totalTokens,
    sums.cacheReadTokens,
    sums.cacheWriteTokens,
    sums.reasoningTokens,
    sums.cost,
  ];
}

const SET_SUMS = SUM_COLUMNS.map((column) => `${column} = ?`).join(', ');
const ADD_SUMS = SUM_COLUMNS.map((column) => `${column} = ${column} + ?`).join(', ');

/** Sums to add to a trace row. */
export interface TraceSums extends SpanSums {
  spanCount: number;
  errorCount: number;
}

export interface NewTrace {
  tkey: number;
  application: number;
  traceId: Uint8Array;
  native: boolean;
  /** Time of arrival, in Unix milliseconds. */
  at: number;
  nextSeq: number;
  /** TraceFlag bits of the roll-up and of the store. */
  flags: number;
  /** Indexed pairs of the trace, as JSON: see `trace-attributes.ts`. */
  attributes: string;
}

/** Changes that the traces of one commit share. */
export interface TraceChanges {
  sessions: SessionChanges;
  ranges: TraceRanges;
}

export function insertTraceRow(
  database: Database,
  { tkey, application, traceId, native, at, nextSeq, flags, attributes }: NewTrace,
  rollup: Rollup,
  sums: TraceSums,
  { sessions, ranges }: TraceChanges,
): void {
  database.run(
    `INSERT INTO trace (tkey, application, trace_id, native, start_ns, end_ns, received_at, updated_at, next_seq, rule_set,
       span_count, error_count, kinds, flags, root_rank, root_ns, root_name, session_id, user_id, models, services, attributes,
       ${SUM_COLUMNS.join(', ')})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    tkey,
    application,
    traceId,
    native ? 1 : 0,
    rollup.start,
    rollup.end,
    at,
    at,
    nextSeq,
    RULE_SET_VERSION,
    sums.spanCount,
    sums.errorCount,
    rollup.kinds,
    flags,
    ...describedValues(rollup),
    attributes,
    ...sumValues(sums),
  );
  if (rollup.sessionId !== null) sessions.join(application, rollup.sessionId, rollup.start);
  ranges.raise({ application, tkey }, { ...sums, start: rollup.start, end: rollup.end });
  insertPreview(database, { application, tkey }, rollup);
}

/** Adds the contribution of a batch to a stored trace. */
export function addToTraceRow(
  database: Database,
  row: TraceRow,
  { application, at, nextSeq, flags, attributes }: Omit<NewTrace, 'tkey' | 'traceId' | 'native'>,
  rollup: Rollup,
  sums: TraceSums,
  { sessions, ranges }: TraceChanges,
): void {
  const known: Candidate = { rank: Number(row.root_rank), at: row.root_ns, text: row.root_name };
  const root = isBetter(rollup.rootName, known) ? rollup.rootName : known;
  database.run(
    `UPDATE trace SET updated_at = ?, next_seq = ?, end_ns = ${greater('end_ns', '?')},
       span_count = span_count + ?, kinds = kinds | ?,
       flags = flags | ?, root_rank = ?, root_ns = ?, root_name = ?, models = ?, services = ?, attributes = ?, ${ADD_SUMS}
     WHERE tkey = ?`,
    at,
    nextSeq,
    rollup.end,
    sums.spanCount,
    rollup.kinds,
    flags,
    root.rank,
    root.at,
    root.text,
    mergeList(row.models, rollup.models),
    mergeList(row.services, rollup.services),
    attributes,
    ...sumValues(sums),
    row.tkey,
  );
  // Indexed columns are updated separately and only when they change, because an UPDATE that contains one rewrites
  // its index entry.
  if (sums.errorCount !== 0) {
    database.run('UPDATE trace SET error_count = error_count + ? WHERE tkey = ?', sums.errorCount, row.tkey);
  }
  if (row.user_id === null && rollup.userId !== null) {
    database.run('UPDATE trace SET user_id = ? WHERE tkey = ?', rollup.userId, row.tkey);
  }
  moveTrace(database, row, application, rollup, sessions);
  const key = { application, tkey: Number(row.tkey) };
  ranges.raise(key, {
    start: rollup.start < row.start_ns ? rollup.start : row.start_ns,
    end: rollup.end > row.end_ns ? rollup.end : row.end_ns,
    cost: row.cost + sums.cost,
    totalTokens: Number(row.total_tokens) + sums.totalTokens,
  });
  mergePreview(database, key, rollup);
}

/** Stores an earlier start and a session that was unknown, and updates the sessions. */
function moveTrace(
  database: Database,
  row: TraceRow,
  application: number,
  rollup: Rollup,
  sessions: SessionChanges,
): void {
  const isEarlier = rollup.start < row.start_ns;
  const start = isEarlier ? rollup.start : row.start_ns;
  const joined = row.session_id === null ? rollup.sessionId : null;
  if (isEarlier && joined !== null) {
    database.run('UPDATE trace SET start_ns = ?, session_id = ? WHERE tkey = ?', start, joined, row.tkey);
  } else if (isEarlier) {
    database.run('UPDATE trace SET start_ns = ? WHERE tkey = ?', start, row.tkey);
  } else if (joined !== null) {
    database.run('UPDATE trace SET session_id = ? WHERE tkey = ?', joined, row.tkey);
  }
  if (joined !== null) sessions.join(application, joined, start);
  else if (isEarlier && row.session_id !== null) {
    // The changes of this batch are written first, so that the stored session does not overwrite them.
    sessions.write(database);
    refreshSession(database, application, row.session_id);
  }
}

/** Flags that are stored in the row of a trace only. */
const KEPT_FLAGS = TraceFlag.replaced | TraceFlag.sample | TraceFlag.hasTests;

/** Replaces the row of a trace by a roll-up over all its spans, mapped by the current rules. */
export function replaceTraceRow(
  database: Database,
  {
    tkey,
    application,
    nextSeq,
    attributes,
  }: Pick<NewTrace, 'tkey' | 'application' | 'nextSeq' | 'attributes'>,
  rollup: Rollup,
): void {
  const before = database.get<{ session: string | null }>(
    'SELECT session_id AS session FROM trace WHERE tkey = ?',
    tkey,
  );
  database.run(
    `UPDATE trace SET next_seq = ?, rule_set = ?, start_ns = ?, end_ns = ?, span_count = ?, error_count = ?, kinds = ?,
       flags = (flags & ${KEPT_FLAGS}) | ?, root_rank = ?, root_ns = ?, root_name = ?, session_id = ?, user_id = ?,
       models = ?, services = ?, attributes = ?, ${SET_SUMS}
     WHERE tkey = ?`,
    nextSeq,
    RULE_SET_VERSION,
    rollup.start,
    rollup.end,
    rollup.spanCount,
    rollup.errorCount,
    rollup.kinds,
    rollup.flags,
    ...describedValues(rollup),
    attributes,
    ...sumValues(rollup),
    tkey,
  );
  for (const id of new Set([before?.session, rollup.sessionId])) {
    if (typeof id === 'string') refreshSession(database, application, id);
  }
  raiseRange(database, { application, tkey }, rollup);
  replacePreview(database, { application, tkey }, rollup);
}

/** Replaces the sums of a trace by those over all its spans. */
export function setTraceSums(database: Database, key: TraceKey, sums: Readonly<SpanSums>): void {
  database.run(`UPDATE trace SET ${SET_SUMS} WHERE tkey = ?`, ...sumValues(sums), key.tkey);
  raiseSums(database, key, sums);
}

/** Returns the union of a stored JSON list and some names. */
function mergeList(json: string, names: readonly string[]): string {
  if (names.length === 0) return json;
  const known = JSON.parse(json) as string[];
  const merged = new Set([...known, ...names]);
  return merged.size === known.length ? json : JSON.stringify([...merged].slice(0, 64));
}
