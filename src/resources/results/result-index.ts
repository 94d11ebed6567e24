import type { Database } from '../../storage/database.ts';
import { bytesOf, digestOf, each, inTime, orderedJoin } from '../../storage/dialect.ts';
import { OUTCOMES, type TestOutcome } from '../../tests/outcome/outcome.ts';
import { resultInput } from '../../tests/outcome/outcome-store.ts';
import type { Change } from './contract.ts';
import type { LoadedSide } from './result-sides.ts';

/** Result of an example on one side. Fields about a test are those of the test with the outcome. */
export interface IndexedSide {
  tests: number;
  passed: number;
  outcome: TestOutcome;
  testId: string;
  causeKey: string | null;
  durationMs: number | null;
  cost: number | null;
  tokens: number | null;
  /** Digest of the beginning of the output; null with one side, or without output. */
  output: string | null;
}

/** An example with its results. */
export interface IndexedExample {
  taskId: string;
  exampleId: string | null;
  exampleIndex: number | null;
  /** Results by side; null where it was not tested. */
  sides: (IndexedSide | null)[];
  change: Change | null;
  isOutputChanged: boolean | null;
}

interface TestRow extends Omit<IndexedSide, 'tests' | 'passed'> {
  taskId: string;
  exampleId: string | null;
  exampleIndex: number | null;
  input: string;
}

/** Loads the results of the sides, paired by task and input. */
export function loadExamples(
  database: Database,
  application: number,
  sides: readonly LoadedSide[],
): IndexedExample[] {
  const examples = new Map<string, IndexedExample>();
  for (const [place, side] of sides.entries())
    for (const row of testRows(database, { application, runIds: side.runIds, withOutput: sides.length > 1 }))
      addTest(examples, row, { place, sides: sides.length });
  const all = [...examples.values()];
  if (sides.length > 1)
    for (const example of all) {
      example.change = changeOf(example.sides);
      example.isOutputChanged = hasOtherOutput(example.sides);
    }
  return all;
}

function testRows(
  database: Database,
  {
    application,
    runIds,
    withOutput,
  }: { application: number; runIds: readonly string[]; withOutput: boolean },
): TestRow[] {
  const output = withOutput
    ? `(SELECT ${digestOf('output')} FROM trace_test JOIN trace_preview USING (tkey)
        WHERE trace_test.application = :application AND trace_test.test_id = ${bytesOf('test_result.test_id')}
        ORDER BY output_rank, output_ns DESC LIMIT 1)`
    : 'NULL';
  return database.all<TestRow>(
    `SELECT test_id AS "testId", task_id AS "taskId", example_id AS "exampleId", example_index AS "exampleIndex", input, outcome,
       cause AS "causeKey", duration_ms AS "durationMs", cost, tokens, ${output} AS output
     FROM ${each(':runIds')} ${orderedJoin} test_result ON test_result.application = :application AND run_id = value
     WHERE ${inTime('test_id')}
     UNION ALL
     SELECT test.id, task_id, example_id, example_index, ${resultInput('test')}, 'RUNNING', NULL, NULL, NULL, NULL, NULL
     FROM ${each(':runIds')} ${orderedJoin} test ON test.application = :application AND run_id = value
     WHERE status IN ('PENDING', 'IN_PROGRESS')`,
    { application, runIds: JSON.stringify(runIds) },
  );
}

const RANK = new Map(OUTCOMES.map((outcome, rank) => [outcome, rank]));
/** Place of an outcome among those that need attention, from 0. */
export const rankOf = (outcome: TestOutcome): number => RANK.get(outcome) as number;

function addTest(
  examples: Map<string, IndexedExample>,
  { taskId, exampleId, exampleIndex, input, ...test }: TestRow,
  { place, sides }: { place: number; sides: number },
): void {
  const key = `${taskId} ${input}`;
  let example = examples.get(key);
  if (!example) {
    const empty = new Array<null>(sides).fill(null);
    example = { taskId, exampleId, exampleIndex, sides: empty, change: null, isOutputChanged: null };
    examples.set(key, example);
  }
  const before = example.sides[place] ?? null;
  const tests = (before?.tests ?? 0) + 1;
  const passed = (before?.passed ?? 0) + (test.outcome === 'PASSED' ? 1 : 0);
  const isWorse =
    before === null ||
    rankOf(test.outcome) < rankOf(before.outcome) ||
    (test.outcome === before.outcome && test.testId < before.testId);
  example.sides[place] = { ...(isWorse ? test : before), tests, passed };
}

const hasFailed = (side: IndexedSide): boolean => side.outcome === 'FAILED' || side.outcome === 'APP_ERROR';
const hasResult = (side: IndexedSide | null): side is IndexedSide =>
  side !== null && (side.outcome === 'PASSED' || hasFailed(side));

function changeOf(sides: readonly (IndexedSide | null)[]): Change {
  if (!sides.every(hasResult)) return 'ONE_SIDE';
  const [baseline, ...others] = sides as [IndexedSide, ...IndexedSide[]];
  if (hasFailed(baseline)) return others.every(hasFailed) ? 'BOTH_FAILED' : 'FIXED';
  return others.some(hasFailed) ? 'REGRESSED' : 'BOTH_PASSED';
}

function hasOtherOutput(sides: readonly (IndexedSide | null)[]): boolean | null {
  const outputs = sides.flatMap((side) => side?.output ?? []);
  return outputs.length < 2 ? null : new Set(outputs).size > 1;
}
