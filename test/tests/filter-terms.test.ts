/** What the terms of a filter line find among tests. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/filter/parse.ts';
import { testConditions } from '../../src/tests/filter-terms.ts';
import { insertEval } from '../support/filter-rows.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { storeDefinition } from '../support/stored-evals.ts';
import { storeRun, storeTask, storeTest } from '../support/stored-tests.ts';

const { newTenant, database } = useStore();
let tenant: Tenant;

const HOUR = 3_600_000;
const FAILURE = { code: 'webhook_status', message: 'It answered 500.', hint: '' } as const;

beforeAll(() => {
  tenant = newTenant();
  const { application } = tenant;
  storeTask(database(), application, uuid(40));
  storeTask(database(), application, uuid(42));
  database().run("UPDATE task SET title = 'Refund policy' WHERE id = ?", uuid(40));
  database().run(
    "INSERT INTO tag (id, application, name, color, status, created_at, modified_at) VALUES (?, ?, 'Money', '#fff', 'ACTIVE', 0, 0)",
    uuid(80),
    application,
  );
  database().run(
    'INSERT INTO task_tag (application, task_id, tag_id) VALUES (?, ?, ?)',
    application,
    uuid(40),
    uuid(80),
  );
  const refunds = { id: uuid(41), taskId: uuid(40), createdAt: 0 };
  const other = { id: uuid(43), taskId: uuid(42), createdAt: 0 };
  for (const run of [refunds, other]) storeRun(database(), application, run);
  const done = { status: 'COMPLETED', phase: 'done' } as const;
  storeTest(database(), application, {
    id: uuid(1),
    run: refunds,
    prompt: 'Where is my money?',
    createdAt: BASE_MS,
    ...done,
  });
  storeTest(database(), application, {
    id: uuid(2),
    run: refunds,
    prompt: 'Refund me',
    createdAt: BASE_MS + HOUR,
    status: 'FAILED',
    phase: 'done',
    failure: FAILURE,
  });
  storeTest(database(), application, {
    id: uuid(3),
    run: other,
    exampleIndex: 4,
    createdAt: BASE_MS + 2 * HOUR,
  });
  tenant.store([
    {
      trace: 1,
      id: 1,
      name: 'chat',
      attributes: {
        'service.test.id': uuid(1),
        'user.id': 'ada',
        'output.value': 'On its way',
        'gen_ai.request.model': 'gpt-4o',
      },
    },
  ]);
  storeDefinition(database(), application, { id: uuid(60), name: 'Facts' });
  insertEval(database(), application, {
    definitionId: uuid(60),
    trace: 1,
    passed: 0,
    normalised: 0.2,
    testId: uuid(1),
  });
});

function found(line: string): number[] {
  const { terms, faults } = parseFilter(line, 'tests');
  expect(faults, line).toEqual([]);
  const { application } = tenant;
  const where = testConditions({ database: database(), application, at: BASE_MS + 3 * HOUR }, terms);
  return database()
    .all<{ id: string }>(
      `SELECT id FROM test WHERE ${['application = ?', ...where.map(({ sql }) => sql)].join(' AND ')} ORDER BY id`,
      application,
      ...where.flatMap(({ values }) => values),
    )
    .map(({ id }) => Number(id.slice(-1)));
}

describe('a term', () => {
  it.each<[line: string, tests: number[]]>([
    ['name:refund', [1, 2]],
    ['task:"refund policy"', [1, 2]],
    [`run:${uuid(43)}`, [3]],
    [`test:${uuid(2)}`, [2]],
    ['example:5', [3]],
    ['input:MONEY', [1]],
    ['money', [1]],
    ['way', [1]],
    ['answered', [2]],
    ['error:yes', [2]],
    ['error:no', [1, 3]],
    ['error:webhook', [2]],
    ['tag:money', [1, 2]],
    ['output:way', [1]],
    ['user:ada', [1]],
    ['model:gpt-*', [1]],
    ['duration:<1s', [1]],
    ['verdict:fail', [1]],
    ['verdict:fail evaluator:facts', [1]],
    ['score:>0.5', []],
    ['outcome:app_error', [2]],
    ['outcome:RUNNING', [3]],
    ['cause:failure:*', [2]],
    ['from:2026-01-01T01:00', [2, 3]],
    ['last:2.5h', [2, 3]],
    ['has:error', [2]],
    ['has:verdict', [1]],
    ['has:example', [3]],
    ['has:model', [1]],
    ['has:tag', [1, 2]],
    ['', [1, 2, 3]],
  ])('%s finds %j, and negated the others', (line, tests) => {
    expect(found(line)).toEqual(tests);
    if (line !== '' && !line.includes(' verdict') && !line.includes(' evaluator'))
      expect(found(`-${line}`)).toEqual([1, 2, 3].filter((one) => !tests.includes(one)));
  });

  it('of steps is rejected', () => {
    expect(parseFilter('tool:x version:v1', 'tests').faults).toMatchObject([
      { message: '`tool` is no field of tests' },
      { message: '`version` is no field of tests' },
    ]);
  });
});
