import { containsText } from '../../storage/dialect.ts';
import { oneOfEach, type SqlFragment } from '../../storage/sql.ts';
import type { ExamplesFilter } from './contract.ts';

/** Returns the conditions of a filter of examples. */
export function exampleFilter({ status = ['ACTIVE'], split, key, search }: ExamplesFilter): SqlFragment[] {
  const where: SqlFragment[] = oneOfEach({ status, split, key });
  if (search !== undefined) where.push({ sql: containsText('?', 'prompt'), values: [search] });
  return where;
}
