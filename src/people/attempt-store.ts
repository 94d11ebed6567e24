import type { Database } from '../storage/database.ts';
import { leaseClock } from '../storage/dialect.ts';
import { locking } from '../storage/operations.ts';
import { FORGET_MS, waitAfter } from './attempt-limit.ts';

/** Most subjects that are kept; those that tried longest ago are deleted first. */
const MAX_SUBJECTS = 100_000;
/** Most rows that one command deletes. */
const STEP_ROWS = 1_000;

/** Subject of an attempt, as it is stored: under a hash of its name. */
export interface HashedSubject {
  hash: Uint8Array;
  /** Failures that cost no wait. */
  free: number;
}

/** Failures of a subject before an attempt. */
interface Failures {
  failures: number;
  failedAt: number;
  waitUntil: number;
}

const NOTHING: Readonly<Failures> = { failures: 0, failedAt: 0, waitUntil: 0 };

/** An attempt that may be checked, or the milliseconds until one may. */
export type BegunAttempt = { waitMs: number } | { at: number; before: Failures[] };

interface BeginAttempt {
  subjects: readonly HashedSubject[];
  /** Current time, in Unix milliseconds. */
  now: number;
}

/**
 * Counts an attempt as a failure of each subject, unless one of them has to wait. It counts before it is checked, so that
 * attempts at the same time cannot all be the first, whichever processes get them; `endAttempt` takes back one that did not fail.
 */
function beginAttempt(database: Database, { subjects, now }: BeginAttempt): BegunAttempt {
  const at = clockOf(database, now);
  const before = subjects.map(({ hash }) => findFailures(database, hash, at));
  const waitMs = Math.max(...before.map(({ waitUntil }) => waitUntil - at));
  if (waitMs > 0) return { waitMs };
  for (const [index, { hash, free }] of subjects.entries()) {
    const { failures } = before[index] ?? NOTHING;
    const wait = waitAfter(failures + 1, free);
    database.run(
      `INSERT INTO sign_in_failure (subject, failures, failed_at, wait_until) VALUES (:hash, :failures, :at, :waitUntil)
       ON CONFLICT (subject) DO UPDATE SET failures = :failures, failed_at = :at, wait_until = :waitUntil`,
      { hash, failures: failures + 1, at, waitUntil: wait === 0 ? 0 : at + wait },
    );
    // The hashes are as good as random, and no sender can choose them.
    if (failures === 0 && hash[0] === 0) dropOldest(database);
  }
  return { at, before };
}

interface EndAttempt {
  subjects: readonly (HashedSubject & { isForgotten: boolean })[];
  begun: { at: number; before: readonly Failures[] };
}

/** Takes back an attempt that did not fail. Of subjects that are forgotten, all failures are. */
function endAttempt(database: Database, { subjects, begun: { at, before } }: EndAttempt): void {
  for (const [index, { hash, free, isForgotten }] of subjects.entries()) {
    const { failedAt, waitUntil } = before[index] ?? NOTHING;
    if (!isForgotten)
      database.run(
        `UPDATE sign_in_failure SET failures = failures - 1,
           wait_until = CASE WHEN failures - 1 < :free THEN 0 WHEN failed_at = :at THEN CAST(:waitUntil AS BIGINT) ELSE wait_until END,
           failed_at = CASE WHEN failed_at = :at THEN CAST(:failedAt AS BIGINT) ELSE failed_at END
         WHERE subject = :hash AND failures > 0`,
        { hash, free, at, waitUntil, failedAt },
      );
    database.run('DELETE FROM sign_in_failure WHERE subject = :hash AND (failures = 0 OR :isForgotten = 1)', {
      hash,
      isForgotten: Number(isForgotten),
    });
  }
}

function findFailures(database: Database, hash: Uint8Array, at: number): Failures {
  const found = database.get<Failures>(
    `SELECT failures, failed_at AS "failedAt", wait_until AS "waitUntil" FROM sign_in_failure WHERE subject = :hash`,
    { hash },
  );
  return found && at - found.failedAt <= FORGET_MS ? found : NOTHING;
}

const clockOf = (database: Database, now: number): number =>
  database.get<{ at: number }>(`SELECT ${leaseClock('CAST(:now AS BIGINT)')} AS at`, { now })?.at ?? now;

function dropOldest(database: Database): void {
  database.run(
    `DELETE FROM sign_in_failure WHERE subject IN (
       SELECT subject FROM sign_in_failure ORDER BY failed_at DESC, subject LIMIT :limit OFFSET :most)`,
    { most: MAX_SUBJECTS, limit: STEP_ROWS },
  );
}

/** SQL for failures that are forgotten at the time `:at`. */
export const FORGOTTEN_FAILURES = `failed_at < CAST(:at AS BIGINT) - ${FORGET_MS}`;

export const attemptCommands = locking('attempts', { beginAttempt, endAttempt });
