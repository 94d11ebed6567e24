import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { loadSides } from '../../src/resources/runs/compare-store.ts';
import { queryPlan } from '../support/query-plan.ts';
import { openDatabase, temporaryFolder } from '../support/storage.ts';
import { evalOf, storeDefinition, verdict } from '../support/stored-evals.ts';
import { exampleIdOf, storeRun, storeTask, storeTest } from '../support/stored-tests.ts';

/** With another index, the time grows with the square of the number of tests. */
it('a comparison reads the evals of each test by the test', () => {
  using folder = temporaryFolder();
  const statements = new Set<string>();
  const database = openDatabase(folder.file('store.db'), (sql) => statements.add(sql));
  const [application, definition] = [1, randomUUID()];
  const run = { id: randomUUID(), taskId: randomUUID(), createdAt: 0 };
  const test = {
    id: randomUUID(),
    run,
    status: 'COMPLETED',
    createdAt: 0,
    exampleId: exampleIdOf(0),
  } as const;
  database.transaction(() => {
    storeTask(database, application, run.taskId);
    storeDefinition(database, application, { id: definition, type: 'ASSERT' });
    storeRun(database, application, run);
    storeTest(database, application, test);
    saveEvals(database, { application, evals: [evalOf(test, definition, verdict(true))], at: 0 });
  });
  statements.clear();
  const side = { runIds: [run.id] };
  const body = {
    baseline: side,
    candidates: [side],
    confidence: 0.95,
    question: 'EXAMPLES_LIKE_THESE',
    equalTasks: false,
    by: 'VERDICTS',
    withAdvisory: false,
    withChanges: false,
  } as const;
  const { baseline } = loadSides(database, application, { ...body, candidates: [side] }, 0);
  expect(baseline.counted).toHaveLength(1);
  const ofEvals = [...statements].filter((sql) => /\beval\b/.test(sql));
  expect(ofEvals.length).toBeGreaterThan(0);
  for (const sql of ofEvals)
    expect(queryPlan(database, sql).map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(
        /^SEARCH eval USING (?:COVERING )?INDEX eval_by_test \(application=\? AND test_id=\?/,
      ),
    );
  database.connection.close();
});
