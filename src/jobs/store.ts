import type { JobNumbers } from '../runtime/scraped-metrics.ts';
import type { Database } from '../storage/database.ts';
import { byIndex, lesser } from '../storage/dialect.ts';

/**
 * Value of `due_at` for a job that must not run again: one that is running and was not enqueued again, or a
 * dead one.
 */
export const NEVER = Number.MAX_SAFE_INTEGER;
const MAX_REASON = 500;

export interface EnqueueJob {
  application: number;
  kind: string;
  /** Subject of the work. Each kind has one job per key. */
  key: string;
  /** Earliest start, in Unix milliseconds. */
  dueAt: number;
  at: number;
}

/**
 * Enqueues work. A waiting job of that key keeps the earlier due time. A running one runs again when it has
 * ended, because it may have read data that has changed since. A dead one is replaced, also one that another process has
 * marked as dead after this command began.
 */
export function enqueueJob(database: Database, { application, kind, key, dueAt, at }: EnqueueJob): void {
  database.run(`DELETE FROM job WHERE kind = :kind AND key = :key AND state = 'dead'`, { kind, key });
  database.run(
    `INSERT INTO job (application, kind, key, state, attempts, due_at, created_at)
     VALUES (:application, :kind, :key, 'waiting', 0, :dueAt, :at)
     ON CONFLICT (kind, key) DO UPDATE SET due_at = ${lesser('job.due_at', 'excluded.due_at')},
       state = CASE job.state WHEN 'dead' THEN 'waiting' ELSE job.state END,
       attempts = CASE job.state WHEN 'dead' THEN 0 ELSE job.attempts END`,
    { application, kind, key, dueAt, at },
  );
}

/** Removes a job, even if it is running. */
export function dropJob(database: Database, { kind, key }: { kind: string; key: string }): void {
  database.run('DELETE FROM job WHERE kind = :kind AND key = :key', { kind, key });
}

/** Removes a job unless it is running. */
export function cancelJob(database: Database, { kind, key }: { kind: string; key: string }): void {
  database.run(`DELETE FROM job WHERE kind = :kind AND key = :key AND state <> 'running'`, { kind, key });
}

/** Reports whether a claim of a job is still the current one. */
export const isRunning = (database: Database, id: number): boolean =>
  database.get(`SELECT 1 FROM job WHERE id = :id AND state = 'running'`, { id }) !== undefined;

/**
 * Removes a running job whose work is done, or makes it wait again if it was enqueued in the meantime. The statement that
 * removes it decides, because another process may enqueue it between two statements.
 */
export function finishJob(database: Database, id: number): void {
  const removed = database.run(`DELETE FROM job WHERE id = :id AND state = 'running' AND due_at >= :never`, {
    id,
    never: NEVER,
  });
  if (removed === 0) startAfresh(database, id);
}

/**
 * Postpones a running job until `dueAt` (Unix milliseconds), or less if it was enqueued again in the
 * meantime.
 */
export function retryJob(
  database: Database,
  { id, dueAt, reason }: { id: number; dueAt: number; reason: string },
): void {
  database.run(
    `UPDATE job SET state = 'waiting', lease = NULL, due_at = ${lesser('due_at', ':dueAt')}, reason = :reason
     WHERE id = :id AND state = 'running'`,
    { id, dueAt, reason: reason.slice(0, MAX_REASON) },
  );
}

/**
 * Marks a running job as dead and stores the reason, unless it was enqueued again in the meantime and starts
 * afresh.
 */
export function buryJob(database: Database, { id, reason }: { id: number; reason: string }): void {
  const buried = database.run(
    `UPDATE job SET state = 'dead', lease = NULL, reason = :reason
     WHERE id = :id AND state = 'running' AND due_at >= :never`,
    { id, reason: reason.slice(0, MAX_REASON), never: NEVER },
  );
  if (buried === 0) startAfresh(database, id);
}

/**
 * Stores whether the work of a running job has begun. If it has not, a crash of the process costs the job no
 * attempt.
 */
export function markRun(database: Database, { id, begun }: { id: number; begun: boolean }): void {
  database.run(`UPDATE job SET begun = :begun WHERE id = :id AND state = 'running'`, {
    id,
    begun: Number(begun),
  });
}

/** Makes a running job wait again with all its attempts if it was enqueued in the meantime. */
function startAfresh(database: Database, id: number): void {
  database.run(
    `UPDATE job SET state = 'waiting', attempts = 0, cuts = 0, lease = NULL, reason = NULL
     WHERE id = :id AND state = 'running' AND due_at < :never`,
    { id, never: NEVER },
  );
}

export interface EndRun {
  id: number;
  /** `release`: the server stopped during the run, so the run does not count as an attempt. */
  fate: 'retry' | 'bury' | 'release';
  /** Time of the next attempt, in Unix milliseconds. */
  dueAt: number;
  reason: string;
}

/**
 * Decides what happens to a job whose run ended without settling it. Returns false when the run had settled
 * it.
 */
export function endRun(database: Database, { id, fate, dueAt, reason }: EndRun): boolean {
  if (!isRunning(database, id)) return false;
  if (fate === 'bury') buryJob(database, { id, reason });
  else retryJob(database, { id, dueAt, reason });
  if (fate === 'release') database.run('UPDATE job SET attempts = attempts - 1 WHERE id = :id', { id });
  return true;
}

export interface DeadJob {
  id: number;
  kind: string;
  key: string;
  attempts: number;
  reason: string;
  /** Creation time, in Unix milliseconds. */
  createdAt: number;
}

/** Returns the dead jobs of an application, newest first. */
export function listDeadJobs(
  database: Database,
  { application, limit }: { application: number; limit: number },
): DeadJob[] {
  return database.all<DeadJob>(
    `SELECT id, kind, key, attempts, reason, created_at AS "createdAt" FROM job
     WHERE state = 'dead' AND application = :application ORDER BY created_at DESC, id DESC LIMIT :limit`,
    { application, limit },
  );
}

/** Counts the jobs of each kind. */
export function jobNumbers(database: Database): JobNumbers[] {
  return database.all<JobNumbers>(
    `SELECT kind, sum(waiting) AS waiting, sum(running) AS running, sum(dead) AS dead, min(oldest) AS "oldestDueAt" FROM (
       SELECT kind, count(*) AS waiting, 0 AS running, 0 AS dead, min(due_at) AS oldest
         FROM job ${byIndex('job_waiting')} WHERE state = 'waiting' GROUP BY kind
       UNION ALL SELECT kind, 0, count(*), 0, NULL FROM job ${byIndex('job_running')} WHERE state = 'running' GROUP BY kind
       UNION ALL SELECT kind, 0, 0, count(*), NULL FROM job ${byIndex('job_dead')} WHERE state = 'dead' GROUP BY kind
     ) GROUP BY kind ORDER BY kind`,
  );
}
