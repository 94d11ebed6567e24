import type { Step } from './case.ts';

const AT = '2026-03-01T12:00:00.000Z';

const move = (status: string): Step => ({
  request: 'PUT /v0/quickstarts/{{quickstart.id}}',
  body: { status },
});

export type PieceName = keyof typeof PIECE_STEPS;

/** Pieces of a world: each makes the records it is named after, and those they need. */
const PIECE_STEPS = {
  key: [{ as: 'key', request: 'POST /v0/api-keys', body: { name: 'CI' } }],
  reader: [{ as: 'reader', request: 'POST /v0/api-keys', body: { name: 'Reader', scopes: ['read'] } }],
  tag: [{ as: 'tag', request: 'POST /v0/tags', body: { name: 'Urgent' } }],
  topic: [{ as: 'topic', request: 'POST /v0/topics', body: { title: 'Billing' } }],
  task: [
    {
      as: 'task',
      request: 'POST /v0/tasks',
      body: { title: 'Capital', type: 'STATIC', inputExamples: ['Capital of France?', 'Capital of Peru?'] },
    },
  ],
  definition: [
    {
      as: 'definition',
      request: 'POST /v0/definitions',
      body: { name: 'Kind', type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' } },
    },
  ],
  document: [
    {
      as: 'document',
      request: 'POST /v0/documents',
      body: {
        title: 'Refunds',
        content: 'Within 14 days. No questions.',
        type: 'KNOWLEDGE',
        assignee: 'ann',
      },
    },
  ],
  draftVersion: [
    'document',
    {
      as: 'version',
      request: 'POST /v0/documents/{{document.id}}/versions',
      body: { content: 'Within 30 days.' },
    },
  ],
  scrapeJob: [
    {
      as: 'scrapeJob',
      request: 'POST /v0/scrape-jobs',
      body: { name: 'Help', url: '{{app}}/200/help', maxDepth: 0 },
    },
  ],
  scraped: [
    'scrapeJob',
    { request: 'GET /v0/scrape-jobs/{{scrapeJob.id}}', until: { data: { status: 'COMPLETED' } } },
    { as: 'found', request: 'GET /v0/documents' },
  ],
  step: [
    {
      as: 'step',
      request: 'POST /v0/inference-steps',
      body: { type: 'LLM', externalId: 'answer', title: 'Answer' },
    },
  ],
  experiment: [
    'task',
    'step',
    {
      as: 'experiment',
      request: 'POST /v0/experiments',
      body: { title: 'Models', taskIds: ['{{task.id}}'], inferenceStepIds: ['{{step.id}}'] },
    },
  ],
  variant: [
    'experiment',
    {
      as: 'variant',
      request: 'POST /v0/experiments/{{experiment.id}}/variants',
      body: { title: 'Now', configPatch: { answer: { model: 'small', max_output_tokens: 200 } } },
    },
  ],
  webhook: [{ as: 'webhook', request: 'POST /v0/webhook', body: { url: '{{app}}/200/{{application.id}}' } }],
  sample: [
    'webhook',
    { request: 'POST /v0/webhook/test' },
    { as: 'received', received: true },
    { as: 'deliveries', request: 'GET /v0/webhook/deliveries' },
  ],
  trace: [
    {
      as: 'sent',
      request: 'POST /v0/ingest',
      body: { events: [{ type: 'trace', timestamp: AT, input: 'Hello', output: 'Hi' }] },
    },
    { as: 'trace', request: 'GET /v0/traces/{{sent.0.id}}' },
  ],
  started: [
    'webhook',
    'task',
    {
      as: 'started',
      request: 'POST /v0/tasks/trigger',
      headers: { prefer: 'return=representation' },
      body: { taskIds: ['{{task.id}}'] },
    },
  ],
  /** A test that went well, and its trace. */
  test: [
    'started',
    { as: 'received', received: true },
    {
      as: 'sent',
      request: 'POST /v0/ingest',
      body: {
        events: [
          {
            type: 'trace',
            timestamp: AT,
            testId: '{{received.json.testId}}',
            input: '{{received.json.prompt}}',
            output: 'Paris',
          },
        ],
      },
    },
    {
      as: 'test',
      request: 'GET /v0/tests/{{received.json.testId}}',
      until: { test: { status: 'COMPLETED' } },
    },
    { as: 'trace', request: 'GET /v0/traces/{{sent.0.id}}' },
    { as: 'run', request: 'GET /v0/runs/{{test.runId}}' },
  ],
  /** The same with a verdict on it. */
  eval: [
    'task',
    {
      as: 'definition',
      request: 'POST /v0/definitions',
      body: {
        name: 'Right',
        type: 'ASSERT',
        globalConfig: { assertions: [{ type: 'contains', value: 'Paris' }] },
      },
    },
    {
      request: 'POST /v0/definitions/link',
      body: { evalIds: ['{{definition.id}}'], taskIds: ['{{task.id}}'] },
    },
    'test',
    { as: 'evals', request: 'GET /v0/evals' },
  ],
  /** Of tests that have failed, so that nothing changes any more. */
  threeRuns: [
    { request: 'POST /v0/webhook', body: { url: '{{app}}/500/{{application.id}}' } },
    'task',
    ...['first', 'second', 'third'].map(
      (as): Step => ({
        as,
        request: 'POST /v0/tasks/trigger',
        headers: { prefer: 'return=representation' },
        body: { taskIds: ['{{task.id}}'] },
      }),
    ),
    { request: 'GET /v0/tests?status=FAILED', until: { pagination: { total: 3 } } },
    { as: 'earliest', request: 'GET /v0/runs/{{first.0.runId}}' },
    { as: 'middle', request: 'GET /v0/runs/{{second.0.runId}}' },
    { as: 'latest', request: 'GET /v0/runs/{{third.0.runId}}' },
  ],
  queue: [{ as: 'queue', request: 'POST /v0/human-annotation-queues', body: { title: 'Weekly' } }],
  queueItem: [
    'queue',
    'trace',
    {
      as: 'queueItem',
      request: 'POST /v0/human-annotation-queue-items',
      body: { queueId: '{{queue.id}}', traceId: '{{trace.id}}' },
    },
  ],
  annotation: [
    'queueItem',
    {
      as: 'annotation',
      request: 'POST /v0/human-annotations',
      body: {
        traceId: '{{trace.id}}',
        verdict: true,
        source: 'REVIEW_QUEUE',
        queueItemId: '{{queueItem.id}}',
        annotatorId: 'ann',
      },
    },
  ],
  /** Four items in this order: completed, expired, pending, pending. */
  queueItems: [
    'annotation',
    ...[
      { name: 'expired', expiresAt: '2020-01-01T00:00:00Z' },
      { name: 'soon', expiresAt: '2090-01-01T00:00:00Z' },
      { name: 'late', expiresAt: '2091-01-01T00:00:00Z' },
    ].flatMap(({ name, expiresAt }): Step[] => [
      {
        as: 'sent',
        request: 'POST /v0/ingest',
        body: { events: [{ type: 'trace', timestamp: AT, input: name }] },
      },
      {
        as: name,
        request: 'POST /v0/human-annotation-queue-items',
        body: { queueId: '{{queue.id}}', traceId: '{{sent.0.id}}', expiresAt },
      },
    ]),
  ],
  quickstart: [{ as: 'quickstart', request: 'POST /v0/quickstarts', body: { name: 'Start' } }],
  styleReview: [
    'quickstart',
    move('TASKS_TOPICS_REVIEW'),
    move('KNOWLEDGE_BASE_REVIEW'),
    move('POLICIES_REVIEW'),
    move('STYLE_REVIEW'),
  ],
  upload: [
    'quickstart',
    {
      as: 'upload',
      request: 'POST /v1/quickstarts/uploads',
      form: { quickstartId: '{{quickstart.id}}', materialType: 'conversations', file: 'input\nHow much?\n' },
    },
    {
      as: 'upload',
      request: 'GET /v1/quickstarts/uploads/{{upload.id}}',
      until: { data: { status: 'COMPLETED' } },
    },
  ],
  /** Three, of one file. */
  conversations: [
    'quickstart',
    {
      as: 'upload',
      request: 'POST /v1/quickstarts/uploads',
      form: { quickstartId: '{{quickstart.id}}', file: 'input,topic\nA?,Shop\nB?,Shop\nC?,Shop\n' },
    },
    {
      request: 'GET /v1/quickstarts/uploads/{{upload.id}}',
      until: { data: { status: 'COMPLETED' } },
    },
  ],
  failedUpload: [
    'quickstart',
    {
      as: 'upload',
      request: 'POST /v1/quickstarts/uploads',
      form: { quickstartId: '{{quickstart.id}}', materialType: 'policy', file: 'nothing\nof use\n' },
    },
    {
      as: 'upload',
      request: 'GET /v1/quickstarts/uploads/{{upload.id}}',
      until: { data: { status: 'FAILED' } },
    },
  ],
} as const satisfies Readonly<Record<string, readonly (Step | string)[]>>;

export const PIECES: Readonly<Record<PieceName, readonly (PieceName | Step)[]>> = PIECE_STEPS;
