import { createHash } from 'node:crypto';
import type { Database } from '../../storage/database.ts';
import { byIndex, jsonNumber, orderedJoin } from '../../storage/dialect.ts';
import { TraceFlag } from '../../traces/rollup.ts';
import type { PlannedDefinition } from '../applicable.ts';
import { firstEval, planEvals } from './plan.ts';

/** Most sampled traces of one application that may wait until they are idle; further ones are dropped. */
const MAX_WAITING = 10_000;
/** Evals after which a command plans no further trace. A trace has at most one per monitoring definition. */
const STEP_EVALS = 500;
/** Rank of a trace's name when all its known spans are descendants of spans that have not arrived. */
const ORPHAN_RANK = 1;

/** SQL for the sampling rate of a definition. */
export const sampleRate = jsonNumber('global_config', 'monitoring', 'sampleRate');

/** SQL condition for traces of the app itself, not of a test or a sample request. */
export const isLiveTrace = `flags & ${TraceFlag.sample} = 0
  AND NOT EXISTS (SELECT 1 FROM trace_test WHERE trace_test.tkey = trace.tkey)`;

/** Returns, by application, the largest share of its traces that one of its definitions monitors. */
function monitoringRates(database: Database): Map<number, number> {
  const rows = database.all<{ application: number; rate: number }>(
    `SELECT application, max(${sampleRate}) AS rate FROM definition
     WHERE status = 'ACTIVE' AND ${sampleRate} > 0 AND type <> 'CONVERSATION' AND EXISTS (
       SELECT 1 FROM definition_link AS link
       WHERE link.application = definition.application AND definition_id = definition.id AND kind = 'application')
     GROUP BY application`,
  );
  return new Map(rows.map(({ application, rate }) => [application, rate]));
}

/**
 * Maps the id of a trace or a session to a number from 0 up to, but not including, 1. Evenly distributed, however the
 * id was made.
 */
export function placeOf(id: Uint8Array | string): number {
  return createHash('sha256').update(id).digest().readUIntBE(0, 6) / 2 ** 48;
}

export interface DrawnTrace {
  application: number;
  traceId: Uint8Array;
}

export interface DrawnTraces {
  /** True if any definition judges live traces. */
  isOn: boolean;
  /** Key of the last trace examined; null when none is stored. */
  last: number | null;
  /** True if there may be more traces to examine. */
  hasMore: boolean;
  drawn: DrawnTrace[];
}

/**
 * Returns the key up to which all traces are stored. Keys are given before the commits of the commands that take them; beside this
 * command, which locks everything, there is none.
 */
export const settledTraceKey = (database: Database, _args: null): number =>
  database.get<{ last: number | null }>('SELECT max(tkey) AS last FROM trace')?.last ?? 0;

/**
 * Samples the traces that arrived after the one with the key `after`, up to `until`. Without `after`, it continues after the last
 * recorded trace. If none is recorded, monitoring has just begun and earlier traces are ignored.
 */
export function drawLiveTraces(
  database: Database,
  { after, limit, until = Number.MAX_SAFE_INTEGER }: { after: number | null; limit: number; until?: number },
): DrawnTraces {
  const rates = monitoringRates(database);
  const noted = database.get<{ last: number }>('SELECT last_tkey AS last FROM monitoring')?.last;
  if (rates.size === 0) return { isOn: false, last: noted ?? null, hasMore: false, drawn: [] };
  const from = after ?? noted;
  if (from === undefined) {
    const row = database.get<{ last: number | null }>('SELECT max(tkey) AS last FROM trace');
    return { isOn: true, last: row?.last ?? 0, hasMore: false, drawn: [] };
  }
  const rows = database.all<{ tkey: number; application: number; traceId: Buffer }>(
    `SELECT tkey, application, trace_id AS traceId FROM trace WHERE tkey > :from AND tkey <= :until
     ORDER BY tkey LIMIT :limit`,
    { from, until, limit },
  );
  return {
    isOn: true,
    last: rows.at(-1)?.tkey ?? from,
    hasMore: rows.length === limit,
    drawn: rows
      .filter(({ application, traceId }) => placeOf(traceId) < (rates.get(application) ?? 0))
      .map(({ application, traceId }) => ({ application, traceId })),
  };
}

/**
 * Records the sample up to the trace `last`, and returns how many traces were dropped because too many wait. A null
 * `last` means that monitoring has ended.
 */
export function noteLiveTraces(
  database: Database,
  { drawn, last, dueAt }: { drawn: readonly DrawnTrace[]; last: number | null; dueAt: number },
): number {
  database.run('DELETE FROM monitoring');
  if (last !== null) database.run('INSERT INTO monitoring (last_tkey) VALUES (:last)', { last });
  const room = new Map<number, number>();
  let dropped = 0;
  for (const { application, traceId } of drawn) {
    const left = room.get(application) ?? MAX_WAITING - countWaiting(database, application);
    room.set(application, left - 1);
    if (left <= 0) dropped += 1;
    else
      database.run(
        `INSERT INTO monitored_trace (application, trace_id, due_at) VALUES (:application, :traceId, :dueAt)
         ON CONFLICT DO NOTHING`,
        { application, traceId: Buffer.from(traceId), dueAt },
      );
  }
  return dropped;
}

const countWaiting = (database: Database, application: number): number =>
  (
    database.get<{ n: number }>(
      'SELECT count(*) AS n FROM monitored_trace WHERE application = :application',
      { application },
    ) as { n: number }
  ).n;

/** Time when the next sampled trace is due, in Unix milliseconds; null when none waits. */
export function nextMonitoringAt(database: Database, _args: null): number | null {
  const sql = 'SELECT min(due_at) AS "nextAt" FROM monitored_trace';
  return database.get<{ nextAt: number | null }>(sql)?.nextAt ?? null;
}

export interface PlanMonitoring {
  now: number;
  limit: number;
  /** Idle timeouts: time without new spans after which a trace with a root, or without one, is complete. */
  quietMs: number;
  orphanQuietMs: number;
}

/**
 * Plans the evals of sampled traces that are idle, a limited number at a time. Returns how many traces were examined
 * (0 when none is due) and how many evals were planned.
 */
export function planMonitoring(
  database: Database,
  { now, limit, ...quiet }: PlanMonitoring,
): { looked: number; planned: number } {
  const due = database.all<{ application: number; traceId: Buffer }>(
    `SELECT application, trace_id AS traceId FROM monitored_trace WHERE due_at <= :now ORDER BY due_at LIMIT :limit`,
    { now, limit },
  );
  const monitors = new Map<number, Monitor[]>();
  let [looked, planned, room] = [0, 0, STEP_EVALS];
  for (const { application, traceId } of due) {
    if (room <= 0) break;
    looked += 1;
    if (!leaveQueue(database, { application, traceId, now, quiet })) continue;
    const known = monitors.get(application) ?? monitorsOf(database, application);
    monitors.set(application, known);
    const place = placeOf(traceId);
    const evals = known.filter(({ rate }) => place < rate).map(firstEval);
    const plan = { application, target: { traceId }, evals, force: false, at: now };
    const count = planEvals(database, plan);
    room -= count;
    if (count > 0) planned += 1;
  }
  return { looked, planned };
}

/** Removes an idle trace from the queue, or postpones it; returns true if its evals are to be planned. */
function leaveQueue(
  database: Database,
  {
    application,
    traceId,
    now,
    quiet,
  }: {
    application: number;
    traceId: Buffer;
    now: number;
    quiet: Pick<PlanMonitoring, 'quietMs' | 'orphanQuietMs'>;
  },
): boolean {
  const quietAt = quietAtOf(database, application, traceId, quiet);
  if (quietAt !== null && quietAt > now) {
    database.run(
      'UPDATE monitored_trace SET due_at = :quietAt WHERE application = :application AND trace_id = :traceId',
      { quietAt, application, traceId },
    );
    return false;
  }
  database.run('DELETE FROM monitored_trace WHERE application = :application AND trace_id = :traceId', {
    application,
    traceId,
  });
  return quietAt !== null;
}

/** A definition that judges live traces, and its sampling rate. */
interface Monitor extends PlannedDefinition {
  rate: number;
}

/**
 * Returns the definitions that judge live traces; conversations are judged by session. The rate is read from the index,
 * because configs may be long.
 */
const monitorsOf = (database: Database, application: number): Monitor[] =>
  database.all<Monitor>(
    `SELECT definition.id AS definitionId, version, type, ${sampleRate} AS rate
     FROM definition_link AS link
       ${orderedJoin} definition ${byIndex('definition_monitoring')} ON definition.id = definition_id
     WHERE link.application = :application AND kind = 'application' AND definition.application = :application
       AND status = 'ACTIVE' AND ${sampleRate} > 0 AND type <> 'CONVERSATION'
     ORDER BY link.id`,
    { application },
  );

/**
 * Returns when the idle timeout of a trace ends; null when the trace no longer exists, belongs to a test, or is that
 * of a sample request.
 */
function quietAtOf(
  database: Database,
  application: number,
  traceId: Buffer,
  { quietMs, orphanQuietMs }: Pick<PlanMonitoring, 'quietMs' | 'orphanQuietMs'>,
): number | null {
  const trace = database.get<{ updatedAt: number; rootRank: number }>(
    `SELECT updated_at AS updatedAt, root_rank AS rootRank FROM trace
     WHERE application = :application AND trace_id = :traceId AND ${isLiveTrace}`,
    { application, traceId },
  );
  return trace ? trace.updatedAt + (trace.rootRank === ORPHAN_RANK ? orphanQuietMs : quietMs) : null;
}
