/** Rows that are computed from traces, and how each is checked and computed again. */
import type { DerivedRows } from '../storage/derived-rows.ts';
import { eachField } from '../storage/dialect.ts';
import { refreshSession } from './session-index.ts';
import { TRACES_PER_RANGE } from './trace-ranges.ts';

interface SessionKey {
  application: number;
  id: string;
}

const sessions: DerivedRows<SessionKey> = {
  what: 'sessions',
  find: (database, limit) =>
    database.all<SessionKey>(
      `SELECT application, id FROM session
       WHERE first_ns IS DISTINCT FROM (SELECT min(start_ns) FROM trace
           WHERE trace.application = session.application AND session_id = session.id)
         OR last_ns IS DISTINCT FROM (SELECT max(start_ns) FROM trace
           WHERE trace.application = session.application AND session_id = session.id)
       UNION ALL
       SELECT DISTINCT application, session_id FROM trace
       WHERE session_id IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM session WHERE session.application = trace.application AND session.id = trace.session_id)
       LIMIT :limit`,
      { limit },
    ),
  describe: ({ id }) => ({
    of: `session ${id.slice(0, 100)}`,
    fault: 'its times are not those of its traces',
  }),
  repair: (database, { application, id }) => refreshSession(database, application, id),
};

interface RangeKey {
  application: number;
  range: number;
  isEmpty: number;
}

const OF_RANGE = `trace.application = :application AND tkey >= :range * ${TRACES_PER_RANGE}
  AND tkey < (:range + 1) * ${TRACES_PER_RANGE}`;

/** Bounds may be wider than the traces need, because they are never lowered. */
const ranges: DerivedRows<RangeKey> = {
  what: 'bounds of key ranges',
  find: (database, limit) =>
    database.all<RangeKey>(
      `SELECT trace.application, trace.tkey / ${TRACES_PER_RANGE} AS "range", 0 AS "isEmpty" FROM trace
       LEFT JOIN trace_block ON trace_block.application = trace.application
         AND trace_block.block = trace.tkey / ${TRACES_PER_RANGE}
       WHERE trace_block.block IS NULL OR start_ns < first_ns OR start_ns > last_ns
         OR end_ns - start_ns > duration_ns OR trace.cost > trace_block.cost
         OR trace.total_tokens > trace_block.total_tokens
       GROUP BY 1, 2
       UNION ALL
       SELECT application, block, 1 FROM trace_block WHERE NOT EXISTS (SELECT 1 FROM trace
         WHERE tkey >= block * ${TRACES_PER_RANGE} AND tkey < (block + 1) * ${TRACES_PER_RANGE}
           AND trace.application = trace_block.application)
       LIMIT :limit`,
      { limit },
    ),
  describe: ({ application, range, isEmpty }) => ({
    of: `key range ${range} of application ${application}`,
    fault: isEmpty ? 'it has bounds, and no trace' : 'its bounds exclude one of its traces',
  }),
  repair: (database, { application, range }) => {
    database.run('DELETE FROM trace_block WHERE application = :application AND block = :range', {
      application,
      range,
    });
    database.run(
      `INSERT INTO trace_block (application, block, first_ns, last_ns, duration_ns, cost, total_tokens)
       SELECT :application, :range, min(start_ns), max(start_ns), max(end_ns - start_ns), max(cost), max(total_tokens)
       FROM trace WHERE ${OF_RANGE} HAVING count(*) > 0`,
      { application, range },
    );
  },
};

interface LedgerKey {
  application: number;
  hour: number;
  keyId: string;
}

const REASONS = `(SELECT coalesce(sum(CAST(reason.value AS BIGINT)), 0) FROM ${eachField('ledger.reasons')} AS reason)`;

const ledger: DerivedRows<LedgerKey> = {
  what: 'sums of the ledger',
  find: (database, limit) =>
    database.all<LedgerKey>(
      `SELECT application, hour, key_id AS "keyId" FROM ledger
       WHERE received <> stored + duplicate + replaced + rejected OR rejected <> ${REASONS} LIMIT :limit`,
      { limit },
    ),
  describe: ({ hour, keyId }) => ({
    of: `ledger of key ${keyId} at ${new Date(hour).toISOString()}`,
    fault: 'its sums are not those of its parts',
  }),
  repair: (database, key) => {
    const isOne = 'application = :application AND hour = :hour AND key_id = :keyId';
    database.run(`UPDATE ledger SET rejected = ${REASONS} WHERE ${isOne}`, { ...key });
    database.run(`UPDATE ledger SET received = stored + duplicate + replaced + rejected WHERE ${isOne}`, {
      ...key,
    });
  },
};

const ORDINALS = 1024;

const ordinals: DerivedRows<{ n: number }> = {
  what: 'numbers of spans',
  find: (database) =>
    database
      .all<{ n: number }>(`SELECT count(*) AS n FROM ordinal WHERE i >= 0 AND i < ${ORDINALS}`)
      .filter(({ n }) => n !== ORDINALS),
  describe: ({ n }) => ({ of: 'table ordinal', fault: `it has ${n} of ${ORDINALS} numbers` }),
  repair: (database) => {
    for (let i = 0; i < ORDINALS; i++)
      database.run('INSERT INTO ordinal (i) VALUES (:i) ON CONFLICT DO NOTHING', { i });
  },
};

/** Numbers by which traces are verified, so they are repaired first. */
export const ORDINAL_ROWS = ordinals as DerivedRows;
export const DERIVED_OF_TRACES = [sessions, ranges, ledger] as DerivedRows[];
