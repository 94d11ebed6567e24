import type { Owner } from '../../contract/owner.ts';
import { evals as savedEvals } from '../../evaluate/eval-record.ts';
import { type Column, nullable, startOfText } from '../../storage/column.ts';
import { type FieldsOf, owned } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { each, orderedJoin, unindexed } from '../../storage/dialect.ts';
import type { Definition } from '../definitions/contract.ts';
import { definitionsById } from '../definitions/definition-records.ts';
import { definitions as savedDefinitions } from '../definitions/record.ts';
import type { ListedTest } from '../tests/contract.ts';
import { shownResults } from './shown-results.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { Evaluation } from './contract.ts';

/** Column of the example of the eval's test, which is null for an eval of a trace. */
const exampleOfTest: Column<never, string | null> = {
  encode: () => null,
  select: (_column, table) =>
    `(SELECT example_id FROM test WHERE test.application = ${table}.application AND test.id = ${table}.test_id)`,
  decode: (value) => value as string | null,
};

export const evalsWithReferences = savedEvals.with({
  traceId: nullable(traceReference),
  exampleId: exampleOfTest,
});
/** Columns that lists show. */
export const listedEvals = evalsWithReferences
  .with({ reason: nullable(startOfText(300)) })
  .omit('results', 'judge');

/** Returns evals as the API shows them, in the order of their rows. */
export function withDefinitions<R extends FieldsOf<typeof listedEvals>>(
  database: Database,
  owner: Owner,
  records: readonly R[],
) {
  const ids = records.map(({ definitionId }) => definitionId);
  const definitions = definitionsById(database, owner, ids);
  return records.map(({ definitionId, normalised, ...rest }) => ({
    ...owned(rest, owner),
    normalisedScore: normalised,
    message: rest.reason,
    // A definition with results is archived, never deleted.
    definition: definitions.get(definitionId) as Definition,
  }));
}

/** Returns evals with their long texts, in the order of their rows. */
export const wholeEvals = (
  database: Database,
  owner: Owner,
  records: readonly FieldsOf<typeof evalsWithReferences>[],
): Evaluation[] =>
  withDefinitions(
    database,
    owner,
    records.map((one) => ({ ...one, results: shownResults(one) })),
  );

/** Most evals that a test shows. */
const MAX_EVALS = 200;

export const evalsOfTest = (database: Database, owner: Owner, testId: string): Evaluation[] =>
  wholeEvals(
    database,
    owner,
    // The pluses make SQLite find the evals by the test and sort them, instead of scanning all evals in that order.
    evalsWithReferences.all(
      database,
      owner.application,
      `test_id = :testId AND superseded = 0 ORDER BY ${unindexed('created_at')}, ${unindexed('id')} LIMIT :limit`,
      { testId, limit: MAX_EVALS },
    ),
  );

/** Most evals of each test in a list. */
const MAX_LISTED = 20;
const evalsInTests = listedEvals.pick(
  'id',
  'createdAt',
  'modifiedAt',
  'definitionId',
  'testId',
  'status',
  'score',
  'passed',
  'reason',
);
const headsOfDefinitions = savedDefinitions.pick('id', 'createdAt', 'modifiedAt', 'name', 'type');

/** Returns the current evals of tests as lists of tests show them, earliest first. */
export function evalsOfTests(
  database: Database,
  { application, orgId }: Owner,
  testIds: readonly string[],
): Map<string, ListedTest['evals']> {
  const rows = database.all<object>(
    `SELECT ${evalsInTests.selected} FROM ${each(':testIds')} AS wanted ${orderedJoin} eval
     ON eval.application = :application AND eval.id IN (
       SELECT one.id FROM eval AS one
       WHERE one.application = :application AND one.test_id = wanted.value AND one.superseded = 0 LIMIT :limit)
     ORDER BY eval.created_at, eval.id`,
    { application, testIds: JSON.stringify(testIds), limit: MAX_LISTED },
  );
  const found = rows.map((row) => evalsInTests.decode(row));
  const ids = new Set(found.map(({ definitionId }) => definitionId));
  const heads = headsOfDefinitions.byIds(database, application, ids);
  const shown = found.map(({ definitionId, reason, ...rest }) => ({
    ...rest,
    orgId,
    message: reason,
    definition: heads.get(definitionId) as ListedTest['evals'][number]['definition'],
  }));
  return Map.groupBy(shown, ({ testId }) => testId as string);
}
