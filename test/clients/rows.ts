/** Calls that succeed only in a situation of their own, as rows of the conformance suite. */
import type { Case, Step } from '../conformance/case.ts';

const EMAIL = 'ada.{{application.id}}@example.com';
const PASSWORD = 'correct horse battery';
const ANOTHER_PASSWORD = 'another long password';
const BROWSER = { 'x-api-key': null, cookie: '{{cookie.value}}', 'x-csrf': '{{login.csrf}}' } as const;
const EXAMPLE_DATA = '/v0/applications/{{application.id}}/example-data';
const NEW_ACCOUNT = { token: '{{invited.link|token}}', name: 'Ada', password: PASSWORD };

const invited: Step = {
  as: 'invited',
  whole: true,
  request: 'POST /v0/applications/{{application.id}}/invitations',
  body: { email: EMAIL, role: 'editor' },
};
const signedIn: readonly Step[] = [
  invited,
  { as: 'login', request: 'POST /v0/login/invitation', body: NEW_ACCOUNT },
];

const newIssue: Step = {
  as: 'issue',
  request: 'POST /v0/issues',
  body: { source: 'API', title: 'Promises a refund' },
};
const WITHOUT_EVIDENCE = { withoutEvidence: true, reason: 'The prompt was changed.' };

export const ROWS: readonly Omit<Case, 'name'>[] = [
  { request: 'POST /v0/login', body: { apiKey: '{{apiKey.key}}' }, status: 200 },
  { given: [invited], request: 'POST /v0/login/invitation', body: NEW_ACCOUNT, status: 200 },
  {
    given: [...signedIn, { as: 'link', linkFor: EMAIL }],
    request: 'POST /v0/login/setup',
    body: { token: '{{link.token}}', name: 'Ada', email: EMAIL, password: ANOTHER_PASSWORD },
    status: 200,
  },
  { given: signedIn, request: 'GET /v0/login', headers: BROWSER, status: 200 },
  { given: signedIn, request: 'GET /v0/logins', headers: BROWSER, status: 200 },
  {
    given: signedIn,
    request: 'PUT /v0/login/password',
    headers: BROWSER,
    body: { currentPassword: PASSWORD, newPassword: ANOTHER_PASSWORD },
    status: 200,
  },
  { given: signedIn, request: 'DELETE /v0/login', headers: BROWSER, status: 204 },
  { given: signedIn, request: 'DELETE /v0/logins', headers: BROWSER, status: 200 },
  {
    given: [...signedIn, { as: 'logins', request: 'GET /v0/logins', headers: BROWSER }],
    request: 'DELETE /v0/logins/{{logins.0.id}}',
    headers: BROWSER,
    status: 204,
  },
  { request: `POST ${EXAMPLE_DATA}`, status: 202 },
  {
    given: [
      { request: `POST ${EXAMPLE_DATA}` },
      { request: `GET ${EXAMPLE_DATA}`, until: { data: { status: 'READY' } } },
    ],
    request: `DELETE ${EXAMPLE_DATA}`,
    status: 202,
  },
  {
    given: ['variant'],
    request: 'POST /v0/experiments/{{experiment.id}}/variants',
    body: { title: 'New', parentId: '{{variant.id}}', configPatch: { answer: { model: 'large' } } },
    status: 201,
  },
  {
    given: ['webhook', 'variant'],
    request: 'POST /v0/experiments/{{experiment.id}}/variants/{{variant.id}}/run',
    status: 200,
  },
  {
    given: ['queue', 'trace'],
    request: 'POST /v0/human-annotation-queue-items',
    body: { queueId: '{{queue.id}}', traceId: '{{trace.id}}' },
    status: 201,
  },
  {
    given: ['queue', 'trace'],
    request: 'POST /v0/human-annotation-queue-items/bulk',
    body: { queueId: '{{queue.id}}', selection: { ids: ['{{trace.id}}'] } },
    status: 200,
  },
  {
    given: ['queueItem'],
    request: 'POST /v0/human-annotation-queues/{{queue.id}}/next',
    body: {},
    status: 200,
  },
  {
    given: [
      'queueItem',
      { as: 'next', request: 'POST /v0/human-annotation-queues/{{queue.id}}/next', body: {} },
    ],
    request: 'PUT /v0/human-annotation-queue-items/{{queueItem.id}}/lease',
    body: { token: '{{next.lease.token}}' },
    status: 200,
  },
  {
    given: ['queueItem'],
    request: 'DELETE /v0/human-annotation-queue-items/{{queueItem.id}}/lease',
    status: 204,
  },
  {
    given: ['queueItem'],
    request: 'POST /v0/human-annotation-queue-items/{{queueItem.id}}/unblind',
    status: 204,
  },
  {
    given: ['task', 'trace'],
    request: 'POST /v0/tasks/{{task.id}}/examples/from-traces',
    body: { selection: { ids: ['{{trace.id}}'] } },
    status: 200,
  },
  {
    given: [
      'trace',
      {
        as: 'issue',
        request: 'POST /v0/issues',
        body: { source: 'API', title: 'Promises a refund', traceId: '{{trace.id}}' },
      },
      { as: 'links', request: 'GET /v0/issues/{{issue.id}}/occurrences' },
    ],
    request: 'DELETE /v0/issues/{{issue.id}}/links/{{links.0.id}}',
    status: 204,
  },
  {
    given: [newIssue],
    request: 'POST /v0/issues/{{issue.id}}/draft-evaluator',
    body: { dryRun: true },
    status: 200,
  },
  {
    given: [
      'definition',
      {
        as: 'issue',
        request: 'POST /v0/issues',
        body: { source: 'API', title: 'Promises a refund', evalDefinitionId: '{{definition.id}}' },
      },
    ],
    request: 'POST /v0/issues/{{issue.id}}/measure-evaluator',
    body: { dryRun: true },
    status: 200,
  },
  {
    given: [newIssue],
    request: 'POST /v0/issues/{{issue.id}}/resolve',
    body: WITHOUT_EVIDENCE,
    status: 200,
  },
  {
    given: [newIssue, { request: 'POST /v0/issues/{{issue.id}}/resolve', body: WITHOUT_EVIDENCE }],
    request: 'POST /v0/issues/{{issue.id}}/reopen',
    body: {},
    status: 200,
  },
  {
    given: [newIssue],
    request: 'POST /v0/issues/{{issue.id}}/reject',
    body: { reason: 'The answer is right.' },
    status: 200,
  },
  {
    request: 'POST /v0/inference-steps',
    body: { type: 'LLM', externalId: 'answer', title: 'Answer' },
    status: 201,
  },
  {
    given: [
      {
        as: 'scrapeJob',
        request: 'POST /v0/scrape-jobs',
        body: { name: 'Help', url: '{{app}}/0/help', maxDepth: 0 },
      },
    ],
    request: 'POST /v0/scrape-jobs/{{scrapeJob.id}}/cancel',
    status: 200,
  },
  {
    given: ['webhook', 'task'],
    request: 'POST /v0/tasks/trigger',
    headers: { prefer: 'return=representation' },
    body: { taskIds: ['{{task.id}}'] },
    status: 200,
  },
  {
    given: [
      'webhook',
      'task',
      {
        as: 'runSet',
        request: 'POST /v0/run-sets',
        body: { taskIds: ['{{task.id}}'], untilSure: { batch: 1 } },
      },
      { as: 'tests', request: 'GET /v0/tests?runId={{runSet.runIds.0}}' },
      { request: 'POST /v0/tests/{{tests.0.id}}/cancel' },
    ],
    request: 'POST /v0/run-sets/{{runSet.id}}/continue',
    status: 200,
  },
  {
    given: [
      'webhook',
      'task',
      { as: 'runSet', request: 'POST /v0/run-sets', body: { taskIds: ['{{task.id}}'] } },
    ],
    request: 'POST /v0/run-sets/{{runSet.id}}/cancel',
    status: 200,
  },
  { given: ['started'], request: 'POST /v0/tests/{{started.0.testIds.0}}/cancel', status: 200 },
  {
    given: ['sample'],
    request: 'POST /v0/webhook/deliveries/{{deliveries.0.id}}/replay',
    status: 200,
  },
  {
    given: ['webhook', { as: 'relayed', relayed: { request: 'POST /v0/webhook/test' } }],
    request: 'POST /v0/webhook/listen/{{relayed.id}}',
    body: { status: 202, body: 'later' },
    status: 204,
  },
  {
    given: ['quickstart'],
    request: 'POST /v1/quickstarts/uploads',
    form: { quickstartId: '{{quickstart.id}}', materialType: 'conversations', file: 'input\nHow much?\n' },
    status: 201,
  },
  {
    given: ['quickstart'],
    request: 'PUT /v0/quickstarts/{{quickstart.id}}',
    body: { name: 'Another' },
    status: 200,
  },
  {
    given: ['draftVersion'],
    request: 'PUT /v0/documents/{{document.id}}/versions/2',
    body: { status: 'REVIEW' },
    status: 200,
  },
  {
    given: ['task'],
    request: 'PUT /v0/tasks/{{task.id}}/schedule',
    body: { criticality: 'HIGH' },
    status: 200,
  },
  { given: ['task'], request: 'DELETE /v0/tasks/{{task.id}}', status: 204 },
];
