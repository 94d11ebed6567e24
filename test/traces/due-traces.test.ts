import { expect, it } from 'vitest';
import { dueRefreshes } from '../../src/traces/refresh.ts';
import { dueRewrites } from '../../src/traces/rewrite.ts';
import { BASE_MS } from '../support/spans.ts';
import { openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

it.each([
  ['rewrite', dueRewrites],
  ['refresh', dueRefreshes],
] as const)('due work of the table %s takes turns between applications', (table, due) => {
  using folder = temporaryFolder();
  const database = openDatabase(folder.file('store.db'));
  const [ours, theirs] = [new Tenant(database, 1), new Tenant(database, 2)];
  const keysOf = (tenant: Tenant): number[] =>
    [1, 2, 3].map((trace) => {
      tenant.store([{ trace, id: 1 }]);
      return tenant.tkey(trace) ?? -1;
    });
  const [a1, a2, a3] = keysOf(ours);
  const [b1, b2, b3] = keysOf(theirs);
  const gone = 1_000;
  for (const [at, tkey] of [a1, a2, a3, b1, gone, b2, b3].entries())
    database.run(`INSERT INTO ${table} (tkey, due_at) VALUES (?, ?)`, tkey ?? -1, BASE_MS + at);
  expect(due(database, { now: BASE_MS + 5, limit: 100 })).toEqual([a1, b1, gone, a2, b2, a3]);
  expect(due(database, { now: BASE_MS + 5, limit: 2 })).toEqual([a1, b1]);
  database.connection.close();
});
