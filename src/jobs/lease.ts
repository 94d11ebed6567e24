import { AppError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { leaseClock } from '../storage/dialect.ts';

/** Time after which a lease that was not renewed is void; other processes then run its jobs again. */
const LEASE_MS = 30_000;
/** Step back of the clock after which waiting jobs are due at once: their due times may be far in the future. */
const SET_BACK_MS = 1_000;
/** Most jobs that one command makes due. */
const STEP_JOBS = 2_000;
/** Interval at which a process with running jobs renews its lease. */
export const RENEWAL_MS = 5_000;

export interface OpenLease {
  /**
   * True if other processes may be running jobs of this store. If false, all earlier leases are void at once.
   */
  isShared: boolean;
  /** Current time, in Unix milliseconds. */
  now: number;
}

/** Opens the lease of a process and returns its number. The caller calls `leaveQueues` next. */
export function openLease(database: Database, { isShared, now }: OpenLease): number {
  let expiresAt = leaseTime(database, now) + LEASE_MS;
  if (isShared) voidLeases(database, now);
  else {
    const last = database.get<{ at: number | null }>('SELECT max(expires_at) AS at FROM job_lease');
    // Kept, so that the first renewal finds that the clock was set back since.
    expiresAt = Math.max(expiresAt, last?.at ?? 0);
    database.run('DELETE FROM job_lease');
    takeBack(database, 'lease > 0', { now });
  }
  const opened = database.get<{ lease: number }>(
    'INSERT INTO job_lease (expires_at) VALUES (:expiresAt) RETURNING lease',
    { expiresAt },
  );
  return (opened as { lease: number }).lease;
}

export interface RenewLease {
  lease: number;
  /** Current time, in Unix milliseconds. */
  now: number;
}

/**
 * Renews a lease unless it was renewed recently. When the clock was set back since, makes waiting jobs due at once. Throws
 * `conflict` when the lease is void.
 */
export function renewLease(database: Database, { lease, now }: RenewLease): void {
  const found = database.get<{ expiresAt: number; at: number }>(
    `SELECT expires_at AS "expiresAt", ${leaseClock(':now')} AS at FROM job_lease WHERE lease = :lease`,
    { lease, now },
  );
  if (!found)
    throw new AppError('conflict', 'the lease of this process has expired; other processes run its jobs');
  const expiresAt = found.at + LEASE_MS;
  if (found.expiresAt > expiresAt + SET_BACK_MS) {
    // With more jobs than one command may change, the lease stays as it is, and the next renewal continues.
    if (makeDue(database, now) === STEP_JOBS) return;
  } else if (expiresAt - found.expiresAt < RENEWAL_MS / 2) return;
  database.run('UPDATE job_lease SET expires_at = :expiresAt WHERE lease = :lease', { expiresAt, lease });
}

/** Makes jobs due that wait for a time; returns their number, at most STEP_JOBS. */
function makeDue(database: Database, now: number): number {
  return database.all(
    `UPDATE job SET due_at = :now
     WHERE id IN (SELECT id FROM job WHERE state = 'waiting' AND due_at > :now LIMIT :limit) RETURNING id`,
    { now, limit: STEP_JOBS },
  ).length;
}

/** Returns the time by which leases expire. */
const leaseTime = (database: Database, now: number): number =>
  database.get<{ at: number }>(`SELECT ${leaseClock('CAST(:now AS BIGINT)')} AS at`, { now })?.at ?? now;

/** Returns SQL for whether a lease is that of no process; `now` is a parameter with the time of the caller. */
export const isVoidLease = (lease: string, now: string): string =>
  `NOT EXISTS (SELECT 1 FROM job_lease WHERE job_lease.lease = ${lease} AND job_lease.expires_at > ${leaseClock(now)})`;

/** Ends the lease of a process that stops: jobs that it could not finish run elsewhere at once. */
export function closeLease(database: Database, { lease, now }: RenewLease): void {
  takeBack(database, 'lease = :lease', { lease, now });
  database.run('DELETE FROM job_lease WHERE lease = :lease', { lease });
}

/** Makes the jobs of expired leases due again. */
export function voidLeases(database: Database, now: number): void {
  const expired = database.all<{ lease: number }>(
    `SELECT lease FROM job_lease WHERE expires_at <= ${leaseClock(':now')}`,
    { now },
  );
  for (const { lease } of expired) {
    takeBack(database, 'lease = :lease', { lease, now });
    database.run('DELETE FROM job_lease WHERE lease = :lease', { lease });
  }
}

/**
 * Returns claimed jobs to the queue. Runs that had begun count as attempts; their jobs come after the others, so that of
 * many kills no job is hit each time.
 */
function takeBack(database: Database, held: string, values: { lease?: number; now: number }): void {
  database.run(
    `UPDATE job SET state = 'waiting', lease = NULL, due_at = CASE WHEN begun = 0 THEN CAST(:now AS BIGINT) - 1 ELSE CAST(:now AS BIGINT) END, cuts = cuts + 1,
       attempts = CASE WHEN begun = 0 THEN attempts - 1 ELSE attempts END, begun = 1
     WHERE state = 'running' AND ${held}`,
    values,
  );
}
