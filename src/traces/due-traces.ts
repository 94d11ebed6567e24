import type { Database } from '../storage/database.ts';

/**
 * Most due traces among which applications take turns; if there are more, those that have waited longest come first.
 */
const MAX_IN_TURNS = 2_000;

/**
 * Returns the traces in a table of due work. Applications take turns; within each, those that have waited longest
 * come first.
 */
export function scheduledTraces(
  database: Database,
  table: 'rewrite' | 'refresh',
  { now, limit }: { now: number; limit: number },
): number[] {
  return database
    .all<{ tkey: number }>(
      `SELECT tkey FROM (
         SELECT tkey, due_at, row_number() OVER (PARTITION BY application ORDER BY due_at) AS turn
         FROM (SELECT application, tkey, due_at FROM ${table} WHERE due_at <= :now ORDER BY due_at LIMIT :candidates))
       ORDER BY turn, due_at LIMIT :limit`,
      { now, candidates: MAX_IN_TURNS, limit },
    )
    .map(({ tkey }) => tkey);
}

/** Returns when the next trace is due for a rewrite or a refresh, in Unix milliseconds; null when none is. */
export function nextDueTraceAt(database: Database, _args: null): number | null {
  const row = database.get<{ nextAt: number | null }>(
    `SELECT min(due_at) AS "nextAt" FROM (
       SELECT min(due_at) AS due_at FROM rewrite UNION ALL SELECT min(due_at) AS due_at FROM refresh) AS due`,
  );
  return row?.nextAt ?? null;
}

/** Most traces of each kind of maintenance that are counted. */
const MAX_COUNTED = 10_000;

/** Counts the traces of all applications that are due for maintenance, each kind up to MAX_COUNTED. */
export function countDueTraces(
  database: Database,
  { now }: { now: number },
): { rewrites: number; refreshes: number; deletions: number } {
  const count = (sql: string, ...values: number[]): number =>
    database.get<{ n: number }>(`SELECT count(*) AS n FROM (${sql} LIMIT ?) AS due`, ...values, MAX_COUNTED)
      ?.n ?? 0;
  return {
    rewrites: count('SELECT 1 FROM rewrite WHERE due_at <= ?', now),
    refreshes: count('SELECT 1 FROM refresh WHERE due_at <= ?', now),
    deletions: count('SELECT 1 FROM purge'),
  };
}
