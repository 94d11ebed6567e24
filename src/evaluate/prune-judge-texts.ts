import type { Database } from '../storage/database.ts';
import { valuesOf } from '../storage/dialect.ts';
import { isOfPinnedSet } from '../tests/pinned-runs.ts';

/** Evals that one command looks at. */
const STEP_EVALS = 100;

interface PruneJudgeTexts {
  application: number;
  /** Creation of the evals: from `after` and before `before`, in Unix milliseconds. */
  after: number;
  before: number;
  /** Number of newer run sets of a branch from which on one is no longer pinned. */
  keptRunSets: number;
  /** Unix milliseconds; earlier run sets are not pinned. */
  pinnedFrom: number;
}

/**
 * Deletes the requests to judge models for some evals, and the responses as they were received; verdicts and costs remain. Those
 * of run sets that are pinned stay.
 * Returns the time from which to continue; null when all is done.
 */
export function pruneJudgeTexts(
  database: Database,
  { application, after, before, keptRunSets, pinnedFrom }: PruneJudgeTexts,
): number | null {
  const evals = database.all<{ id: string; at: number; isPinned: number }>(
    `SELECT id, created_at AS at, created_at >= :pinnedFrom AND run_id IS NOT NULL
       AND ${isOfPinnedSet('eval.application', 'eval.run_id')} AS "isPinned"
     FROM eval
     WHERE application = :application AND created_at >= :after AND created_at < :before
     ORDER BY created_at, id LIMIT ${STEP_EVALS}`,
    { application, after, before, keptRunSets, pinnedFrom },
  );
  for (const { id, isPinned } of evals) if (isPinned === 0) clearTexts(database, { application, id });
  const last = evals.at(-1);
  if (!last || evals.length < STEP_EVALS) return null;
  if (last.at > after) return last.at;
  // More evals than one step takes were created in one millisecond.
  clearTextsAt(database, { application, at: last.at, keptRunSets, pinnedFrom });
  return last.at + 1;
}

function clearTexts(database: Database, one: { application: number; id: string }): void {
  database.run(
    `UPDATE judge_call SET request = NULL, raw = NULL
     WHERE application = :application AND subject_id = :id AND (request IS NOT NULL OR raw IS NOT NULL)`,
    { ...one },
  );
}

function clearTextsAt(
  database: Database,
  { at, ...args }: Pick<PruneJudgeTexts, 'application' | 'keptRunSets' | 'pinnedFrom'> & { at: number },
): void {
  const { application } = args;
  const evals = database.all<{ id: string }>(
    `SELECT id FROM eval WHERE application = :application AND created_at = :at AND NOT (
       created_at >= :pinnedFrom AND run_id IS NOT NULL AND ${isOfPinnedSet('eval.application', 'eval.run_id')})`,
    { ...args, at },
  );
  for (const { id } of evals) clearTexts(database, { application, id });
}

/** Deletes the same texts of the evals of runs. */
export function clearTextsOfRuns(
  database: Database,
  { application, runIds }: { application: number; runIds: readonly string[] },
): void {
  database.run(
    `UPDATE judge_call SET request = NULL, raw = NULL
     WHERE application = :application AND (request IS NOT NULL OR raw IS NOT NULL) AND subject_id IN (
       SELECT id FROM eval WHERE application = :application AND run_id IN ${valuesOf(':runIds')})`,
    { application, runIds: JSON.stringify(runIds) },
  );
}
