import { expect, it } from 'vitest';
import { currentEvals } from '../../src/evaluate/engine/rows.ts';
import type { Target } from '../../src/evaluate/target.ts';
import { traceBytes, uuid } from '../support/spans.ts';
import { queryPlan } from '../support/query-plan.ts';
import { openDatabase, temporaryFolder } from '../support/storage.ts';

it.each<[string, Target]>([
  ['a test', { testId: uuid(1) }],
  ['a trace', { traceId: traceBytes(1) }],
])('finds the evals of %s without walking all of them', (_what, of) => {
  const folder = temporaryFolder();
  const statements: string[] = [];
  const database = openDatabase(folder.file('store.db'), (sql) => statements.push(sql));
  currentEvals(database, 1, of);
  const [step] = queryPlan(database, statements[0] as string);
  expect(step?.detail).toMatch(/eval_by_(test|trace) \(application=\? AND (test|trace)_id=\?/);
  database.connection.close();
  folder[Symbol.dispose]();
});
