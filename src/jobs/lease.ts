import { AppError } from '../errors.ts';
import type { Database } from '../storage/database.ts';

/** A lease that was not renewed for so long is void: the jobs of its process run again elsewhere. */
const LEASE_MS = 30_000;
/** Interval at which a process with running jobs renews its lease. */
export const RENEWAL_MS = 5_000;

export interface OpenLease {
  /**
   * True if other processes may be running jobs of this store. If not, the leases of earlier ones are void at once.
   */
  isShared: boolean;
  /** Unix milliseconds. */
  now: number;
}

/** Begins the work of a process and returns the number of its lease. `leaveQueues` is to be called next. */
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
  /** Unix milliseconds. */
  now: number;
}

/** Renews a lease unless it was renewed just before. Throws `conflict` when it is void. */
export function renewLease(database: Database, { lease, now }: RenewLease): void {
  const found = database.get<{ expiresAt: number }>(
    'SELECT expires_at AS "expiresAt" FROM job_lease WHERE lease = :lease',
    { lease },
  );
  if (!found) throw new AppError('conflict', 'the lease of this process is void; its jobs run elsewhere');
  const expiresAt = now + LEASE_MS;
  if (expiresAt - found.expiresAt < RENEWAL_MS / 2) return;
  database.run('UPDATE job_lease SET expires_at = :expiresAt WHERE lease = :lease', { expiresAt, lease });
}

/** Makes what processes were running that no longer renew their leases due again. */
export function voidLeases(database: Database, now: number): void {
  const expired = database.all<{ lease: number }>('SELECT lease FROM job_lease WHERE expires_at <= :now', {
    now,
  });
  for (const { lease } of expired) {
    takeBack(database, 'lease = :lease', { lease, now });
    database.run('DELETE FROM job_lease WHERE lease = :lease', { lease });
  }
}

/** Runs that had begun count as attempts. */
function takeBack(database: Database, held: string, values: { lease?: number; now: number }): void {
  database.run(
    `UPDATE job SET state = 'waiting', lease = NULL, due_at = :now, cuts = cuts + 1,
       attempts = CASE WHEN begun = 0 THEN attempts - 1 ELSE attempts END, begun = 1
     WHERE state = 'running' AND ${held}`,
    values,
  );
}
