import type { Database, RowStatement } from '../storage/database.ts';
import { greater } from '../storage/dialect.ts';
import { RowSet } from '../storage/row-set.ts';
import { RULE_SET_VERSION } from './conventions/rule-set.ts';
import { replacePreview } from './preview.ts';
import { type Candidate, isBetter, type Rollup, TraceFlag } from './rollup.ts';
import { refreshSession } from './session-index.ts';
import { addSums } from './sums.ts';
import { NO_SUMS, type SpanSums } from './span.ts';
import { raiseRange, raiseSums, type TraceExtent } from './trace-ranges.ts';
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

const FIND_ROW: RowStatement = {
  sql: `SELECT tkey, start_ns, end_ns, next_seq, span_count, total_tokens, cost, root_rank, root_ns, root_name, session_id,
       user_id, flags, models, services, attributes
     FROM trace WHERE application = ? AND trace_id = ?`,
  columns: ['integer', 'blob'],
};

/** Identifies a trace by the id that its sender gave it. */
export interface SentTrace {
  application: number;
  traceId: Buffer;
}

/** Returns the rows of traces, in their order; undefined for those that are not stored. */
export const findTraceRows = (database: Database, traces: readonly SentTrace[]): (TraceRow | undefined)[] =>
  database
    .allManyExact<TraceRow>(
      FIND_ROW,
      traces.map(({ application, traceId }) => [application, traceId]),
    )
    .map(([row]) => row);

const SUM_COLUMNS = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost',
];
const SUM_TYPES = SUM_COLUMNS.map((column) => (column === 'cost' ? 'real' : 'integer'));

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

/** Values that the store adds to the contribution of a batch to the row of a trace. */
export interface AddedToRow {
  /** Time of arrival, in Unix milliseconds. */
  at: number;
  /** Sequence number of the next block. */
  nextSeq: number;
  /** TraceFlag bits of the roll-up and of the store. */
  flags: number;
  /** Indexed pairs of the trace, as JSON: see `trace-attributes.ts`. */
  attributes: string;
}

/** The row of a trace while one command adds spans to it. */
export class OpenRow {
  /** The row as it is stored; undefined if the trace is new. */
  readonly stored: TraceRow | undefined;
  /** Sums to add to the stored row; those of a new trace are complete. */
  readonly sums: TraceSums = { ...NO_SUMS, spanCount: 0, errorCount: 0 };
  kinds = 0;
  flags = 0;
  native = false;
  /** True once spans are added. */
  isChanged = false;
  receivedAt = 0;
  updatedAt = 0;
  nextSeq: number;
  start: bigint;
  end: bigint;
  root: Candidate | null;
  sessionId: string | null;
  userId: string | null;
  models: string;
  services: string;
  attributes: string;

  constructor(stored: TraceRow | undefined) {
    this.stored = stored;
    this.nextSeq = Number(stored?.next_seq ?? 0);
    this.start = stored?.start_ns ?? 0n;
    this.end = stored?.end_ns ?? 0n;
    this.root = stored
      ? { rank: Number(stored.root_rank), at: stored.root_ns, text: stored.root_name }
      : null;
    this.sessionId = stored?.session_id ?? null;
    this.userId = stored?.user_id ?? null;
    this.models = stored?.models ?? '[]';
    this.services = stored?.services ?? '[]';
    this.attributes = stored?.attributes ?? '[]';
  }

  /** True once the trace has a row, or gets one. */
  get exists(): boolean {
    return this.root !== null;
  }

  /** Number of spans that are stored or added. */
  get spanCount(): number {
    return Number(this.stored?.span_count ?? 0) + this.sums.spanCount;
  }

  get allFlags(): number {
    return Number(this.stored?.flags ?? 0) | this.flags;
  }

  get extent(): TraceExtent {
    const { stored, sums, start, end } = this;
    return {
      start,
      end,
      cost: (stored?.cost ?? 0) + sums.cost,
      totalTokens: Number(stored?.total_tokens ?? 0) + sums.totalTokens,
    };
  }

  /** Adds the contribution of a batch. */
  add(rollup: Rollup, sums: TraceSums, { at, nextSeq, flags, attributes }: AddedToRow): void {
    const isFirst = this.root === null;
    if (isFirst) this.receivedAt = at;
    if (isFirst || rollup.start < this.start) this.start = rollup.start;
    if (isFirst || rollup.end > this.end) this.end = rollup.end;
    if (isBetter(rollup.rootName, this.root)) this.root = rollup.rootName;
    this.updatedAt = at;
    this.nextSeq = nextSeq;
    this.attributes = attributes;
    this.flags |= flags;
    this.kinds |= rollup.kinds;
    this.sums.spanCount += sums.spanCount;
    this.sums.errorCount += sums.errorCount;
    addSums(this.sums, sums);
    this.sessionId ??= rollup.sessionId;
    this.userId ??= rollup.userId;
    this.models = isFirst ? JSON.stringify(rollup.models) : mergeList(this.models, rollup.models);
    this.services = isFirst ? JSON.stringify(rollup.services) : mergeList(this.services, rollup.services);
    this.isChanged = true;
  }
}

const INSERTED = [
  ['tkey', 'integer'],
  ['application', 'integer'],
  ['trace_id', 'blob'],
  ['native', 'integer'],
  ['start_ns', 'integer'],
  ['end_ns', 'integer'],
  ['received_at', 'integer'],
  ['updated_at', 'integer'],
  ['next_seq', 'integer'],
  ['rule_set', 'integer'],
  ['span_count', 'integer'],
  ['error_count', 'integer'],
  ['kinds', 'integer'],
  ['flags', 'integer'],
  ['root_rank', 'integer'],
  ['root_ns', 'integer'],
  ['root_name', 'text'],
  ['session_id', 'text'],
  ['user_id', 'text'],
  ['models', 'text'],
  ['services', 'text'],
  ['attributes', 'text'],
  ...SUM_COLUMNS.map((column, at) => [column, SUM_TYPES[at] as 'integer'] as const),
] as const;

const INSERT_ROW: RowStatement = {
  sql: `INSERT INTO trace (${INSERTED.map(([name]) => name).join(', ')}) VALUES (${INSERTED.map(() => '?').join(', ')})`,
  columns: INSERTED.map(([, type]) => type),
};
const ADD_TO_ROW: RowStatement = {
  sql: `UPDATE trace SET updated_at = ?, next_seq = ?, end_ns = ${greater('end_ns', '?')},
       span_count = span_count + ?, kinds = kinds | ?,
       flags = flags | ?, root_rank = ?, root_ns = ?, root_name = ?, models = ?, services = ?, attributes = ?, ${ADD_SUMS}
     WHERE tkey = ?`,
  columns: [
    ...(['integer', 'integer', 'integer', 'integer', 'integer'] as const),
    ...(['integer', 'integer', 'integer', 'text', 'text', 'text', 'text'] as const),
    ...SUM_TYPES.map((type) => type as 'integer'),
    'integer',
  ],
};
// Indexed columns are updated separately and only when they change, because an UPDATE that contains one rewrites
// its index entry.
const ADD_ERRORS: RowStatement = {
  sql: 'UPDATE trace SET error_count = error_count + ? WHERE tkey = ?',
  columns: ['integer', 'integer'],
};
const SET_USER: RowStatement = {
  sql: 'UPDATE trace SET user_id = ? WHERE tkey = ?',
  columns: ['text', 'integer'],
};
const SET_START: RowStatement = {
  sql: 'UPDATE trace SET start_ns = ? WHERE tkey = ?',
  columns: ['integer', 'integer'],
};
const SET_SESSION: RowStatement = {
  sql: 'UPDATE trace SET session_id = ? WHERE tkey = ?',
  columns: ['text', 'integer'],
};

/** Rows of traces that one command writes. */
export class TraceRows {
  private readonly inserted = new RowSet(INSERT_ROW);
  private readonly changed = new RowSet(ADD_TO_ROW);
  private readonly errors = new RowSet(ADD_ERRORS);
  private readonly users = new RowSet(SET_USER);
  private readonly starts = new RowSet(SET_START);
  private readonly sessions = new RowSet(SET_SESSION);

  add({ application, tkey }: TraceKey, traceId: Uint8Array, row: OpenRow): void {
    if (row.stored) this.change(tkey, row, row.stored);
    else this.insert({ application, tkey }, traceId, row);
  }

  write(database: Database): void {
    const { inserted, changed, errors, users, starts, sessions } = this;
    for (const set of [inserted, changed, errors, users, starts, sessions]) set.write(database);
  }

  private insert({ application, tkey }: TraceKey, traceId: Uint8Array, row: OpenRow): void {
    const { sums, root } = row;
    this.inserted.add(
      tkey,
      application,
      traceId,
      row.native ? 1 : 0,
      row.start,
      row.end,
      row.receivedAt,
      row.updatedAt,
      row.nextSeq,
      RULE_SET_VERSION,
      sums.spanCount,
      sums.errorCount,
      row.kinds,
      row.flags,
      root?.rank ?? 0,
      root?.at ?? 0n,
      root?.text ?? '',
      row.sessionId,
      row.userId,
      row.models,
      row.services,
      row.attributes,
      ...sumValues(sums),
    );
  }

  private change(tkey: number, row: OpenRow, stored: TraceRow): void {
    const { sums, root } = row;
    this.changed.add(
      row.updatedAt,
      row.nextSeq,
      row.end,
      sums.spanCount,
      row.kinds,
      row.flags,
      root?.rank ?? stored.root_rank,
      root?.at ?? stored.root_ns,
      root?.text ?? stored.root_name,
      row.models,
      row.services,
      row.attributes,
      ...sumValues(sums),
      tkey,
    );
    if (sums.errorCount !== 0) this.errors.add(sums.errorCount, tkey);
    if (row.userId !== stored.user_id) this.users.add(row.userId, tkey);
    if (row.start !== stored.start_ns) this.starts.add(row.start, tkey);
    if (row.sessionId !== stored.session_id) this.sessions.add(row.sessionId, tkey);
  }
}

/** Flags that are stored in the row of a trace only. */
const KEPT_FLAGS = TraceFlag.replaced | TraceFlag.sample | TraceFlag.hasTests;

/** Replaces the row of a trace by a roll-up over all its spans, mapped by the current rules. */
export function replaceTraceRow(
  database: Database,
  { tkey, application, nextSeq, attributes }: TraceKey & Pick<AddedToRow, 'nextSeq' | 'attributes'>,
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
export function mergeList(json: string, names: readonly string[]): string {
  if (names.length === 0) return json;
  const known = JSON.parse(json) as string[];
  const merged = new Set([...known, ...names]);
  return merged.size === known.length ? json : JSON.stringify([...merged].slice(0, 64));
}
