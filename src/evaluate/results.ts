import type { Database } from '../storage/database.ts';
import { each, orderedJoin } from '../storage/dialect.ts';
import { withIds } from '../storage/rows-by-id.ts';
import { percent, settled } from './statistics/settled.ts';

/** Result of tests that have ended. */
export interface Result {
  /** Evals of these tests. A test that failed because of the app counts as one failed eval. */
  passed: number;
  failed: number;
  total: number;
  /** Mean over tests of the share of evals that passed, in percent; null when nothing counts. */
  passRate: number | null;
  /** Mean of the normalised scores, 0 to 1. */
  averageScore: number | null;
}

/** Result by one definition. */
export interface DefinitionResult extends Result {
  /** Id of the definition. */
  id: string;
  name: string;
  type: string;
}

/** Column of `test` that groups tests. */
export type TestGroup = 'id' | 'run_id' | 'experiment_variant_id';

/** Groups of tests: those whose column has one of the ids. */
export interface Groups {
  application: number;
  by: TestGroup;
  ids: readonly string[];
}

/** Returns the result of each group of tests, including groups without any. */
export function resultsOf(database: Database, groups: Groups): Map<string, Result> {
  const rows = database.all<Scores & { of: string }>(
    `SELECT value AS "of", sum(normalised) AS scores, count(*) AS scored ${evalsOf(groups.by)} GROUP BY value`,
    { application: groups.application, ids: JSON.stringify(groups.ids) },
  );
  const scores = new Map(rows.map((row) => [row.of, row]));
  const counts = countsOf(database, groups);
  return new Map(groups.ids.map((id) => [id, resultOf(counts.get(id), scores.get(id))]));
}

/** Sums over the evals of a run by one definition. */
export interface DefinitionSums extends Scores {
  /** Id of the run. */
  of: string;
  /** Id of the definition. */
  id: string;
  passed: number;
}

/** Sums the evals of runs by definition. Reads the evals of a run once, not test by test. */
export const definitionSumsOf = (
  database: Database,
  { application, ids }: Pick<Groups, 'application' | 'ids'>,
): DefinitionSums[] =>
  database.all<DefinitionSums>(
    `SELECT value AS "of", definition_id AS id, sum(passed) AS passed, sum(normalised) AS scores, count(*) AS scored
     FROM ${each(':ids')} ${orderedJoin} eval ON application = :application AND run_id = value
     WHERE superseded = 0 AND status = 'COMPLETED' AND test_id NOT IN (
       SELECT test.id FROM ${each(':ids')} ${orderedJoin} test ON application = :application AND run_id = value WHERE status <> 'COMPLETED')
     GROUP BY value, definition_id`,
    { application, ids: JSON.stringify(ids) },
  );

export interface ResultsByDefinition {
  result: Result;
  /** Results by definition, in the order of the ids. */
  definitions: DefinitionResult[];
}

/** Returns the result of each run, in total and by definition. */
export function resultsOfRuns(
  database: Database,
  { application, ids, sums }: Omit<Groups, 'by'> & { sums: readonly DefinitionSums[] },
): Map<string, ResultsByDefinition> {
  // Looked up once per definition, because runs share most of them.
  const named = namesOf(database, application, new Set(sums.map(({ id }) => id)));
  const byRun = Map.groupBy(sums, (row) => row.of);
  const counts = countsOf(database, { application, ids, by: 'run_id' });
  return new Map(
    ids.map((runId) => {
      const ofRun = byRun.get(runId) ?? [];
      const definitions = ofRun.flatMap(({ id, passed, scores, scored }) => {
        const count = { passed, total: scored, rate: passed / scored };
        const definition = named.get(id);
        return definition ? [{ ...definition, ...resultOf(count, { scores, scored }) }] : [];
      });
      definitions.sort((a, b) => (a.id < b.id ? -1 : 1));
      return [runId, { result: resultOf(counts.get(runId), sumOf(ofRun)), definitions }];
    }),
  );
}

type Named = Pick<DefinitionResult, 'id' | 'name' | 'type'>;

function namesOf(database: Database, application: number, ids: ReadonlySet<string>): Map<string, Named> {
  const rows = database.all<Named>(`SELECT definition.id, name, type FROM ${withIds('definition')}`, {
    application,
    ids: JSON.stringify([...ids]),
  });
  return new Map(rows.map((row) => [row.id, row]));
}

interface Counts {
  passed: number;
  total: number;
  /** Pass rate from 0 to 1. */
  rate: number;
}

/** Counts tests by group; groups without tests that count are absent. */
function countsOf(database: Database, { application, by, ids }: Groups): Map<string, Counts> {
  const rows = database.all<Counts & { id: string }>(
    `SELECT value AS id, sum(counted_passed) AS passed, sum(counted_evals) AS total,
       avg(counted_passed * 1.0 / counted_evals) AS rate
     FROM ${each(':ids')} ${orderedJoin} test ON test.application = :application AND test.${by} = value
     WHERE counted_evals > 0 GROUP BY value`,
    { application, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Normalised scores of evals: their sum and number. */
interface Scores {
  scores: number;
  scored: number;
}

const sumOf = (all: readonly Scores[]): Scores => ({
  scores: all.reduce((sum, { scores }) => sum + scores, 0),
  scored: all.reduce((sum, { scored }) => sum + scored, 0),
});

/** Returns SQL for the current evals of the tests of each group. */
const evalsOf = (by: TestGroup): string => `
  FROM ${each(':ids')} ${orderedJoin} test ON test.application = :application AND test.${by} = value
  ${orderedJoin} eval ON eval.application = :application AND eval.test_id = test.id AND superseded = 0 AND eval.status = 'COMPLETED'
  WHERE test.status = 'COMPLETED'`;

export const NO_RESULT: Result = { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null };

function resultOf(counts: Counts | undefined, { scores, scored }: Scores = { scores: 0, scored: 0 }): Result {
  if (!counts) return NO_RESULT;
  const { passed, total, rate } = counts;
  return {
    passed,
    failed: total - passed,
    total,
    passRate: percent(rate),
    averageScore: scored === 0 ? null : settled(scores / scored),
  };
}
