import type { Database, SqlValue } from '../storage/database.ts';
import {
  arrayOf,
  byIndex,
  containsText,
  each,
  hexOf,
  inTime,
  orderedJoin,
  totalOf,
} from '../storage/dialect.ts';
import type { SqlFragment } from '../storage/sql.ts';
import type { Owner } from '../contract/owner.ts';
import { durationMs, formatNs, shownCost } from './format.ts';
import { formatUuid } from './ids.ts';
import { TraceFlag } from './rollup.ts';
import { shownSearch, traceItems } from './list.ts';
import { type TraceFilter, TraceWhere } from './trace-where.ts';
import { countedPage, type PageOf } from '../storage/counted-page.ts';
import { jsonBytes, traceUuid } from './read.ts';
import { spellingsOf } from './subject-ids.ts';

export interface SessionFilter {
  /** Ids of users, one of whom must occur in the session. */
  userId?: string[] | undefined;
  /** Part of the id, ignoring case. */
  search?: string | undefined;
  /** Filter line, which a trace of the session must match. */
  q?: TraceFilter['q'];
  seenBy?: TraceFilter['seenBy'];
  /** Start of the range in which a trace of the session began: Unix nanoseconds, inclusive. */
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
/** Most traces of a session response; the list of traces returns all of them. */
const MAX_TRACES = 1_000;

/** SQL condition for the traces of one session; its parameters are the application and the session's id. */
const OF_SESSION = `application = ? AND session_id = ? AND ${inTime('tkey')}`;

/** Returns `{ data: [Session], pagination }` as JSON bytes. */
export function listSessions(
  database: Database,
  { filter, skip, limit, orderBy, orderDir, ...owner }: ListSessions,
): Uint8Array {
  const matching = filter.q
    ? new TraceWhere(database, owner.application, {
        q: filter.q,
        seenBy: filter.seenBy,
        includeSamples: true,
      })
    : null;
  const { sql, values } = matchingSessions(owner.application, filter, matching);
  const direction = orderDir === 'asc' ? 'ASC' : 'DESC';
  const rows = database.all<{ id: string }>(
    `${sql} ORDER BY ${orderBy === 'lastAt' ? 'last_ns' : 'first_ns'} ${direction}, id ${direction} LIMIT ? OFFSET ?`,
    ...values,
    limit,
    skip,
  );
  return jsonBytes({
    data: sessionSummaries(
      database,
      owner,
      rows.map(({ id }) => id),
    ),
    pagination: countedPage(database, { sql, values }, { skip, limit }, rows.length),
    ...(matching ? shownSearch(matching) : {}),
  });
}

/** Returns `{ data: Session with its traces }` as JSON bytes; null when no trace belongs to the session. */
export function readSession(database: Database, { id, ...owner }: Owner & { id: string }): Uint8Array | null {
  const stored = storedId(database, { application: owner.application, id });
  const [session] = sessionSummaries(database, owner, [stored]);
  if (!session) return null;
  const where = { sql: OF_SESSION, values: [owner.application, stored] };
  const traces = traceItems(database, owner, where, { skip: 0, limit: MAX_TRACES, orderDir: 'asc' });
  return jsonBytes({ data: { ...session, traces, tracesTruncated: session.traceCount > traces.length } });
}

/** Returns the last trace of a session: its 16 bytes and the id that the API shows. Null when no trace belongs to it. */
export function lastTraceOfSession(
  database: Database,
  { application, id }: { application: number; id: string },
): { traceId: Uint8Array; shownId: string } | null {
  const row = database.get<{ traceId: Buffer; native: number }>(
    `SELECT trace_id AS traceId, native FROM trace WHERE application = ? AND session_id = ?
     ORDER BY start_ns DESC, trace_id DESC LIMIT 1`,
    application,
    storedId(database, { application, id }),
  );
  if (!row) return null;
  const { traceId } = row;
  return { traceId, shownId: traceUuid({ native: row.native === 1, traceId }) };
}

/** Returns the id of a session as it is stored, which may be another spelling of the same characters. */
function storedId(database: Database, { application, id }: { application: number; id: string }): string {
  const isStored = (one: string): boolean =>
    database.get('SELECT 1 FROM session WHERE application = ? AND id = ?', application, one) !== undefined;
  const spellings = spellingsOf(id);
  return spellings.length === 1 ? id : (spellings.find(isStored) ?? id);
}

function matchingSessions(
  application: number,
  { userId, search, startDate, endDate }: SessionFilter,
  matching: SqlFragment | null,
): SqlFragment {
  const where = ['application = ?', inTime('id')];
  const values: SqlValue[] = [application];
  if (userId) {
    const spellings = userId.flatMap(spellingsOf);
    const users = spellings.map(() => '?').join(', ');
    where.push(
      `id IN (SELECT session_id FROM trace ${byIndex('trace_by_user')}
         WHERE application = ? AND user_id IN (${users}) AND session_id IS NOT NULL AND ${inTime('tkey')})`,
    );
    values.push(application, ...spellings);
  }
  if (startDate !== undefined) {
    where.push('last_ns >= ?');
    values.push(startDate);
  }
  if (endDate !== undefined) {
    where.push('first_ns <= ?');
    values.push(endDate);
  }
  // A session may have no trace within the range, although it began before and ended after it.
  if (startDate !== undefined && endDate !== undefined) {
    where.push(
      `EXISTS (SELECT 1 FROM trace WHERE trace.application = session.application AND session_id = session.id
         AND start_ns BETWEEN ? AND ?)`,
    );
    values.push(startDate, endDate);
  }
  if (search !== undefined) {
    where.push(containsText('?', 'id'));
    values.push(search);
  }
  if (matching) {
    where.push(`id IN (SELECT session_id FROM trace WHERE session_id IS NOT NULL AND ${matching.sql})`);
    values.push(...matching.values);
  }
  return { sql: `SELECT id FROM session WHERE ${where.join(' AND ')}`, values };
}

interface Totals {
  id: string;
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

interface Details {
  id: string;
  /** JSON list of the users. */
  users: string;
  models: string;
  tests: string;
  /** Texts of the first and of the last trace. */
  input: string | null;
  output: string | null;
  lastTrace: Buffer;
  isLastNative: number;
}

/** Summarises the traces of each session, in the order of `ids`. Sessions without traces are absent. */
function sessionSummaries(database: Database, owner: Owner, ids: readonly string[]) {
  const wanted = { application: owner.application, ids: JSON.stringify(ids) };
  const totals = database.allExact<Totals>(
    `SELECT wanted.value AS id, count(*) AS traces, min(start_ns) AS first, max(start_ns) AS last, max(end_ns) AS end,
       ${totalOf('input_tokens')} AS input_tokens, ${totalOf('output_tokens')} AS output_tokens,
       ${totalOf('total_tokens')} AS total_tokens, ${totalOf('cost')} AS cost,
       max(CASE WHEN (flags & ${TraceFlag.costKnown}) <> 0 THEN 1 ELSE 0 END) AS "isCostKnown",
       count(*) FILTER (WHERE error_count > 0) AS errors
     FROM ${each(':ids')} AS wanted ${orderedJoin} trace ON ${OF_WANTED} GROUP BY wanted.key, wanted.value ORDER BY wanted.key`,
    wanted,
  );
  const details = new Map(
    database.all<Details>(SELECT_DETAILS, wanted).map((session) => [session.id, session]),
  );
  return totals.map((session) => sessionSummary(owner, session, details.get(session.id) as Details));
}

/** SQL condition for the traces of the sessions in `:ids`. */
const OF_WANTED = `application = :application AND session_id = wanted.value AND ${inTime('tkey')}`;

/** Returns SQL for the input or output of the first (`ASC`) or last trace. */
const textOf = (side: 'input' | 'output', direction: 'ASC' | 'DESC'): string =>
  `(SELECT ${side} FROM trace LEFT JOIN trace_preview USING (application, tkey) WHERE ${OF_WANTED}
    ORDER BY start_ns ${direction}, trace_id ${direction} LIMIT 1) AS ${side}`;

/** Returns SQL for a column of the last trace. */
const ofLastTrace = (column: string, name: string): string =>
  `(SELECT ${column} FROM trace WHERE ${OF_WANTED} ORDER BY start_ns DESC, trace_id DESC LIMIT 1) AS "${name}"`;

/** Each list ends as soon as it is full. */
const SELECT_DETAILS = `SELECT wanted.value AS id,
    -- Otherwise SQLite uses the index by user for DISTINCT, and reads the traces of every user.
    (SELECT ${arrayOf('user_id')} FROM (SELECT DISTINCT user_id FROM trace ${byIndex('trace_by_session')}
      WHERE ${OF_WANTED} AND user_id IS NOT NULL LIMIT ${MAX_USERS})) AS users,
    (SELECT ${arrayOf('model')} FROM (SELECT DISTINCT model.value AS model
      FROM trace ${orderedJoin} ${each('models')} AS model ON true WHERE ${OF_WANTED} LIMIT ${MAX_MODELS})) AS models,
    (SELECT ${arrayOf(hexOf('test_id'))} FROM (SELECT DISTINCT test_id
      FROM (SELECT tkey FROM trace WHERE ${OF_WANTED}) ${orderedJoin} trace_test USING (tkey) LIMIT ${MAX_TESTS})) AS tests,
    ${textOf('input', 'ASC')},
    ${textOf('output', 'DESC')},
    ${ofLastTrace('trace_id', 'lastTrace')},
    ${ofLastTrace('native', 'isLastNative')}
  FROM ${each(':ids')} AS wanted`;

function sessionSummary({ orgId, applicationId }: Owner, totals: Totals, details: Details) {
  return {
    id: totals.id,
    orgId,
    applicationId,
    userIds: JSON.parse(details.users) as string[],
    traceCount: Number(totals.traces),
    firstAt: formatNs(totals.first),
    lastAt: formatNs(totals.last),
    durationMs: durationMs(totals.first, totals.end),
    usage: {
      promptTokens: totals.input_tokens,
      completionTokens: totals.output_tokens,
      totalTokens: totals.total_tokens,
    },
    cost: shownCost(totals.cost, totals.isCostKnown === 1n),
    errorCount: Number(totals.errors),
    models: JSON.parse(details.models) as string[],
    input: details.input,
    output: details.output,
    lastTraceId: traceUuid({ native: details.isLastNative === 1, traceId: details.lastTrace }),
    testIds: (JSON.parse(details.tests) as string[]).map((hex) => formatUuid(Buffer.from(hex, 'hex'))),
  };
}
