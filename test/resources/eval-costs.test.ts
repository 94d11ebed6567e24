import { afterAll, beforeAll, expect, it } from 'vitest';
import { evalCosts } from '../../src/resources/evals/costs.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 2, 31, 12);

let folder: Folder;
let database: SqliteDatabase;

/** Evals of a day so many days ago, one for each cost; null = its model has no known price. */
function store(definition: string, daysAgo: number, costs: readonly (number | null)[]): void {
  for (const [index, cost] of costs.entries())
    database.run(
      `INSERT INTO eval (id, application, definition_id, definition_version, definition_type, test_id, run_type, status,
         version, superseded, cost, created_at, modified_at, input_hash, input_tokens, output_tokens)
       VALUES (?, 1, ?, 1, 'CUSTOM', ?, 'MANUAL', 'COMPLETED', 1, 0, ?, ?, 0, '', 1000, 100)`,
      `${definition} ${daysAgo} ${index}`,
      definition,
      `test ${index}`,
      cost,
      NOW - daysAgo * DAY_MS,
    );
}

beforeAll(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('store.db'));
  store('priced', 0, [0.1, 0.2]);
  store('mixed', 1, [0.25, null, null]);
  store('unpriced', 2, [null]);
  store('free', 3, [0]);
});
afterAll(() => {
  database.connection.close();
  folder[Symbol.dispose]();
});

const costsBy = (groupBy: 'day' | 'definition') =>
  evalCosts(database, { application: 1, query: { groupBy }, now: NOW }).map(
    ({ day, evalDefinitionId, evals, cost, unpricedEvals }) => [
      day ?? evalDefinitionId,
      { evals, cost, unpricedEvals },
    ],
  );

it('an unknown cost is null, not 0; a row says how many of its evals it leaves out', () => {
  expect(costsBy('day')).toEqual([
    ['2026-03-31', { evals: 2, cost: 0.3, unpricedEvals: 0 }],
    ['2026-03-30', { evals: 3, cost: 0.25, unpricedEvals: 2 }],
    ['2026-03-29', { evals: 1, cost: null, unpricedEvals: 1 }],
    ['2026-03-28', { evals: 1, cost: 0, unpricedEvals: 0 }],
  ]);
});

it('the dearest definition comes first, one whose cost is unknown last', () => {
  const names = costsBy('definition').map(([name]) => name);
  expect(names).toEqual(['priced', 'mixed', 'free', 'unpriced']);
});
