import { randomUUID } from 'node:crypto';
import { withStore } from '../src/cli/data-folder.ts';

const TASK = '00000000-0000-4000-8000-00000000beef';

/** Stores a run with so many tests, each judged by several evaluators; one test in five failed, for one of four causes. Returns its id. */
export function storeResults(
  folder: string,
  { applicationId, tests, evaluators }: { applicationId: string; tests: number; evaluators: number },
): string {
  const runId = randomUUID();
  withStore(folder, (database) => {
    const args = { applicationId, runId, task: TASK, tests, evaluators };
    const application = '(SELECT application FROM application WHERE id = :applicationId)';
    const numbers = (most: string): string =>
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${most})`;
    const idOf = (prefix: string, of: string): string => `printf('${prefix}-0000-4000-8000-%012x', ${of})`;
    const testId = `substr(:runId, 1, 23) || printf('-%012x', i)`;
    database.transaction(() => {
      database.run(
        `INSERT INTO run (id, application, task_id, type, created_at, modified_at)
         VALUES (:runId, ${application}, :task, 'MANUAL', 1, 1)`,
        args,
      );
      database.run(
        `${numbers(':evaluators')} INSERT OR IGNORE INTO definition (id, application, name, type, status, global_config, version, repeats,
           created_at, modified_at)
         SELECT ${idOf('d0000000', 'i')}, ${application}, 'Evaluator ' || i, 'ASSERT', 'ACTIVE', '{}', 1, 1, i, 1 FROM n`,
        args,
      );
      database.run(
        `${numbers(':tests')} INSERT INTO test (id, application, task_id, run_id, run_type, status, phase, prompt, example_index, trace_id,
           created_at, modified_at)
         SELECT ${testId}, ${application}, :task, :runId, 'MANUAL', 'COMPLETED', 'done', 'Question ' || i, i, randomblob(16), i, i FROM n`,
        args,
      );
      database.run(
        `${numbers(':tests')} INSERT INTO test_result (application, run_id, test_id, task_id, input, example_index, outcome, basis, cause,
           duration_ms, cost, tokens)
         SELECT ${application}, :runId, ${testId}, :task, 'input ' || i, i, CASE WHEN i % 5 = 0 THEN 'FAILED' ELSE 'PASSED' END, 'BLOCKING',
           CASE WHEN i % 5 = 0 THEN 'verdict:' || ${idOf('d0000000', 'i % 4')} END, i % 5000, 0.001, 900 FROM n`,
        args,
      );
      database.run(
        `${numbers(':tests * :evaluators')} INSERT INTO eval (id, application, definition_id, definition_version, definition_type, test_id,
           task_id, run_id, run_type, status, score, normalised, passed, version, superseded, created_at, modified_at, input_hash)
         SELECT :runId || i, ${application}, ${idOf('d0000000', 'i % :evaluators')}, 1, 'ASSERT',
           substr(:runId, 1, 23) || printf('-%012x', i / :evaluators), :task, :runId, 'MANUAL', 'COMPLETED', 1, 1,
           i / :evaluators % 5 <> 0, 1, 0, i, i, 'hash' FROM n`,
        args,
      );
    });
  });
  return runId;
}
