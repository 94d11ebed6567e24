import type { Database } from '../storage/database.ts';
import { greater, valuesOf } from '../storage/dialect.ts';
import { isTraceOfTestDeleted } from '../tests/deleted-traces.ts';
import { contentOfSpan, openTest } from '../tests/open-test.ts';
import { BoundedTexts } from './bounded-texts.ts';
import type { Baseline } from './evaluator.ts';

/** Most outputs among which the best is selected, beside the one that is judged. */
const MAX_OTHERS = 8;

/** Returns the outputs of tests of the same example in the runs: of the first that was found, and of each other run. */
export function loadCandidates(
  database: Database,
  { application, testId, runIds }: { application: number; testId: string; runIds: readonly string[] },
): Baseline | undefined {
  const found = new Map<string, Baseline>();
  for (const runId of runIds) {
    if (found.size === MAX_OTHERS) break;
    const one = loadBaseline(database, { application, testId, runIds: [runId] });
    if (one) found.set(one.testId, one);
  }
  const [first, ...others] = found.values();
  const isDeleted = [...found.values()].some((one) => one.isDeleted === true);
  return first && { ...first, others, ...(isDeleted && { isDeleted }) };
}

/**
 * Returns the output of the test of the same example, with the same prompt, in one of the runs; undefined when there
 * is none. If a run tests an example several times, the first test is compared with the first, and so on.
 */
export function loadBaseline(
  database: Database,
  { application, testId, runIds }: { application: number; testId: string; runIds: readonly string[] },
): Baseline | undefined {
  const found = database.get<{ id: string }>(
    `WITH judged AS (SELECT id, example_id, prompt, run_id, created_at FROM test
        WHERE application = :application AND id = :testId AND example_id IS NOT NULL),
      baseline AS (SELECT test.id, test.created_at FROM test JOIN judged
        ON test.application = :application AND test.example_id = judged.example_id AND test.prompt = judged.prompt
        WHERE test.run_id IN ${valuesOf(':runIds')} AND test.status = 'COMPLETED' AND test.id <> judged.id)
     SELECT id FROM baseline ORDER BY created_at, id LIMIT 1 OFFSET (
       SELECT count(*) FROM test JOIN judged
         ON test.application = :application AND test.example_id = judged.example_id AND test.run_id = judged.run_id
       WHERE (test.created_at, test.id) < (judged.created_at, judged.id)
     ) % ${greater('(SELECT count(*) FROM baseline)', '1')}`,
    { application, testId, runIds: JSON.stringify(runIds) },
  );
  if (!found) return undefined;
  if (isTraceOfTestDeleted(database, { application, testId: found.id }))
    return { testId: found.id, output: null, isDeleted: true };
  const { output } = openTest(database, { application, testId: found.id });
  const texts = new BoundedTexts();
  return { testId: found.id, output: output && texts.take(contentOfSpan(output, 'output')) };
}
