/** Tasks, their tags and their schedules. */
import type { Case, Step } from '../../case.ts';
import { listCases } from '../../lists.ts';
import { LISTED_TEST, OWNED, DEFINITION, MESSAGE, SURE_INTERVAL, invalid, page } from '../../records.ts';
import { TIME, NUMBER, only } from '../../shapes.ts';

const task = (body: object): Step => ({ request: 'POST /v0/tasks', body: { type: 'STATIC', ...body } });
const METRICS = {
  passRate: null,
  passRateInterval: null,
  errorRate: null,
  monitoringPassRate: null,
  health: null,
  confidence: null,
  stability: null,
} as const;
const TASK = {
  ...OWNED,
  ...METRICS,
  title: 'Capital',
  description: '',
  type: 'STATIC',
  status: 'ACTIVE',
  inputExamples: ['Capital of France?', 'Capital of Peru?'],
  exampleCount: 2,
  metadata: null,
  simulatedPromptSchema: null,
  topicId: null,
  quickstartId: null,
  isVerified: false,
  evalDefinitions: [],
  taskSchedule: null,
  lastTest: null,
} as const;
const SCHEDULE = only({
  taskId: '{{task.id}}',
  criticality: 'HIGH',
  cron: null,
  timezone: 'UTC',
  enabled: true,
  nextRunAt: TIME,
  lastRunAt: null,
});

export const TASKS: readonly Case[] = [
  {
    name: 'a task is made with its defaults',
    line: 'Task.*',
    request: 'POST /v0/tasks',
    body: { title: 'Capital', type: 'STATIC', inputExamples: ['Capital of France?', 'Capital of Peru?'] },
    status: 201,
    contains: only({ task: TASK }),
  },
  {
    name: 'a task is read',
    given: ['task'],
    request: 'GET /v0/tasks/{{task.id}}',
    status: 200,
    contains: only({ task: TASK }),
  },
  {
    name: 'tasks are listed',
    given: ['task'],
    request: 'GET /v0/tasks',
    status: 200,
    contains: only({ data: [TASK], pagination: page(1) }),
  },
  {
    name: 'a task is changed; what is left out stays',
    given: ['task', 'topic'],
    request: 'PUT /v0/tasks/{{task.id}}',
    body: { topicId: '{{topic.id}}', metadata: { tier: 'gold' } },
    status: 200,
    contains: only({ task: { ...TASK, topicId: '{{topic.id}}', metadata: only({ tier: 'gold' }) } }),
  },
  {
    name: 'a task tells the definitions linked to it, and what they expect',
    given: ['definition'],
    request: 'POST /v0/tasks',
    body: {
      title: 'A',
      type: 'NORMAL',
      evalDefinitions: [{ evalDefinitionId: '{{definition.id}}', config: { expected: ['Paris'] } }],
    },
    status: 201,
    contains: {
      task: {
        type: 'NORMAL',
        evalDefinitions: [
          only({
            evalDefinition: { ...DEFINITION, id: '{{definition.id}}' },
            config: only({ expected: ['Paris'] }),
          }),
        ],
      },
    },
  },
  {
    name: 'a task that was judged tells how it does',
    line: ['Task.passRate', 'Task.health', 'Task.confidence', 'Task.lastTest', 'Task.passRateInterval'],
    given: ['eval', { request: 'GET /v0/tasks?status=success', until: { pagination: { total: 1 } } }],
    request: 'GET /v0/tasks/{{task.id}}',
    status: 200,
    contains: {
      task: {
        passRate: 100,
        passRateInterval: SURE_INTERVAL,
        errorRate: 0,
        monitoringPassRate: null,
        health: only({ score: 100, level: 'HIGH' }),
        confidence: only({ width: NUMBER, level: 'LOW' }),
        stability: null,
        lastTest: { ...LISTED_TEST, id: '{{test.id}}', status: 'COMPLETED' },
      },
    },
  },
  {
    name: 'a task without results is deleted',
    given: ['task'],
    request: 'DELETE /v0/tasks/{{task.id}}',
    status: 204,
    after: { request: 'GET /v0/tasks/{{task.id}}', status: 404, contains: MESSAGE },
  },
  {
    name: 'a task with results is archived',
    given: ['test'],
    request: 'DELETE /v0/tasks/{{task.id}}',
    status: 204,
    after: { request: 'GET /v0/tasks/{{task.id}}', contains: { task: { status: 'ARCHIVED' } } },
  },
  {
    name: 'a task needs a title and a type',
    request: 'POST /v0/tasks',
    body: {},
    status: 422,
    contains: invalid([['title'], 'invalid_type'], [['type'], 'invalid_type']),
  },
  {
    name: 'metadata that cannot be sent is refused',
    request: 'POST /v0/tasks',
    body: '{"title":"A","type":"STATIC","metadata":{"n":9007199254740993}}',
    status: 422,
    contains: invalid([['metadata', 'n'], 'custom']),
  },
  {
    name: 'the ids of tasks are answered',
    given: ['task'],
    request: 'GET /v0/tasks/ids',
    status: 200,
    contains: only({ taskIds: ['{{task.id}}'] }),
  },
  ...listCases({
    path: '/v0/tasks',
    given: [
      task({ title: 'B' }),
      task({ title: 'B', status: 'DRAFT' }),
      task({ title: 'A', type: 'NORMAL' }),
    ],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'title', 'type', 'status', 'id'],
  }),
  {
    name: 'tags are put on tasks and taken off',
    given: ['task', 'tag'],
    request: 'POST /v0/tasks/tags',
    body: { taskIds: ['{{task.id}}'], addTagIds: ['{{tag.id}}'] },
    status: 204,
    after: { request: 'GET /v0/tasks/{{task.id}}/tags', contains: { data: [{ id: '{{tag.id}}' }] } },
  },
  {
    name: 'the tags of a task are listed',
    given: [
      'task',
      'tag',
      { request: 'POST /v0/tasks/tags', body: { taskIds: ['{{task.id}}'], addTagIds: ['{{tag.id}}'] } },
    ],
    request: 'GET /v0/tasks/{{task.id}}/tags',
    status: 200,
    contains: only({ data: [{ id: '{{tag.id}}', name: 'Urgent' }], pagination: page(1) }),
  },
  {
    name: 'the tags of a task are replaced',
    given: ['task', 'tag'],
    request: 'PUT /v0/tasks/{{task.id}}/tags',
    body: { tagIds: ['{{tag.id}}'] },
    status: 200,
    contains: only({ data: [{ id: '{{tag.id}}', name: 'Urgent' }], pagination: { total: 1 } }),
  },
  {
    name: 'a schedule is answered bare',
    line: 'Schedule.*',
    given: ['task'],
    request: 'PUT /v0/tasks/{{task.id}}/schedule',
    body: { criticality: 'HIGH' },
    status: 200,
    contains: SCHEDULE,
  },
  {
    name: 'a schedule is read',
    given: ['schedule'],
    request: 'GET /v0/tasks/{{task.id}}/schedule',
    status: 200,
    contains: SCHEDULE,
  },
  {
    name: 'a schedule is deleted',
    given: ['schedule'],
    request: 'DELETE /v0/tasks/{{task.id}}/schedule',
    status: 204,
    after: { request: 'GET /v0/tasks/{{task.id}}/schedule', status: 404, contains: MESSAGE },
  },
  {
    name: 'a schedule needs its criticality',
    given: ['task'],
    request: 'PUT /v0/tasks/{{task.id}}/schedule',
    body: {},
    status: 422,
    contains: invalid([['criticality'], 'invalid_type']),
  },
  {
    name: 'a cron that contradicts the criticality is a bad request',
    given: ['task'],
    request: 'PUT /v0/tasks/{{task.id}}/schedule',
    body: { criticality: 'HIGH', cron: '0 9 * * MON' },
    status: 400,
    contains: MESSAGE,
  },
];
