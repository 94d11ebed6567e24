import type { Owner } from '../../contract/owner.ts';
import { evals as savedEvals } from '../../evaluate/eval-record.ts';
import { type Column, nullable, startOfText } from '../../storage/column.ts';
import { type FieldsOf, owned } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { unindexed } from '../../storage/dialect.ts';
import type { Definition } from '../definitions/contract.ts';
import { definitionsById } from '../definitions/definition-records.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { Evaluation } from './contract.ts';

/** Column of the example of the eval's test, which is null for an eval of a trace. */
const exampleOfTest: Column<never, string | null> = {
  encode: () => null,
  select: (_column, table) =>
    `(SELECT example_id FROM test WHERE test.application = ${table}.application AND test.id = ${table}.test_id)`,
  decode: (value) => value as string | null,
};

export const evals = savedEvals.with({ traceId: nullable(traceReference), exampleId: exampleOfTest });
/** Columns that lists show. */
export const listedEvals = evals.with({ reason: nullable(startOfText(300)) }).omit('results', 'judge');

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
    // A definition with results is archived, never deleted.
    definition: definitions.get(definitionId) as Definition,
  }));
}

/** Most evals that a test shows. */
const MAX_EVALS = 200;

export const evalsOfTest = (database: Database, owner: Owner, testId: string): Evaluation[] =>
  withDefinitions(
    database,
    owner,
    // The pluses make SQLite find the evals by the test and sort them, instead of scanning all evals in that order.
    evals.all(
      database,
      owner.application,
      `test_id = :testId AND superseded = 0 ORDER BY ${unindexed('created_at')}, ${unindexed('id')} LIMIT :limit`,
      { testId, limit: MAX_EVALS },
    ),
  );
