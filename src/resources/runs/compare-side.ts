import type { Basis, Observation } from '../../evaluate/statistics/comparison.ts';
import { exampleKey } from '../../evaluate/statistics/rate-interval.ts';
import { COUNTED_OUTCOMES } from '../../tests/outcome/outcome.ts';
import type { JudgedTest } from '../definitions/corrected-rate.ts';

/** A combination of task and input that a side was tested with. */
export interface TestedInput {
  taskId: string;
  exampleId: string | null;
  /** First characters of the prompt. */
  prompt: string;
}

/** A test of a side, as it is stored. */
export interface TestRow extends TestedInput {
  id: string;
  input: string;
  passed: number;
  total: number;
  hasError: number;
  isDeleted: number;
  isOver: number;
  /** Stored outcome; null while the test runs. */
  outcome: string | null;
  /** Version of the example that its run set has fixed; null if it is judged by today's. */
  fixedVersion: number | null;
}

/** A current eval with a verdict. */
export interface EvalRow {
  testId: string;
  definitionId: string;
  passed: number;
  normalised: number;
  version: number;
  judgeVersion: string | null;
  /** Type of the definition at that time. */
  type: string;
  /** Digest of what the example expected. */
  expects: string;
  /**
   * Digest of what the verdict says that it was given by: expected value of the example or the link, checks and rubric; null, or missing
   * in evidence of earlier versions, if that is not known.
   */
  applied?: string | null;
  /** Time of the verdict, in Unix milliseconds; missing in evidence of earlier versions, as are the next fields. */
  at?: number;
  /** Number of times that the test was judged by the definition, this one included. */
  attempts?: number;
  /** Time of the newest earlier verdict of a judge model or a scorer on the same input, which this one replaced; null if there is none. */
  replacedAt?: number | null;
}

/** All that a comparison reads of one side. */
export interface StoredSide {
  tests: TestRow[];
  evals: EvalRow[];
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

/**
 * Returns the tests of a side as they are compared, without the verdicts of the definitions that are left out. `definitionId` is
 * null if the outcomes of tests count.
 */
export function sideTests(
  side: StoredSide,
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
function countedTests({ tests, evals }: StoredSide, leftOut: ReadonlySet<string>): Observation[] {
  const evalsOf = Map.groupBy(evals, ({ testId }) => testId);
  return tests.flatMap(({ id, taskId, input, passed, total }) => {
    const all = evalsOf.get(id) ?? [];
    const [without = [], own = []] = [true, false].map((isLeftOut) =>
      all.filter(({ definitionId }) => leftOut.has(definitionId) === isLeftOut),
    );
    const count = total - without.length;
    if (count === 0) return [];
    const rate = (passed - sumOf(without.map((one) => one.passed))) / count;
    const scores = own.map(({ normalised }) => normalised);
    const score = scores.length === 0 ? null : sumOf(scores) / scores.length;
    return [{ taskId, input, rate, score, basis: basisOf(own) }];
  });
}

/** Returns the tests whose outcome counts. */
function testsWithOutcome({ tests, evals }: StoredSide): Observation[] {
  const evalsOf = Map.groupBy(evals, ({ testId }) => testId);
  return tests.flatMap(({ id, taskId, input, outcome }) => {
    if (!COUNTED.has(outcome ?? '')) return [];
    const rate = outcome === 'PASSED' ? 1 : 0;
    return [{ taskId, input, rate, score: rate, basis: basisOf(evalsOf.get(id) ?? []) }];
  });
}

const COUNTED: ReadonlySet<string> = new Set(COUNTED_OUTCOMES);

/** Returns by what verdicts were given: what was expected at that time, and the versions of definitions and judges. */
const basisOf = (evals: readonly EvalRow[]): Basis[] =>
  evals.map(({ definitionId, version, judgeVersion, expects, applied = null }) => ({
    definitionId,
    by: `${version} ${judgeVersion ?? ''}`,
    expects,
    applied,
  }));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function observationsByDefinition({ tests, evals }: StoredSide): Map<string, DefinitionObservation[]> {
  const known = new Map(tests.map((test) => [test.id, test]));
  const byDefinition = Map.groupBy(evals, ({ definitionId }) => definitionId);
  const observations = new Map<string, DefinitionObservation[]>();
  for (const [id, ofDefinition] of byDefinition)
    observations.set(
      id,
      ofDefinition.map((one) => {
        const { taskId, input } = known.get(one.testId) as TestRow;
        const { passed, normalised, version, judgeVersion } = one;
        const basis = basisOf([one]);
        return { taskId, input, rate: passed, score: normalised, version, judgeVersion, basis };
      }),
    );
  return observations;
}
