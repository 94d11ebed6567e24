import { each, orderedJoin, valuesOf } from '../storage/dialect.ts';

/** Column of `test` that groups tests. */
export type TestGroup = 'id' | 'run_id' | 'experiment_variant_id';

/** Groups of tests: those whose column has one of the ids. */
export interface Groups {
  application: number;
  by: TestGroup;
  ids: readonly string[];
  /** Ids of definitions whose evals do not count; none by default. */
  leftOut?: ReadonlySet<string>;
}

/**
 * Returns SQL for the tests of each group that count: `group`, the value of the column; `task_id`, `example_id`, and how many
 * `evals` count and have `passed`. The evals of a test are read only where some definitions are left out.
 */
export function countedTests({ by, leftOut }: Pick<Groups, 'by' | 'leftOut'>): string {
  const tests = `FROM ${each(':ids')} ${orderedJoin} test ON test.application = :application AND test.${by} = value`;
  if (!leftOut?.size)
    return `(SELECT value AS "group", task_id, example_id, counted_passed AS passed, counted_evals AS evals
      ${tests} WHERE counted_evals > 0)`;
  const ofTest = `FROM eval WHERE eval.application = :application AND eval.test_id = test.id AND superseded = 0
    AND eval.status = 'COMPLETED' AND test.status = 'COMPLETED' AND definition_id IN ${valuesOf(':leftOut')}`;
  return `(SELECT * FROM (
      SELECT value AS "group", test.task_id, test.example_id,
        counted_passed - coalesce((SELECT sum(eval.passed) ${ofTest}), 0) AS passed,
        counted_evals - (SELECT count(*) ${ofTest}) AS evals
      ${tests} WHERE counted_evals > 0)
    WHERE evals > 0)`;
}

/** Returns the values of the parameters of `countedTests`. */
export const countedValues = ({ application, ids, leftOut }: Omit<Groups, 'by'>) => ({
  application,
  ids: JSON.stringify(ids),
  leftOut: JSON.stringify([...(leftOut ?? [])]),
});
