/** Tests, runs and evals. */
import type { Case } from '../../case.ts';
import { listCases } from '../../lists.ts';
import { LISTED_TEST, OWNED, RESULT, MESSAGE, invalid, page, UNKNOWN } from '../../records.ts';
import { UUID, TIME, TEXT, INTEGER, OBJECT, orNull, only, listOf, inAnyOrder } from '../../shapes.ts';

const EVAL = {
  ...OWNED,
  definition: { id: '{{definition.id}}', name: 'Right' },
  definitionVersion: 1,
  testId: '{{test.id}}',
  traceId: UUID,
  runId: '{{test.runId}}',
  status: 'COMPLETED',
  score: 1,
  passed: true,
  version: 1,
  superseded: false,
  inputHash: TEXT,
  reason: orNull(TEXT),
  cost: null,
  latencyMs: orNull(INTEGER),
} as const;

export const TESTS: readonly Case[] = [
  {
    name: 'a trigger starts tests',
    given: ['webhook', 'task'],
    request: 'POST /v0/tasks/trigger',
    body: { taskIds: ['{{task.id}}'], repeat: 3 },
    status: 204,
    answerHeaders: { 'x-run-ids': UUID },
    after: {
      request: 'GET /v0/tests?orderBy=id',
      contains: {
        pagination: page(3),
        data: inAnyOrder({ exampleIndex: 0 }, { exampleIndex: 1 }, { exampleIndex: 0 }),
      },
    },
  },
  {
    name: 'a trigger answers the ids when asked to',
    given: ['webhook', 'task'],
    request: 'POST /v0/tasks/trigger',
    headers: { prefer: 'return=representation' },
    body: { taskIds: ['{{task.id}}'] },
    status: 200,
    contains: only({ data: [only({ runId: UUID, taskId: '{{task.id}}', testIds: [UUID] })] }),
  },
  {
    name: 'an unknown task is not triggered, nor those beside it',
    given: ['webhook', 'task'],
    request: 'POST /v0/tasks/trigger',
    body: { taskIds: ['{{task.id}}', UNKNOWN] },
    status: 404,
    contains: MESSAGE,
    after: { request: 'GET /v0/tests', contains: { data: [] } },
  },
  ...(
    [
      [0, 'too_small'],
      [101, 'too_big'],
    ] as const
  ).map(
    ([repeat, code]): Case => ({
      name: `${repeat} tests of a task are not started`,
      given: ['task'],
      request: 'POST /v0/tasks/trigger',
      body: { taskIds: ['{{task.id}}'], repeat },
      status: 422,
      contains: invalid([['repeat'], code]),
    }),
  ),
  {
    name: 'tests are listed',
    given: ['test'],
    request: 'GET /v0/tests',
    status: 200,
    contains: only({
      data: [{ ...LISTED_TEST, status: 'COMPLETED', phase: 'done', failure: null }],
      pagination: page(1),
    }),
  },
  {
    name: 'a test has its fields',
    line: ['Test.*', 'Result.*'],
    given: ['eval'],
    request: 'GET /v0/tests/{{test.id}}',
    status: 200,
    contains: only({
      test: {
        ...LISTED_TEST,
        status: 'COMPLETED',
        phase: 'done',
        failure: null,
        metadata: null,
        timeline: listOf(only({ at: TIME, phase: TEXT, detail: TEXT })),
        traceIds: listOf(UUID),
        input: 'Capital of France?',
        output: 'Paris',
        inputSpanId: null,
        outputSpanId: null,
        evals: [{ ...EVAL }],
        result: only({ passed: 1, failed: 0, total: 1, passRate: 100, averageScore: 1 }),
      },
    }),
  },
  {
    name: 'a test that failed says why',
    line: 'Test.failure',
    given: [
      'task',
      {
        as: 'started',
        request: 'POST /v0/tasks/trigger',
        headers: { prefer: 'return=representation' },
        body: { taskIds: ['{{task.id}}'] },
      },
    ],
    request: 'GET /v0/tasks/{{task.id}}',
    status: 200,
    after: {
      request: 'GET /v0/tests/{{started.0.testIds.0}}',
      until: true,
      contains: {
        test: {
          status: 'FAILED',
          failure: only({ code: 'webhook_not_configured', message: /./, hint: /./ }),
        },
      },
    },
  },
  {
    name: 'a test is told as a stream',
    given: ['test'],
    request: 'GET /v0/tests/{{test.id}}/stream',
    status: 200,
    type: /^text\/event-stream/,
    says: /^event: test\ndata: \{.*"status":"COMPLETED".*\}\n\n/,
  },
  {
    name: 'a test is diagnosed',
    given: ['test'],
    line: 'TestDiagnosis.*',
    request: 'GET /v0/tests/{{test.id}}/diagnosis',
    status: 200,
    contains: {
      data: {
        testId: '{{test.id}}',
        status: 'COMPLETED',
        phase: 'done',
        cause: 'The test completed.',
        cure: null,
        deadline: null,
        attempts: listOf({ outcome: 'answered', statusCode: 200, requestBytes: INTEGER }),
        meanwhile: OBJECT,
        spans: OBJECT,
      },
    },
  },
  {
    name: 'a test is cancelled',
    given: ['started'],
    request: 'POST /v0/tests/{{started.0.testIds.0}}/cancel',
    status: 200,
    contains: { test: { status: 'FAILED', failure: { code: 'cancelled' } } },
  },
  {
    name: 'a test that is over is not cancelled',
    given: ['test'],
    request: 'POST /v0/tests/{{test.id}}/cancel',
    status: 409,
    contains: MESSAGE,
  },
  {
    name: 'a run is wrapped by its name',
    line: 'WholeRun.*',
    given: ['eval'],
    request: 'GET /v0/runs/{{test.runId}}',
    status: 200,
    contains: only({
      run: {
        ...OWNED,
        type: 'MANUAL',
        experimentVariantId: null,
        result: RESULT,
        evals: [{ id: '{{definition.id}}', passed: 1 }],
      },
    }),
  },
  ...(['tests/{{test.id}}', 'runs/{{test.runId}}', 'tasks/{{task.id}}'] as const).map(
    (path): Case => ({
      name: `${path.split('/')[0]} are judged again`,
      given: ['eval'],
      request: `POST /v0/${path}/evaluate`,
      body: { force: true },
      status: 200,
      contains: { data: { tests: 1, evals: 1 } },
      after: {
        request: 'GET /v0/evals?superseded=true',
        until: true,
        contains: { data: [{ superseded: true, version: 1 }] },
      },
    }),
  ),
  {
    name: 'evals are listed',
    given: ['eval'],
    request: 'GET /v0/evals',
    status: 200,
    contains: only({ data: [EVAL], pagination: page(1) }),
  },
  {
    name: 'an eval has its fields',
    line: 'Eval.*',
    given: ['eval'],
    request: 'GET /v0/evals/{{evals.0.id}}',
    status: 200,
    contains: only({
      data: {
        ...EVAL,
        results: OBJECT,
        judge: { definition: { version: 1, name: 'Right', type: 'ASSERT' } },
      },
    }),
  },
  ...[
    'taskId={{task.id}}',
    'testId={{test.id}}',
    'runId={{test.runId}}',
    'evalDefinitionId={{definition.id}}',
    'type=ASSERT',
    'status=COMPLETED',
    'passed=true',
    'superseded=false',
  ].map(
    (query): Case => ({
      name: `evals with ${query} are found`,
      given: ['eval'],
      request: `GET /v0/evals?${query}`,
      status: 200,
      contains: { pagination: page(1) },
    }),
  ),
  ...[
    `taskId=${UNKNOWN}`,
    `testId=${UNKNOWN}`,
    `traceId=${UNKNOWN}`,
    `runId=${UNKNOWN}`,
    `evalDefinitionId=${UNKNOWN}`,
    'type=FACT',
    'status=FAILED',
    'passed=false',
    'superseded=true',
  ].map(
    (query): Case => ({
      name: `evals with ${query} are none`,
      given: ['eval'],
      request: `GET /v0/evals?${query}`,
      status: 200,
      contains: { pagination: page(0) },
    }),
  ),
  ...[
    'taskId={{task.id}}',
    'runId={{test.runId}}',
    'status=COMPLETED',
    'phase=done',
    'runType=MANUAL',
    'evalDefinitionId={{definition.id}}',
    'startDate={{test.createdAt}}',
    'endDate={{test.createdAt}}',
  ].map(
    (query): Case => ({
      name: `tests with ${query} are found`,
      given: ['eval'],
      request: `GET /v0/tests?${query}`,
      status: 200,
      contains: { pagination: page(1) },
    }),
  ),
  ...[
    `taskId=${UNKNOWN}`,
    `runId=${UNKNOWN}`,
    'status=FAILED',
    'phase=queued',
    'runType=SCHEDULED',
    `evalDefinitionId=${UNKNOWN}`,
    `experimentVariantId=${UNKNOWN}`,
    'startDate=2099-01-01T00:00:00Z',
    'endDate=2000-01-01T00:00:00Z',
  ].map(
    (query): Case => ({
      name: `tests with ${query} are none`,
      given: ['eval'],
      request: `GET /v0/tests?${query}`,
      status: 200,
      contains: { pagination: page(0) },
    }),
  ),
  ...[
    `GET /v0/tests/${UNKNOWN}`,
    `GET /v0/tests/${UNKNOWN}/stream`,
    `GET /v0/tests/${UNKNOWN}/diagnosis`,
    `GET /v0/runs/${UNKNOWN}`,
    `GET /v0/evals/${UNKNOWN}`,
    `GET /v0/tasks/${UNKNOWN}`,
    `GET /v0/topics/${UNKNOWN}`,
    `GET /v0/definitions/${UNKNOWN}`,
  ].map(
    (request): Case => ({
      name: `${request} finds nothing`,
      request: request as Case['request'],
      status: 404,
      contains: MESSAGE,
    }),
  ),
  ...listCases({
    path: '/v0/tests',
    given: ['threeRuns'],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'id'],
  }),
];
