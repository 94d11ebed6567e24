/** The webhook test, and what the customer's app is sent. */
import type { Case, Step } from '../case.ts';
import { MESSAGE } from '../records.ts';
import { inAnyOrder, only, UUID } from '../shapes.ts';

const TIMESTAMP = /^\d{13}$/;
const SIGNED_HEADERS = {
  'content-type': /^application\/json/,
  'x-service-signature': /^[0-9a-f]{64}$/,
  'x-service-timestamp': TIMESTAMP,
  'webhook-id': UUID,
  'webhook-timestamp': /^\d{10}$/,
  'webhook-signature': /^v1,/,
  traceparent: /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/,
  baggage: /^service\.test\.id=[0-9a-f-]{36}$/,
} as const;
const hook = (status: number, more: object = {}): Step => ({
  as: 'webhook',
  request: 'POST /v0/webhook',
  body: { url: `{{app}}/${status}/{{application.id}}`, ...more },
});
const failing = (status: number): Case => ({
  name: `an app that answers ${status} fails the webhook test`,
  line: ['TestWebhook.failure', 'Errors.failed webhook test', 'Events.200 is success'],
  given: [hook(status)],
  request: 'POST /v0/webhook/test',
  status: 200,
  contains: only({ success: false, statusCode: status, error: /./ }),
});

export const WEBHOOK_TEST_CASES: readonly Case[] = [
  {
    name: 'an app that answers 200 passes',
    line: ['TestWebhook.effect', 'TestWebhook.success', 'Events.sample', 'Events.200 is success'],
    given: ['webhook'],
    request: 'POST /v0/webhook/test',
    status: 200,
    contains: only({ success: true, statusCode: 200 }),
    received: { method: 'POST', json: only({ prompt: /./, testId: UUID, metadata: only({ sample: true }) }) },
  },
  ...[201, 204, 302, 400, 401, 404, 500, 503].map(failing),
  {
    name: 'an app that does not answer has no status',
    line: ['TestWebhook.no answer', 'TestWebhook.failure'],
    given: [hook(0, { timeoutMs: 1_000 })],
    request: 'POST /v0/webhook/test',
    status: 200,
    contains: only({ success: false, statusCode: 0, error: /./ }),
  },
  {
    name: 'an app that is not there has no status',
    line: 'TestWebhook.no answer',
    given: [{ request: 'POST /v0/webhook', body: { url: 'http://127.0.0.1:9/none' } }],
    request: 'POST /v0/webhook/test',
    status: 200,
    contains: only({ success: false, statusCode: 0, error: /./ }),
  },
  {
    name: 'without a webhook nothing is sent',
    line: 'TestWebhook.effect',
    request: 'POST /v0/webhook/test',
    status: 409,
    contains: MESSAGE,
  },
];

const trigger = (name: string, line: string | readonly string[], more: Partial<Case>): Case => ({
  name,
  line,
  given: ['webhook', 'task'],
  request: 'POST /v0/tasks/trigger',
  body: { taskIds: ['{{task.id}}'] },
  status: 204,
  ...more,
});
const task = (more: object): Step => ({
  as: 'task',
  request: 'POST /v0/tasks',
  body: { title: 'A', type: 'STATIC', inputExamples: ['Capital of France?'], ...more },
});
const RUN_VARIANT = {
  request: 'POST /v0/experiments/{{experiment.id}}/variants/{{variant.id}}/run',
  body: undefined,
  status: 200,
} as const;
const over = (line: string, status: number, code: string): Case =>
  trigger(`an app that answers ${status} fails the test`, line, {
    given: [hook(status), 'task'],
    after: {
      request: 'GET /v0/tests?taskId={{task.id}}',
      until: true,
      contains: { data: [{ status: 'FAILED', failure: { code } }] },
    },
  });

export const OUTBOUND_CASES: readonly Case[] = [
  trigger(
    'a test is a POST that is signed',
    [
      'Events.POST',
      'Events.x-service-signature',
      'Events.x-service-timestamp',
      'Events.started by hand',
      'Webhook.prompt',
      'Webhook.testId',
    ],
    {
      received: {
        method: 'POST',
        headers: SIGNED_HEADERS,
        json: { prompt: 'Capital of France?', testId: UUID },
      },
    },
  ),
  trigger('the signature covers the body as it was sent', 'Events.signature covers the body', {
    given: ['webhook', task({ metadata: { text: 'Grüße 😀', number: 1.5e-7, empty: {} } })],
    received: { signature: { isOfService: true, isStandard: true } },
  }),
  trigger('after a rotation the body is signed with the new secret', 'Events.signature covers the body', {
    given: ['webhook', { as: 'webhook', request: 'POST /v0/webhook/rotate-secret' }, 'task'],
    received: { signature: { isOfService: true, isStandard: true } },
  }),
  trigger('a task without metadata sends none', ['Webhook.no metadata', 'Webhook.no experiment'], {
    received: { json: only({ prompt: 'Capital of France?', testId: UUID }) },
  }),
  trigger('the metadata of the task goes along', ['Webhook.metadata', 'Webhook.more fields'], {
    given: ['webhook', task({ metadata: { tier: 'gold', nested: { list: [1, null, 'ü'] } } })],
    received: {
      json: only({
        prompt: 'Capital of France?',
        testId: UUID,
        metadata: only({ tier: 'gold', nested: { list: [1, null, 'ü'] } }),
      }),
    },
  }),
  trigger(
    'a prompt that is an object goes as its JSON text and as the object',
    ['Webhook.more fields', 'Versioning.webhook may gain fields'],
    {
      given: [
        'webhook',
        task({ inputExamples: ['{"city":"Paris"}'], simulatedPromptSchema: { type: 'object' } }),
      ],
      received: { json: { prompt: '{"city":"Paris"}', promptObject: { city: 'Paris' } } },
    },
  ),
  trigger('each test has an id of its own', 'Webhook.testId is unique', {
    headers: { prefer: 'return=representation' },
    body: { taskIds: ['{{task.id}}'], repeat: 2 },
    status: 200,
    contains: { data: [{ testIds: [UUID, UUID] }] },
    after: { request: 'GET /v0/tests?taskId={{task.id}}', contains: { pagination: { total: 2 } } },
  }),
  trigger('a variant sends its overrides', ['Webhook.*', 'Events.overrides by step'], {
    ...RUN_VARIANT,
    given: ['webhook', 'variant'],
    received: {
      json: only({
        prompt: 'Capital of France?',
        testId: UUID,
        experiment: only({
          experimentId: '{{experiment.id}}',
          experimentVariantId: '{{variant.id}}',
          overrides: only({ answer: only({ model: 'small', max_output_tokens: 200 }) }),
        }),
      }),
    },
  }),
  trigger('the trace of a variant comes as any other', 'Events.trace ingestion unchanged', {
    given: ['webhook', 'variant', { request: RUN_VARIANT.request }, { as: 'received', received: true }],
    request: 'POST /v0/ingest',
    body: {
      events: [{ type: 'trace', timestamp: '2026-03-01T12:00:00Z', testId: '{{received.json.testId}}' }],
    },
    status: 200,
    after: {
      request: 'GET /v0/tests/{{received.json.testId}}',
      until: true,
      contains: { test: { status: 'COMPLETED', experimentVariantId: '{{variant.id}}' } },
    },
  }),
  trigger('configured headers go along', 'Events.POST', {
    given: [hook(200, { headers: { 'X-Team': 'blue' } }), 'task'],
    received: { headers: { 'x-team': 'blue' } },
  }),
  ...[201, 400, 401, 500].map((status) =>
    over('States.an answer but 200 fails the test', status, 'webhook_status'),
  ),
  over('Events.refused by the app', 403, 'webhook_status'),
  {
    name: 'a test whose trace comes is completed',
    line: ['Events.trace by ingest', 'Ingest.called after a test', 'Events.200 is success'],
    given: ['test'],
    request: 'GET /v0/tests/{{received.json.testId}}',
    status: 200,
    contains: {
      test: {
        status: 'COMPLETED',
        phase: 'done',
        failure: null,
        traceIds: inAnyOrder(UUID, '{{trace.id}}'),
        input: 'Capital of France?',
        output: 'Paris',
      },
    },
  },
  trigger('a test whose trace does not come fails', 'Events.trace by ingest', {
    on: 'impatient',
    after: {
      request: 'GET /v0/tests?taskId={{task.id}}',
      until: true,
      contains: { data: [{ status: 'FAILED', failure: { code: 'trace_missing' } }] },
    },
  }),
  trigger('without a webhook a test fails', 'States.an answer but 200 fails the test', {
    given: ['task'],
    after: {
      request: 'GET /v0/tests?taskId={{task.id}}',
      until: true,
      contains: {
        data: [{ status: 'FAILED', failure: { code: 'webhook_not_configured', message: /./, hint: /./ } }],
      },
    },
  }),
];
