import type { Owner } from '../../contract/owner.ts';
import { NO_RESULT, resultsOf } from '../../evaluate/results.ts';
import type { Database } from '../../storage/database.ts';
import { type FieldsOf, owned } from '../../storage/record.ts';
import type { listedTests } from '../../tests/record.ts';
import type { ListedTest } from './contract.ts';

/** Returns tests as the API shows them, in the order of their rows. */
export function withResults<T extends FieldsOf<typeof listedTests>>(
  database: Database,
  owner: Owner,
  records: readonly T[],
): (T & ListedTest)[] {
  const ids = records.map(({ id }) => id);
  const results = resultsOf(database, { application: owner.application, by: 'id', ids });
  return records.map((one) => ({ ...owned(one, owner), result: results.get(one.id) ?? NO_RESULT }));
}
