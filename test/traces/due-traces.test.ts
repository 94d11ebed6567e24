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
  const [a1, a2, a3] = keysOf(ours) as [number, number, number];
  const [b1, b2, b3] = keysOf(theirs) as [number, number, number];
  const gone = 1_000;
  const rows = [
    [1, a1],
    [1, a2],
    [1, a3],
    [2, b1],
    [3, gone],
    [2, b2],
    [2, b3],
  ] as const;
  for (const [at, [application, tkey]] of rows.entries()) {
    const insert = `INSERT INTO ${table} (application, tkey, due_at) VALUES (?, ?, ?)`;
    database.run(insert, application, tkey, BASE_MS + at);
  }
  expect(due(database, { now: BASE_MS + 5, limit: 100 })).toEqual([a1, b1, gone, a2, b2, a3]);
  expect(due(database, { now: BASE_MS + 5, limit: 2 })).toEqual([a1, b1]);
  database.connection.close();
});
