import type { Database, SqlValue } from '../storage/sqlite/database.ts';
import { type SqlFragment, inTime } from '../storage/sql.ts';
import type { Owner } from '../contract/owner.ts';
import { durationMs, formatNs, shownCost } from './format.ts';
import { formatUuid } from './ids.ts';
import { TraceFlag } from './rollup.ts';
import { traceItems } from './list.ts';
import { countedPage, type PageOf } from '../storage/counted-page.ts';
import { jsonBytes } from './read.ts';

export interface SessionFilter {
  /** Sessions in which one of these users took part. */
  userId?: string[] | undefined;
  /** Part of the id, in any case. */
  search?: string | undefined;
  /** Sessions with a trace that began in this range: Unix nanoseconds, inclusive. */
  startDate?: bigint | undefined;
  endDate?: bigint | undefined;
}

export interface ListSessions extends Owner, PageOf {
  filter: SessionFilter;
  orderBy: 'firstAt' | 'lastAt';
  orderDir: 'asc' | 'desc';
}

const MAX_USERS = 20;
const MAX_MODELS = 64;
const MAX_TESTS = 20;
/** A session is answered with at most this many traces; the list of traces has the rest. */
const MAX_TRACES = 1_000;

/** The traces of one session; binds the application and the session's id. */
const OF_SESSION = `application = ? AND session_id = ? AND ${inTime('tkey')}`;

/** `{ data: [Session], pagination }` as JSON bytes. */
export function listSessions(
  database: Database,
  { filter, skip, limit, orderBy, orderDir, ...owner }: ListSessions,
): Uint8Array {
  const { sql, values } = matchingSessions(owner.application, filter);
  const direction = orderDir === 'asc' ? 'ASC' : 'DESC';
  const rows = database.all<{ id: string }>(
    `${sql} ORDER BY ${orderBy === 'lastAt' ? 'last_ns' : 'first_ns'} ${direction}, id ${direction} LIMIT ? OFFSET ?`,
    ...values,
    limit,
    skip,
  );
  return jsonBytes({
    data: rows.map(({ id }) => sessionSummary(database, owner, id)),
    pagination: countedPage(database, { sql, values }, { skip, limit }, rows.length),
  });
}

/** `{ data: Session with its traces }` as JSON bytes, or null when no trace names the session. */
export function readSession(database: Database, { id, ...owner }: Owner & { id: string }): Uint8Array | null {
  const session = sessionSummary(database, owner, id);
  if (!session) return null;
  const where = { sql: OF_SESSION, values: [owner.application, id] };
  const traces = traceItems(database, owner, where, { skip: 0, limit: MAX_TRACES, orderDir: 'asc' });
  return jsonBytes({ data: { ...session, traces, tracesTruncated: session.traceCount > traces.length } });
}

function matchingSessions(
  application: number,
  { userId, search, startDate, endDate }: SessionFilter,
): SqlFragment {
  const where = ['application = ?', inTime('id')];
  const values: SqlValue[] = [application];
  if (userId) {
    const users = userId.map(() => '?').join(', ');
    where.push(
      `id IN (SELECT session_id FROM trace INDEXED BY trace_by_user
         WHERE application = ? AND user_id IN (${users}) AND session_id IS NOT NULL AND ${inTime('tkey')})`,
    );
    values.push(application, ...userId);
  }
  if (startDate !== undefined) {
    where.push('last_ns >= ?');
    values.push(startDate);
  }
  if (endDate !== undefined) {
    where.push('first_ns <= ?');
    values.push(endDate);
  }
  // Between its first trace and its last a session may have been silent.
  if (startDate !== undefined && endDate !== undefined) {
    where.push(
      `EXISTS (SELECT 1 FROM trace WHERE trace.application = session.application AND session_id = session.id
         AND start_ns BETWEEN ? AND ?)`,
    );
    values.push(startDate, endDate);
  }
  if (search !== undefined) {
    where.push('contains_text(?, id)');
    values.push(search);
  }
  return { sql: `SELECT id FROM session WHERE ${where.join(' AND ')}`, values };
}

type SessionKey = readonly [application: number, id: string];

interface Figures {
  traces: bigint;
  first: bigint;
  last: bigint;
  end: bigint;
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  cost: number;
  isCostKnown: bigint;
  errors: bigint;
}

/** What the traces of a session are together; null when there is none. */
function sessionSummary(database: Database, owner: Owner, id: string) {
  const session: SessionKey = [owner.application, id];
  // total(), unlike sum(), has no number that is too large for it.
  const figures = database.getExact<Figures>(
    `SELECT count(*) AS traces, min(start_ns) AS first, max(start_ns) AS last, max(end_ns) AS end,
       total(input_tokens) AS input_tokens, total(output_tokens) AS output_tokens,
       total(total_tokens) AS total_tokens, total(cost) AS cost, max((flags & ${TraceFlag.costKnown}) <> 0) AS "isCostKnown", count(*) FILTER (WHERE error_count > 0) AS errors
     FROM trace WHERE ${OF_SESSION}`,
    ...session,
  ) as Figures;
  if (figures.traces === 0n) return null;
  return {
    id,
    orgId: owner.orgId,
    applicationId: owner.applicationId,
    userIds: sessionUsers(database, session),
    traceCount: Number(figures.traces),
    firstAt: formatNs(figures.first),
    lastAt: formatNs(figures.last),
    durationMs: durationMs(figures.first, figures.end),
    usage: {
      promptTokens: figures.input_tokens,
      completionTokens: figures.output_tokens,
      totalTokens: figures.total_tokens,
    },
    cost: shownCost(figures.cost, figures.isCostKnown === 1n),
    errorCount: Number(figures.errors),
    models: sessionModels(database, session),
    input: sessionText(database, session, 'input', 'ASC'),
    output: sessionText(database, session, 'output', 'DESC'),
    testIds: sessionTests(database, session),
  };
}

/** The input or output of the first (`ASC`) or last trace. */
function sessionText(
  database: Database,
  session: SessionKey,
  side: 'input' | 'output',
  direction: 'ASC' | 'DESC',
): string | null {
  const row = database.get<{ text: string | null }>(
    `SELECT ${side} AS text FROM trace LEFT JOIN trace_preview USING (application, tkey) WHERE ${OF_SESSION}
     ORDER BY start_ns ${direction}, trace_id ${direction} LIMIT 1`,
    ...session,
  );
  return row?.text ?? null;
}

/** Left to itself, SQLite takes the index by user for DISTINCT, and so goes through the traces of every user. */
function sessionUsers(database: Database, session: SessionKey): string[] {
  return database
    .all<{ user_id: string }>(
      `SELECT DISTINCT user_id FROM trace INDEXED BY trace_by_session
       WHERE ${OF_SESSION} AND user_id IS NOT NULL LIMIT ${MAX_USERS}`,
      ...session,
    )
    .map(({ user_id }) => user_id);
}

function sessionModels(database: Database, session: SessionKey): string[] {
  return database
    .all<{ model: string }>(
      `SELECT DISTINCT value AS model FROM trace CROSS JOIN json_each(models)
       WHERE ${OF_SESSION} LIMIT ${MAX_MODELS}`,
      ...session,
    )
    .map(({ model }) => model);
}

function sessionTests(database: Database, session: SessionKey): string[] {
  return database
    .all<{ test_id: Buffer }>(
      `SELECT DISTINCT test_id FROM (SELECT tkey FROM trace WHERE ${OF_SESSION}) CROSS JOIN trace_test USING (tkey)
       LIMIT ${MAX_TESTS}`,
      ...session,
    )
    .map(({ test_id }) => formatUuid(test_id));
}
