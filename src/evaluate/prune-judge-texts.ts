import type { Database } from '../storage/database.ts';

/** Evals that one command looks at. */
const STEP_EVALS = 100;

interface PruneJudgeTexts {
  application: number;
  /** Creation of the evals: from `after` and before `before`, in Unix milliseconds. */
  after: number;
  before: number;
}

/**
 * Deletes the requests to judge models for some evals, and the responses as they were received; verdicts and costs remain.
 * Returns the time from which to continue; null when all is done.
 */
export function pruneJudgeTexts(
  database: Database,
  { application, after, before }: PruneJudgeTexts,
): number | null {
  const evals = database.all<{ id: string; at: number }>(
    `SELECT id, created_at AS at FROM eval
     WHERE application = :application AND created_at >= :after AND created_at < :before
     ORDER BY created_at, id LIMIT ${STEP_EVALS}`,
    { application, after, before },
  );
  for (const { id } of evals) clearTexts(database, { application, id });
  const last = evals.at(-1);
  if (!last || evals.length < STEP_EVALS) return null;
  if (last.at > after) return last.at;
  // More evals than one step takes were created in one millisecond.
  clearTextsAt(database, { application, at: last.at });
  return last.at + 1;
}

function clearTexts(database: Database, one: { application: number; id: string }): void {
  database.run(
    `UPDATE judge_call SET request = NULL, raw = NULL
     WHERE application = :application AND subject_id = :id AND (request IS NOT NULL OR raw IS NOT NULL)`,
    { ...one },
  );
}

function clearTextsAt(database: Database, { application, at }: { application: number; at: number }): void {
  const evals = database.all<{ id: string }>(
    'SELECT id FROM eval WHERE application = :application AND created_at = :at',
    { application, at },
  );
  for (const { id } of evals) clearTexts(database, { application, id });
}
