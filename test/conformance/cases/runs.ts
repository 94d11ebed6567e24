import type { Case } from '../case.ts';
import { listCases } from '../lists.ts';
import { invalid, page, RESULT, SURE_INTERVAL } from '../records.ts';
import { INTEGER, inAnyOrder, listOf, NUMBER, only, TIME, UUID } from '../shapes.ts';

const EVAL = only({
  id: '{{definition.id}}',
  name: 'Right',
  type: 'ASSERT',
  passed: INTEGER,
  failed: INTEGER,
  total: INTEGER,
  passRate: NUMBER,
  averageScore: NUMBER,
  isAdvisory: false,
  correctedPassRate: null,
});
const dates = (query: string, names: readonly string[]): Case => ({
  name: `${query} answers ${names.join(', ') || 'nothing'}`,
  line: query.includes('startDate') ? 'ListRuns.filter startDate' : 'ListRuns.filter endDate',
  given: ['threeRuns'],
  request: `GET /v0/runs?${query}`,
  status: 200,
  contains: {
    data: inAnyOrder(...names.map((name) => ({ id: `{{${name}.id}}` }))),
    pagination: page(names.length),
  },
});

export const RUN_CASES: readonly Case[] = [
  {
    name: 'a listed run has its fields',
    line: ['Run.*', 'ListRuns.answer', 'Pagination.totalCount nowhere else'],
    given: ['eval'],
    request: 'GET /v0/runs',
    status: 200,
    contains: only({
      data: [
        {
          id: '{{test.runId}}',
          orgId: '{{application.orgId}}',
          applicationId: '{{application.id}}',
          createdAt: TIME,
          modifiedAt: TIME,
          taskId: '{{task.id}}',
          threadId: null,
          evals: listOf(EVAL),
          type: 'MANUAL',
          experimentVariantId: null,
          result: RESULT,
          passRateInterval: SURE_INTERVAL,
        },
      ],
      pagination: page(1),
    }),
  },
  {
    name: 'a run without evals has none',
    line: 'Run.evals',
    given: ['test'],
    request: 'GET /v0/runs',
    status: 200,
    contains: { data: [{ evals: [], result: { total: 0, passRate: null } }] },
  },
  {
    name: 'the thread of a run is the session of its trace',
    line: 'Run.threadId',
    given: [
      'started',
      { as: 'received', received: true },
      {
        request: 'POST /v0/ingest',
        body: {
          events: [
            {
              type: 'trace',
              timestamp: '2026-03-01T12:00:00Z',
              testId: '{{received.json.testId}}',
              referenceId: 'conversation-7',
            },
          ],
        },
      },
    ],
    request: 'GET /v0/runs/{{started.0.runId}}',
    status: 200,
    contains: { run: { threadId: 'conversation-7' } },
  },
  ...listCases({
    path: '/v0/runs',
    section: 'ListRuns',
    given: ['threeRuns'],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'type', 'id'],
  }),
  dates('startDate={{earliest.createdAt}}', ['earliest', 'middle', 'latest']),
  dates('startDate=2099-01-01T00:00:00Z', []),
  dates('endDate={{latest.createdAt}}', ['earliest', 'middle', 'latest']),
  dates('endDate=2000-01-01T00:00:00Z', []),
  dates('startDate={{earliest.createdAt}}&endDate={{latest.createdAt}}', ['earliest', 'middle', 'latest']),
  dates('startDate=2099-01-01T00:00:00Z&endDate=2000-01-01T00:00:00Z', []),
  {
    name: 'both dates are inclusive',
    line: ['ListRuns.filter startDate', 'ListRuns.filter endDate'],
    given: ['threeRuns'],
    request: 'GET /v0/runs?startDate={{middle.createdAt}}&endDate={{middle.createdAt}}',
    status: 200,
    contains: { data: listOf({ createdAt: '{{middle.createdAt}}' }) },
  },
  ...['startDate', 'endDate'].flatMap((name) =>
    ['2026-01-01', '2026-01-01T00:00:00', 'now', ''].map(
      (value): Case => ({
        name: `the ${name} "${value}" is invalid`,
        line: ['Conventions.date-time', `ListRuns.filter ${name}`],
        request: `GET /v0/runs?${name}=${value}`,
        status: 422,
        contains: invalid([[name], 'invalid_string']),
      }),
    ),
  ),
  ...['MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING'].map(
    (type): Case => ({
      name: `runs of the type ${type} are asked for`,
      given: ['threeRuns'],
      request: `GET /v0/runs?type=${type}`,
      status: 200,
      contains: { pagination: page(type === 'MANUAL' ? 3 : 0) },
    }),
  ),
  {
    name: 'a run of a variant is of an experiment',
    given: [
      'webhook',
      'variant',
      { request: 'POST /v0/experiments/{{experiment.id}}/variants/{{variant.id}}/run' },
    ],
    request: 'GET /v0/runs',
    status: 200,
    contains: {
      data: [{ id: UUID, type: 'EXPERIMENT', experimentVariantId: '{{variant.id}}' }],
    },
  },
];
