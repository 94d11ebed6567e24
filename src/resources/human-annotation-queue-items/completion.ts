import type { SqlFragment } from '../../storage/sql.ts';
import { unindexed } from '../../storage/dialect.ts';

export const COMPLETIONS = ['PENDING', 'COMPLETED', 'EXPIRED', 'ACTIVE'] as const;
export type Completion = (typeof COMPLETIONS)[number];

/** Times that determine the status of an item, in Unix milliseconds. */
export interface ItemTimes {
  completedAt: number | null;
  expiresAt: number;
}

interface Terms {
  isCompleted: boolean;
  /** True if `expiresAt` has passed; absent where it is irrelevant. */
  isExpired?: boolean;
}

const COMPLETED: Terms = { isCompleted: true };
const EXPIRED: Terms = { isCompleted: false, isExpired: true };
const PENDING: Terms = { isCompleted: false, isExpired: false };

/** Rule for completion statuses: an item has a status when it meets one of its terms. */
const RULE: Readonly<Record<Completion, readonly Terms[]>> = {
  COMPLETED: [COMPLETED],
  EXPIRED: [EXPIRED],
  PENDING: [PENDING],
  ACTIVE: [COMPLETED, PENDING],
};

/** Reports whether an item has this completion status at `now` (Unix milliseconds). */
export function hasCompletion(
  { completedAt, expiresAt }: ItemTimes,
  completion: Completion,
  now: number,
): boolean {
  return RULE[completion].some(
    ({ isCompleted, isExpired }) =>
      (completedAt !== null) === isCompleted && (isExpired === undefined || expiresAt <= now === isExpired),
  );
}

/**
 * Returns the SQL condition for rows with one of `completions`, by `completed_at` and `expires_at`. The pluses keep
 * SQLite on the index of the list's order, which has both columns.
 */
export function completionIn(completions: readonly Completion[], now: number): SqlFragment {
  const terms = completions.flatMap((completion) => RULE[completion]);
  const conditions = terms.map(
    ({ isCompleted, isExpired }) =>
      `${unindexed('completed_at')} IS ${isCompleted ? 'NOT NULL' : 'NULL'}` +
      (isExpired === undefined ? '' : ` AND ${unindexed('expires_at')} ${isExpired ? '<=' : '>'} ?`),
  );
  return {
    sql: `(${conditions.join(' OR ')})`,
    values: terms.filter(({ isExpired }) => isExpired !== undefined).map(() => now),
  };
}
