import { afterAll, beforeAll, expect, it } from 'vitest';
import { text } from '../../src/storage/column.ts';
import { table as declareTable } from '../../src/storage/record.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { withIds } from '../../src/storage/rows-by-id.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

const tags = declareTable('tag', 'tag', { id: text, name: text });

let folder: Folder;
let database: SqliteDatabase;

beforeAll(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('store.db'));
  for (const [application, id] of [
    [1, 'a'],
    [1, 'b'],
    [2, 'c'],
  ] as const)
    database.run(
      `INSERT INTO tag (id, application, name, color, description, status, created_at, modified_at)
       VALUES (?, ?, ?, '#000000', '', 'ACTIVE', 0, 0)`,
      id,
      application,
      id.toUpperCase(),
    );
});
afterAll(() => {
  database.connection.close();
  folder[Symbol.dispose]();
});

it.each<[ids: string[], found: string[]]>([
  [[], []],
  [
    ['b', 'a'],
    ['a', 'b'],
  ],
  [['a', 'a'], ['a']],
  [['a', 'none'], ['a']],
  [['c'], []],
])('rows with the ids %j of an application are %j', (ids, found) => {
  const rows = tags.byIds(database, 1, ids);
  expect([...rows.keys()].sort()).toEqual(found);
  for (const [id, row] of rows) expect(row).toEqual({ id, name: id.toUpperCase() });
});

it.each([
  'annotation_queue',
  'definition',
  'experiment',
  'experiment_variant',
  'inference_step',
  'quickstart',
  'run',
  'style_guide',
  'tag',
  'task',
  'test',
  'topic',
  'upload',
])('rows of %s are looked up by their ids, whatever the indexes of the table are', (table) => {
  const plan = database.connection
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN SELECT * FROM ${withIds(table)}`)
    .all({ application: 1, ids: '[]' })
    .map(({ detail }) => detail);
  expect(plan.filter((step) => step.includes(table))).toEqual([expect.stringMatching(/^SEARCH .*\bid=\?/)]);
});
