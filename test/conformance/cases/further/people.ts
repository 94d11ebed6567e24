/** Queues, their items, and what people say of traces. */
import type { Case, Step } from '../../case.ts';
import { listCases, missing } from '../../lists.ts';
import { OWNED, QUEUE_ITEM, MESSAGE, invalid, page, UNKNOWN } from '../../records.ts';
import { TIME, only } from '../../shapes.ts';

const QUEUE = only({
  ...OWNED,
  topicId: null,
  title: 'Weekly',
  assigneeId: null,
  pendingCount: 0,
  completedCount: 0,
});
const ANNOTATION = only({
  ...OWNED,
  traceId: '{{trace.id}}',
  verdict: true,
  critique: null,
  correctedOutput: null,
  annotatorId: 'ann',
  source: 'REVIEW_QUEUE',
  queueItemId: '{{queueItem.id}}',
});
const judge = (name: string, body: object, more: Partial<Case>): Case => ({
  name,
  given: ['queueItem'],
  request: 'POST /v0/human-annotations',
  body: { traceId: '{{trace.id}}', verdict: true, source: 'TRACE_PAGE', ...body },
  status: 201,
  ...more,
});

export const PEOPLE: readonly Case[] = [
  {
    name: 'a queue is made',
    line: 'Queue.*',
    request: 'POST /v0/human-annotation-queues',
    body: { title: 'Weekly' },
    status: 201,
    contains: only({ data: QUEUE }),
  },
  {
    name: 'queues are listed',
    given: ['queue'],
    request: 'GET /v0/human-annotation-queues',
    status: 200,
    contains: only({ data: [QUEUE], pagination: page(1) }),
  },
  {
    name: 'a queue counts its items',
    line: 'Queue.pendingCount',
    given: ['queueItems'],
    request: 'GET /v0/human-annotation-queues',
    status: 200,
    contains: { data: [{ pendingCount: 2, completedCount: 1 }] },
  },
  {
    name: 'a queue is read',
    given: ['queue'],
    request: 'GET /v0/human-annotation-queues/{{queue.id}}',
    status: 200,
    contains: only({ data: QUEUE }),
  },
  {
    name: 'a queue is changed',
    given: ['queue'],
    request: 'PUT /v0/human-annotation-queues/{{queue.id}}',
    body: { title: 'Daily', assigneeId: 'ann' },
    status: 200,
    contains: { data: { id: '{{queue.id}}', title: 'Daily', assigneeId: 'ann', topicId: null } },
  },
  {
    name: 'an item is read',
    given: ['queueItem'],
    request: 'GET /v0/human-annotation-queue-items/{{queueItem.id}}',
    status: 200,
    contains: only({ data: { ...QUEUE_ITEM, completedAt: null } }),
  },
  {
    name: 'items are drawn at random',
    given: ['queue', 'trace'],
    request: 'POST /v0/human-annotation-queue-items/draw',
    body: { queueId: '{{queue.id}}', count: 5 },
    status: 201,
    contains: { data: [{ ...QUEUE_ITEM, traceId: '{{trace.id}}', selection: 'RANDOM' }] },
  },
  ...(
    [
      [0, 'too_small'],
      [101, 'too_big'],
    ] as const
  ).map(
    ([count, code]): Case => ({
      name: `${count} items are not drawn`,
      given: ['queue'],
      request: 'POST /v0/human-annotation-queue-items/draw',
      body: { queueId: '{{queue.id}}', count },
      status: 422,
      contains: invalid([['count'], code]),
    }),
  ),
  {
    name: 'an item is put into a queue',
    line: 'QueueItem.*',
    given: ['queue', 'trace'],
    request: 'POST /v0/human-annotation-queue-items',
    body: { queueId: '{{queue.id}}', traceId: '{{trace.id}}' },
    status: 201,
    contains: only({ data: { ...QUEUE_ITEM, completedAt: null } }),
  },
  {
    name: 'a trace waits in a queue once',
    given: ['queueItem'],
    request: 'POST /v0/human-annotation-queue-items',
    body: { queueId: '{{queue.id}}', traceId: '{{trace.id}}' },
    status: 409,
    contains: MESSAGE,
  },
  {
    name: 'an item needs a queue and a trace',
    request: 'POST /v0/human-annotation-queue-items',
    body: {},
    status: 422,
    contains: invalid([['queueId'], 'invalid_type'], [['traceId'], 'invalid_type']),
  },
  judge(
    'a verdict completes its item',
    { source: 'REVIEW_QUEUE', queueItemId: '{{queueItem.id}}', annotatorId: 'ann' },
    {
      line: 'Annotation.*',
      contains: only({ data: ANNOTATION }),
      after: { request: 'GET /v0/human-annotation-queue-items', contains: { data: [{ completedAt: TIME }] } },
    },
  ),
  {
    name: 'verdicts are listed',
    given: ['annotation'],
    request: 'GET /v0/human-annotations',
    status: 200,
    contains: only({ data: [ANNOTATION], pagination: page(1) }),
  },
  {
    name: 'a verdict is read',
    given: ['annotation'],
    request: 'GET /v0/human-annotations/{{annotation.id}}',
    status: 200,
    contains: only({ data: ANNOTATION }),
  },
  {
    name: 'a verdict is changed',
    given: ['annotation'],
    request: 'PUT /v0/human-annotations/{{annotation.id}}',
    body: { verdict: false, critique: 'It names the wrong city.' },
    status: 200,
    contains: { data: { id: '{{annotation.id}}', verdict: false, critique: 'It names the wrong city.' } },
  },
  {
    name: 'a verdict is taken back',
    given: ['annotation'],
    request: 'DELETE /v0/human-annotations/{{annotation.id}}',
    status: 204,
    after: { request: 'GET /v0/human-annotations/{{annotation.id}}', status: 404, contains: MESSAGE },
  },
  ...[
    `GET /v0/human-annotation-queues/${UNKNOWN}`,
    `GET /v0/human-annotation-queue-items/${UNKNOWN}`,
    `GET /v0/human-annotations/${UNKNOWN}`,
  ].map((request) => missing(request as Case['request'])),
  judge(
    'a verdict may be of a trace page',
    {},
    { contains: { data: { source: 'TRACE_PAGE', queueItemId: null } } },
  ),
  judge(
    'a verdict may be of a test page',
    { source: 'TEST_PAGE' },
    { contains: { data: { source: 'TEST_PAGE' } } },
  ),
  judge(
    'what does not pass needs a reason',
    { verdict: false, critique: 'n'.repeat(19) },
    { status: 422, contains: invalid([['critique'], 'too_small']) },
  ),
  judge(
    'what does not pass has a reason of 20 characters',
    { verdict: false, critique: 'n'.repeat(20) },
    { contains: { data: { verdict: false, critique: 'n'.repeat(20) } } },
  ),
  judge(
    'a reason of 2048 characters is taken',
    { critique: 'n'.repeat(2_048) },
    { contains: { data: { verdict: true } } },
  ),
  judge(
    'a reason of 2049 is not',
    { critique: 'n'.repeat(2_049) },
    { status: 422, contains: invalid([['critique'], 'too_big']) },
  ),
  judge(
    'an item goes with the review queue only',
    { queueItemId: '{{queueItem.id}}' },
    { status: 422, contains: { issues: [{ path: ['queueItemId'] }] } },
  ),
  judge('a trace that is not there is not judged', { traceId: UNKNOWN }, { status: 404, contains: MESSAGE }),
  ...listCases({
    path: '/v0/human-annotation-queues',
    given: ['B', 'A', 'B'].map((title) => ({ request: 'POST /v0/human-annotation-queues', body: { title } })),
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'title', 'id'],
  }),
  ...listCases({
    path: '/v0/human-annotations',
    given: [
      'trace',
      ...['ann', 'bob', 'zoe'].map(
        (annotatorId): Step => ({
          request: 'POST /v0/human-annotations',
          body: { traceId: '{{trace.id}}', verdict: true, source: 'TRACE_PAGE', annotatorId },
        }),
      ),
    ],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'id'],
  }),
];
