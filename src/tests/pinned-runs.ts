/** SQL for a run set, of the table `name`, that decided or was the baseline of a decision. */
const isRecorded = (name: string): string =>
  `(${name}.decided_at IS NOT NULL OR ${name}.used_at IS NOT NULL)`;

/**
 * SQL for a row of `run_set` that is kept with its tests, evals and what they judged: it decided or was a baseline, and there are
 * fewer than `:keptRunSets` newer ones of its branch.
 */
export const IS_PINNED_SET = `(${isRecorded('run_set')} AND (
  SELECT count(*) FROM (SELECT 1 FROM run_set AS newer WHERE newer.application = run_set.application
    AND newer.branch IS NOT DISTINCT FROM run_set.branch AND newer.created_at > run_set.created_at AND ${isRecorded('newer')}
    LIMIT :keptRunSets)) < :keptRunSets)`;

/** Returns SQL for whether the run with this id belongs to a pinned run set. */
export const isOfPinnedSet = (application: string, runId: string): string => `EXISTS (
  SELECT 1 FROM run JOIN run_set ON run_set.application = run.application AND run_set.id = run.run_set_id
  WHERE run.application = ${application} AND run.id = ${runId} AND ${IS_PINNED_SET})`;
