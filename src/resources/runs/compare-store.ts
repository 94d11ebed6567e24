import { AppError } from '../../errors.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Observation } from '../../evaluate/statistics/comparison.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, inTimeAtEach, orderedJoin, unindexed, valuesOf } from '../../storage/dialect.ts';
import { exampleKey } from '../../evaluate/statistics/rate-interval.ts';
import { expectationsOf, type Expectations } from './compare-expectations.ts';
import { type ComparedSide, type CompareBody, MAX_COMPARED_TESTS } from './compare-contract.ts';
import type { JudgedTest } from '../definitions/corrected-rate.ts';
import { definitions } from '../definitions/record.ts';
import { judgeStandings, type Standings } from '../definitions/standing.ts';
import { variants } from '../experiments/variant-record.ts';
import { inputOf } from '../../tests/input-of.ts';
import { COUNTED_OUTCOMES } from '../../tests/outcome/outcome.ts';
import { runs } from '../../tests/record.ts';

/** A combination of task and input that a side was tested with. */
export interface TestedInput {
  taskId: string;
  exampleId: string | null;
  /** First characters of the prompt. */
  prompt: string;
}

/** Tests of one side. */
export interface SideTests {
  counted: Observation[];
  /** All that it was tested with, whether or not it counts, by their keys. */
  inputs: ReadonlyMap<string, TestedInput>;
  unfinished: number;
  errors: number;
  /** Number of tests without a verdict whose trace was deleted. */
  tracesDeleted: number;
  /** Observations by the id of the definition. */
  byDefinition: ReadonlyMap<string, DefinitionObservation[]>;
}

export type DefinitionObservation = Observation & JudgedTest;

export interface Sides {
  baseline: SideTests;
  candidates: SideTests[];
  standings: Standings;
}

/** Loads both sides. Throws `not_found` for a run, a variant or the definition, and `too_large`. */
export function loadSides(
  database: Database,
  application: number,
  { baseline, candidates, definitionId, withAdvisory, by }: CompareBody,
  now: number,
): Sides {
  const sides = [baseline, ...candidates];
  runs.requireAll(
    database,
    application,
    sides.flatMap(({ runIds }) => runIds ?? []),
  );
  variants.requireAll(
    database,
    application,
    sides.map(({ variantId }) => variantId),
  );
  definitions.requireAll(database, application, [definitionId]);
  const tests = sides.reduce((sum, side) => sum + countTests(database, application, side), 0);
  if (tests > MAX_COMPARED_TESTS)
    throw new AppError('too_large', `At most ${MAX_COMPARED_TESTS} tests can be compared; got ${tests}`);
  const loaded = sides.map((side) => loadSide(database, application, side, definitionId));
  const judging = new Set(loaded.flatMap(({ evals }) => evals.map((one) => one.definitionId)));
  const standings = judgeStandings(database, { application, ids: judging, now });
  const [first, ...others] = loaded.map((side) =>
    sideTests(side, by === 'OUTCOME' ? null : definitionId, withAdvisory ? NONE : standings.advisory),
  );
  return { baseline: first as SideTests, candidates: others, standings };
}

const NONE: ReadonlySet<string> = new Set();
const MAX_SHOWN_PROMPT = 100;

const testsOf = (application: number, { runIds, variantId }: ComparedSide): SqlFragment =>
  runIds === undefined
    ? {
        sql: 'test.application = ? AND experiment_variant_id = ?',
        values: [application, variantId as string],
      }
    : {
        sql: `test.application = ? AND test.run_id IN ${valuesOf('?')}`,
        values: [application, JSON.stringify(runIds)],
      };

function countTests(database: Database, application: number, side: ComparedSide): number {
  const { sql, values } = testsOf(application, side);
  return database.get<{ n: number }>(`SELECT count(*) AS n FROM test WHERE ${sql}`, ...values)?.n ?? 0;
}

interface TestRow extends TestedInput {
  id: string;
  input: string;
  passed: number;
  total: number;
  hasError: number;
  isDeleted: number;
  isOver: number;
  /** Stored outcome; null while the test runs. */
  outcome: string | null;
}
interface EvalRow {
  testId: string;
  definitionId: string;
  passed: number;
  normalised: number;
  version: number;
  judgeVersion: string | null;
  createdAt: number;
}

interface LoadedSide {
  tests: TestRow[];
  evals: EvalRow[];
  expectations: Expectations;
}

function loadSide(
  database: Database,
  application: number,
  side: ComparedSide,
  definitionId: string | undefined,
): LoadedSide {
  const { sql, values } = testsOf(application, side);
  // The plus keeps SQLite on the index of the side. A fixed order makes the result repeatable. The index of the evals has to be
  // named: because it lacks the version of the judge, SQLite would read all completed evals for each test instead.
  const tests = database.all<TestRow>(
    `SELECT id, task_id AS taskId, example_id AS exampleId, ${inputOf('test')} AS input,
       substr(prompt, 1, ${MAX_SHOWN_PROMPT}) AS prompt, has_error AS hasError,
       counted_passed AS passed, counted_evals AS total, trace_deleted AS isDeleted,
       status IN ('COMPLETED', 'FAILED') AS isOver,
       (SELECT outcome FROM test_result WHERE test_result.application = test.application AND test_id = test.id) AS outcome
     FROM test WHERE ${sql} ORDER BY ${unindexed('task_id')}, example_id, id`,
    ...values,
  );
  const evals = database.all<EvalRow>(
    `SELECT test_id AS testId, definition_id AS definitionId, passed, normalised,
       definition_version AS version, judge_version AS judgeVersion, eval.created_at AS createdAt
     FROM test ${orderedJoin} eval ${byIndex('eval_by_test')} ON eval.application = ? AND eval.test_id = test.id AND superseded = 0
       AND eval.status = 'COMPLETED'
     WHERE ${sql} AND test.status = 'COMPLETED' AND ${inTimeAtEach('test.id')}
       ${definitionId === undefined ? '' : 'AND definition_id = ?'}
     ORDER BY definition_id, test_id`,
    application,
    ...values,
    ...(definitionId === undefined ? [] : [definitionId]),
  );
  const examples = new Set(tests.flatMap(({ exampleId }) => exampleId ?? []));
  return { tests, evals, expectations: expectationsOf(database, application, examples) };
}

/** `definitionId` is null if the outcomes of tests count. */
function sideTests(
  side: LoadedSide,
  definitionId: string | null | undefined,
  leftOut: ReadonlySet<string>,
): SideTests {
  const { tests, evals } = side;
  const byDefinition = observationsByDefinition(side);
  const judged = new Set(
    evals.flatMap((one) => (definitionId == null || one.definitionId === definitionId ? one.testId : [])),
  );
  return {
    counted:
      definitionId === null
        ? testsWithOutcome(side)
        : definitionId === undefined
          ? countedTests(side, leftOut)
          : (byDefinition.get(definitionId) ?? []),
    inputs: new Map(tests.map((test) => [exampleKey(test), test])),
    unfinished: tests.filter(({ isOver }) => isOver === 0).length,
    errors: tests.filter(({ hasError }) => hasError === 1).length,
    tracesDeleted: tests.filter(
      ({ id, isDeleted, isOver }) => isDeleted === 1 && isOver === 1 && !judged.has(id),
    ).length,
    byDefinition,
  };
}

/** Returns the tests that count without the evals of the definitions that are left out. */
function countedTests(
  { tests, evals, expectations }: LoadedSide,
  leftOut: ReadonlySet<string>,
): Observation[] {
  const evalsOf = Map.groupBy(evals, ({ testId }) => testId);
  return tests.flatMap(({ id, taskId, exampleId, input, passed, total }) => {
    const all = evalsOf.get(id) ?? [];
    const [without = [], own = []] = [true, false].map((isLeftOut) =>
      all.filter(({ definitionId }) => leftOut.has(definitionId) === isLeftOut),
    );
    const count = total - without.length;
    if (count === 0) return [];
    const rate = (passed - sumOf(without.map((one) => one.passed))) / count;
    const scores = own.map(({ normalised }) => normalised);
    const score = scores.length === 0 ? null : sumOf(scores) / scores.length;
    return [{ taskId, input, rate, score, basis: basisOf(own, exampleId, expectations) }];
  });
}

/** Returns the tests whose outcome counts. */
function testsWithOutcome({ tests, evals, expectations }: LoadedSide): Observation[] {
  const evalsOf = Map.groupBy(evals, ({ testId }) => testId);
  return tests.flatMap(({ id, taskId, exampleId, input, outcome }) => {
    if (!COUNTED.has(outcome ?? '')) return [];
    const own = evalsOf.get(id) ?? [];
    const rate = outcome === 'PASSED' ? 1 : 0;
    return [{ taskId, input, rate, score: rate, basis: basisOf(own, exampleId, expectations) }];
  });
}

const COUNTED: ReadonlySet<string> = new Set(COUNTED_OUTCOMES);

/** Returns by what verdicts were given: what was expected at that time, and the versions of definitions and judges. */
const basisOf = (evals: readonly EvalRow[], exampleId: string | null, expectations: Expectations): string[] =>
  evals.flatMap(({ definitionId, version, judgeVersion, createdAt }) => [
    `${definitionId} ${version} ${judgeVersion ?? ''}`,
    `expects ${expectations(exampleId, createdAt)}`,
  ]);

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function observationsByDefinition({
  tests,
  evals,
  expectations,
}: LoadedSide): Map<string, DefinitionObservation[]> {
  const known = new Map(tests.map((test) => [test.id, test]));
  const byDefinition = Map.groupBy(evals, ({ definitionId }) => definitionId);
  const observations = new Map<string, DefinitionObservation[]>();
  for (const [id, ofDefinition] of byDefinition)
    observations.set(
      id,
      ofDefinition.map((one) => {
        const { taskId, exampleId, input } = known.get(one.testId) as TestRow;
        const { passed, normalised, version, judgeVersion } = one;
        const basis = basisOf([one], exampleId, expectations);
        return { taskId, input, rate: passed, score: normalised, version, judgeVersion, basis };
      }),
    );
  return observations;
}
