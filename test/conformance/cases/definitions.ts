import type { Case, Step } from '../case.ts';
import { listCases } from '../lists.ts';
import { countedPage, DEFINITION, invalid, MESSAGE, UNKNOWN } from '../records.ts';
import { inAnyOrder, only } from '../shapes.ts';

const definition = (as: string, body: object): Step => ({
  as,
  request: 'POST /v0/definitions',
  body: { name: as, type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' }, ...body },
});
/** Names and types that are equal, so that ties are broken. */
const FOUR = [
  definition('a', { name: 'Same' }),
  definition('b', { name: 'Same', type: 'NATURALNESS' }),
  definition('c', { name: 'Another' }),
  definition('d', { name: 'Draft no more', type: 'FACT' }),
];
const link = (body: object): Step => ({ request: 'POST /v0/definitions/link', body });

/** `topical` is linked to the topic, `everywhere` to the application, `tasked` to the task, `loose` to nothing. */
const LINKED: Case['given'] = [
  'topic',
  {
    as: 'task',
    request: 'POST /v0/tasks',
    body: { title: 'In the topic', type: 'STATIC', topicId: '{{topic.id}}' },
  },
  definition('topical', {}),
  definition('everywhere', {}),
  definition('tasked', {}),
  definition('loose', { type: 'NATURALNESS' }),
  definition('draft', { status: 'DRAFT' }),
  link({ evalIds: ['{{topical.id}}'], topicIds: ['{{topic.id}}'] }),
  link({ evalIds: ['{{tasked.id}}'], taskIds: ['{{task.id}}'] }),
  { request: 'POST /v0/definitions/link-application', body: { evalIds: ['{{everywhere.id}}'] } },
];

const filter = (
  line: string,
  query: string,
  names: readonly string[],
  given: Case['given'] = LINKED,
): Case => ({
  name: `${query} answers ${names.join(', ') || 'nothing'}`,
  line: `ListDefinitions.${line}`,
  given: given ?? [],
  request: `GET /v0/definitions?${query}`,
  status: 200,
  contains: {
    data: inAnyOrder(...names.map((name) => ({ id: `{{${name}.id}}` }))),
    pagination: countedPage(names.length),
  },
});
const wrong = (line: string, query: string, code: string): Case => ({
  name: `${query} is invalid`,
  line: `ListDefinitions.${line}`,
  request: `GET /v0/definitions?${query}`,
  status: 422,
  contains: {
    message: /./,
    issues: [only({ path: pathOf(query), code, message: /./ })],
  },
});
/** Filters take several values: the path names which of them it was. */
const pathOf = (query: string): string[] => {
  const name = query.split('=')[0] as string;
  return name === 'scopeType' ? [name] : [name, '0'];
};

export const DEFINITION_CASES: readonly Case[] = [
  {
    name: 'a listed definition has its fields',
    line: ['Definition.*', 'Application.*', 'ListDefinitions.answer', 'Pagination.totalCount'],
    given: ['topic', 'definition', link({ evalIds: ['{{definition.id}}'], topicIds: ['{{topic.id}}'] })],
    request: 'GET /v0/definitions',
    status: 200,
    contains: only({
      data: [{ ...DEFINITION, name: 'Kind', topics: ['{{topic.id}}'] }],
      pagination: countedPage(1),
    }),
  },
  ...listCases({
    path: '/v0/definitions',
    section: 'ListDefinitions',
    given: FOUR,
    total: 4,
    fields: ['createdAt', 'modifiedAt', 'name', 'type', 'id'],
    pagination: countedPage,
  }),
  filter('default definitionStatus', 'limit=25', ['topical', 'everywhere', 'tasked', 'loose']),
  filter('filter definitionStatus', 'definitionStatus=DRAFT', ['draft']),
  filter('filter definitionStatus', 'definitionStatus=ACTIVE', ['topical', 'everywhere', 'tasked', 'loose']),
  ...[
    'definitionStatus=DRAFT,ACTIVE',
    'definitionStatus=DRAFT&definitionStatus=ACTIVE',
    'definitionStatus[]=DRAFT&definitionStatus[]=ACTIVE',
  ].map((query) =>
    filter('filter definitionStatus', query, ['topical', 'everywhere', 'tasked', 'loose', 'draft']),
  ),
  wrong('filter definitionStatus', 'definitionStatus=OLD', 'invalid_enum_value'),
  filter('filter taskId', 'taskId={{task.id}}', ['topical', 'everywhere', 'tasked']),
  filter('filter taskId', 'taskId={{task.id|upper}}', ['topical', 'everywhere', 'tasked']),
  filter('filter taskId', `taskId=${UNKNOWN}`, []),
  wrong('filter taskId', 'taskId=x', 'invalid_string'),
  filter('filter scopeType', 'scopeType=topic', ['topical']),
  filter('filter scopeType', 'scopeType=application', ['everywhere', 'tasked', 'loose']),
  wrong('filter scopeType', 'scopeType=task', 'invalid_enum_value'),
  filter('filter topicId', 'topicId={{topic.id}}', ['topical']),
  filter('filter topicId', `topicId=${UNKNOWN}`, []),
  filter('topicId over scopeType', 'topicId={{topic.id}}&scopeType=application', ['topical']),
  wrong('filter topicId', 'topicId=', 'invalid_string'),
  filter('filter evalType', 'type=NATURALNESS', ['loose']),
  filter('filter evalType', 'type=NATURALNESS,CUSTOM', ['topical', 'everywhere', 'tasked', 'loose']),
  filter('filter evalType', 'type=NOTHING', []),
  filter('filter quickstartId', `quickstartId=${UNKNOWN}`, []),
  filter(
    'filter quickstartId',
    'quickstartId={{quickstart.id}}',
    ['made'],
    ['quickstart', 'definition', definition('made', { quickstartId: '{{quickstart.id}}' })],
  ),
  wrong('filter quickstartId', 'quickstartId=1', 'invalid_string'),
  filter('filter traceId', 'traceId={{trace.id}}', ['definition'], ['eval', definition('unused', {})]),
  filter('filter traceId', 'traceId={{trace.id|hex}}', ['definition'], ['eval', definition('unused', {})]),
  filter('filter traceId', `traceId=${UNKNOWN}`, [], ['eval']),
  wrong('filter traceId', 'traceId=x', 'invalid_string'),
  filter('filter status', 'status=COMPLETED', ['definition'], ['eval', definition('unused', {})]),
  ...['PENDING', 'IN_PROGRESS', 'FAILED', 'SKIPPED'].map((status) =>
    filter('filter status', `status=${status}`, [], ['eval']),
  ),
  filter('filter status', 'status=COMPLETED&taskId={{task.id}}', ['definition'], ['eval']),
  wrong('filter status', 'status=DONE', 'invalid_enum_value'),
  ...['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'SKIPPED'].map(
    (status): Case => ({
      name: `evals may be ${status}`,
      line: 'States.eval',
      request: `GET /v0/definitions?status=${status}`,
      status: 200,
    }),
  ),
  ...(['DRAFT', 'ACTIVE'] as const).map(
    (status): Case => ({
      name: `a definition may be ${status}`,
      line: ['Definition.status', 'States.definition'],
      request: 'POST /v0/definitions',
      body: { name: 'A', type: 'NATURALNESS', status },
      status: 201,
      contains: {
        data: { status, version: 1, topics: [], styleGuideId: null, globalConfig: only({ criterion: '' }) },
      },
    }),
  ),
  {
    name: 'a definition has no other status',
    line: 'States.definition',
    request: 'POST /v0/definitions',
    body: { name: 'A', type: 'NATURALNESS', status: 'PENDING' },
    status: 422,
    contains: invalid([['status'], 'invalid_enum_value']),
  },
  {
    name: 'a definition is scoped to the application',
    line: 'Definition.scope',
    given: ['definition'],
    request: 'GET /v0/definitions?scopeType=application',
    status: 200,
    contains: { data: [{ id: '{{definition.id}}', topics: [] }] },
  },
  {
    name: 'a definition is scoped to the topics it is linked to',
    line: ['Definition.scope', 'Definition.topics'],
    given: ['topic', 'definition', link({ evalIds: ['{{definition.id}}'], topicIds: ['{{topic.id}}'] })],
    request: 'GET /v0/definitions?scopeType=topic',
    status: 200,
    contains: { data: [{ id: '{{definition.id}}', topics: ['{{topic.id}}'] }] },
  },
];

const NINE_AND_NINETY = Array.from(
  { length: 99 },
  (_, i) => `22222222-2222-4222-8222-${String(i).padStart(12, '0')}`,
);
const linkApplication = (evalIds: unknown, status: number, contains?: Case['contains']): Case => ({
  name: `linking ${Array.isArray(evalIds) ? `${evalIds.length} definitions` : JSON.stringify(evalIds)} is answered ${status}`,
  line: ['LinkApplication.evalIds', 'Limits.evalIds'],
  given: ['definition'],
  request: 'POST /v0/definitions/link-application',
  body: { evalIds },
  status,
  ...(contains !== undefined && { contains }),
});

export const LINK_APPLICATION_CASES: readonly Case[] = [
  linkApplication(['{{definition.id}}'], 204),
  linkApplication([], 422, invalid([['evalIds'], 'too_small'])),
  linkApplication([UNKNOWN, ...NINE_AND_NINETY], 404, MESSAGE),
  linkApplication([UNKNOWN, UNKNOWN, ...NINE_AND_NINETY], 422, invalid([['evalIds'], 'too_big'])),
  linkApplication(undefined, 422, invalid([['evalIds'], 'invalid_type'])),
  linkApplication('{{definition.id}}', 422, invalid([['evalIds'], 'invalid_type'])),
  {
    name: 'a wrong uuid is named by its place',
    line: ['LinkApplication.evalIds', 'Errors.*', 'Errors.issue-message'],
    given: ['definition'],
    request: 'POST /v0/definitions/link-application',
    body: { evalIds: ['{{definition.id}}', 'x'] },
    status: 422,
    contains: invalid([['evalIds', '1'], 'invalid_string']),
  },
  {
    name: 'an unknown definition links none of the others',
    line: 'LinkApplication.evalIds',
    given: ['definition', 'task'],
    request: 'POST /v0/definitions/link-application',
    body: { evalIds: ['{{definition.id}}', UNKNOWN] },
    status: 404,
    contains: MESSAGE,
    after: { request: 'GET /v0/definitions?taskId={{task.id}}', contains: { data: [] } },
  },
  {
    name: 'the same definition may be named twice, in capitals too',
    line: 'LinkApplication.evalIds',
    given: ['definition'],
    request: 'POST /v0/definitions/link-application',
    body: { evalIds: ['{{definition.id}}', '{{definition.id|upper}}'] },
    status: 204,
  },
  {
    name: 'what is linked to the application applies to all its tasks, those to come too',
    line: ['LinkApplication.effect', 'States.linked to the application applies to all tasks'],
    given: [
      'definition',
      { request: 'POST /v0/definitions/link-application', body: { evalIds: ['{{definition.id}}'] } },
      'task',
    ],
    request: 'GET /v0/definitions?taskId={{task.id}}',
    status: 200,
    contains: { data: [{ id: '{{definition.id}}', topics: [] }] },
  },
  {
    name: 'what is unlinked applies no longer',
    line: 'LinkApplication.unlink',
    given: [
      'definition',
      'task',
      { request: 'POST /v0/definitions/link-application', body: { evalIds: ['{{definition.id}}'] } },
    ],
    request: 'POST /v0/definitions/unlink-application',
    body: { evalIds: ['{{definition.id}}'] },
    status: 204,
    after: { request: 'GET /v0/definitions?taskId={{task.id}}', contains: { data: [] } },
  },
];
