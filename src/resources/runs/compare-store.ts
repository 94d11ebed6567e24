import { AppError } from '../../errors.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Database } from '../../storage/database.ts';
import {
  byIndex,
  digestOf,
  inTimeAtEach,
  jsonField,
  orderedJoin,
  positionOf,
  unindexed,
  valuesOf,
} from '../../storage/dialect.ts';
import { expectationsOf } from './compare-expectations.ts';
import { type ComparedSide, type CompareBody, MAX_COMPARED_TESTS } from './compare-contract.ts';
import { type EvalRow, type StoredSide, type SideTests, sideTests, type TestRow } from './compare-side.ts';
import { advisoryJudges } from '../definitions/advisory-judges.ts';
import { fixedGatesOf } from '../definitions/fixed-gates.ts';
import { definitions } from '../definitions/record.ts';
import { judgeStandings, type Standings } from '../definitions/standing.ts';
import { variants } from '../experiments/variant-record.ts';
import { inputOf } from '../../tests/input-of.ts';
import { runs } from '../../tests/record.ts';

export interface Sides {
  baseline: SideTests;
  candidates: SideTests[];
  standings: Standings;
}

const NONE: ReadonlySet<string> = new Set();

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
  const today = judgeStandings(database, { application, ids: judging, now });
  // As the decision on a run set: its gates are those of its start, and apply to what it is compared with, too.
  const advisory = new Set(
    candidates.flatMap(({ runIds = [] }, index) =>
      advisoryJudges(today, {
        evals: loaded[index + 1]?.evals ?? [],
        fixed: fixedGatesOf(database, { application, runIds }),
        provedBefore: NONE,
      }).map(({ id }) => id),
    ),
  );
  const standings = { ...today, advisory };
  const [first, ...others] = loaded.map((side) =>
    sideTests(side, by === 'OUTCOME' ? null : definitionId, withAdvisory ? NONE : advisory),
  );
  return { baseline: first as SideTests, candidates: others, standings };
}

const MAX_SHOWN_PROMPT = 100;

/** Returns the condition of the tests of a side. */
export const testsOf = (application: number, { runIds, variantId }: ComparedSide): SqlFragment =>
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

/** Fields of the applied definition, as a verdict keeps it, that say what was expected. */
const EXPECTING = ['expected', 'checks', 'rubric'].map((field) => jsonField('judge', 'definition', field));
/**
 * Digest of these; NULL for a verdict whose texts were deleted, or that has a NUL character, which PostgreSQL reads in no JSON.
 */
const APPLIED = `CASE WHEN ${positionOf('judge', `'\\u0000'`)} > 0 THEN NULL
  WHEN ${jsonField('judge', 'definition', 'version')} IS NOT NULL
  THEN ${digestOf(EXPECTING.map((text) => `coalesce('=' || (${text}), '')`).join(` || ' ' || `))} END`;

/** Time of the newest verdict on the same input that a current one replaced. Rules give the same verdict again. */
const REPLACED_AT = `CASE WHEN eval.version > 1 AND eval.definition_type NOT IN ('ASSERT', 'OUTPUT_MATCH') THEN (
  SELECT max(earlier.created_at) FROM eval AS earlier
  WHERE earlier.application = eval.application AND earlier.test_id = eval.test_id
    AND earlier.definition_id = eval.definition_id AND earlier.superseded = 1 AND earlier.status = 'COMPLETED'
    AND earlier.definition_version = eval.definition_version AND earlier.input_hash = eval.input_hash) END`;

/** Loads the tests of a side, and the evals of one definition or of all. */
export function loadSide(
  database: Database,
  application: number,
  side: ComparedSide,
  definitionId: string | undefined,
): StoredSide {
  const { sql, values } = testsOf(application, side);
  // The plus keeps SQLite on the index of the side. A fixed order makes the result repeatable. The index of the evals has to be
  // named: because it lacks the version of the judge, SQLite would read all completed evals for each test instead.
  const tests = database.all<TestRow>(
    `SELECT id, task_id AS taskId, example_id AS exampleId, ${inputOf('test')} AS input,
       CASE WHEN snapshot_id IS NOT NULL THEN example_version END AS "fixedVersion",
       substr(prompt, 1, ${MAX_SHOWN_PROMPT}) AS prompt, has_error AS hasError,
       counted_passed AS passed, counted_evals AS total, trace_deleted AS isDeleted,
       status IN ('COMPLETED', 'FAILED') AS isOver,
       (SELECT outcome FROM test_result WHERE test_result.application = test.application AND test_id = test.id) AS outcome
     FROM test WHERE ${sql} ORDER BY ${unindexed('task_id')}, example_id, id`,
    ...values,
  );
  const evals = database.all<Omit<EvalRow, 'expects'> & { at: number }>(
    `SELECT test_id AS testId, definition_id AS definitionId, passed, normalised,
       definition_version AS version, judge_version AS judgeVersion, eval.created_at AS at, eval.version AS attempts,
       definition_type AS type,
       ${APPLIED} AS applied, ${REPLACED_AT} AS replacedAt
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
  const expectations = expectationsOf(database, application, examples);
  const known = new Map(tests.map((test) => [test.id, test]));
  return {
    tests,
    evals: evals.map((one) => {
      const { exampleId = null, fixedVersion = null } = known.get(one.testId) ?? {};
      return { ...one, expects: expectations(exampleId, one.at, fixedVersion) };
    }),
  };
}
