import { AppError } from '../errors.ts';
import type { Database } from '../storage/database.ts';

/** Time after which a lease that was not renewed is void; other processes then run its jobs again. */
const LEASE_MS = 30_000;
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
  if (isShared) voidLeases(database, now);
  else {
    database.run('DELETE FROM job_lease');
    takeBack(database, 'lease > 0', { now });
  }
  const opened = database.get<{ lease: number }>(
    'INSERT INTO job_lease (expires_at) VALUES (:expiresAt) RETURNING lease',
    { expiresAt: now + LEASE_MS },
  );
  return (opened as { lease: number }).lease;
}

export interface RenewLease {
  lease: number;
  /** Current time, in Unix milliseconds. */
  now: number;
}

/** Renews a lease unless it was renewed recently. Throws `conflict` when it is void. */
export function renewLease(database: Database, { lease, now }: RenewLease): void {
  const found = database.get<{ expiresAt: number }>(
    'SELECT expires_at AS "expiresAt" FROM job_lease WHERE lease = :lease',
    { lease },
  );
  if (!found)
    throw new AppError('conflict', 'the lease of this process has expired; other processes run its jobs');
  const expiresAt = now + LEASE_MS;
  if (expiresAt - found.expiresAt < RENEWAL_MS / 2) return;
  database.run('UPDATE job_lease SET expires_at = :expiresAt WHERE lease = :lease', { expiresAt, lease });
}

/** Makes the jobs of expired leases due again. */
export function voidLeases(database: Database, now: number): void {
  const expired = database.all<{ lease: number }>('SELECT lease FROM job_lease WHERE expires_at <= :now', {
    now,
  });
  for (const { lease } of expired) {
    takeBack(database, 'lease = :lease', { lease, now });
    database.run('DELETE FROM job_lease WHERE lease = :lease', { lease });
  }
}

/** Returns claimed jobs to the queue. Runs that had begun count as attempts. */
function takeBack(database: Database, held: string, values: { lease?: number; now: number }): void {
  database.run(
    `UPDATE job SET state = 'waiting', lease = NULL, due_at = :now, cuts = cuts + 1,
       attempts = CASE WHEN begun = 0 THEN attempts - 1 ELSE attempts END, begun = 1
     WHERE state = 'running' AND ${held}`,
    values,
  );
}
