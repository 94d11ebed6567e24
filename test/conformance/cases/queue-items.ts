import type { Case } from '../case.ts';
import { listCases } from '../lists.ts';
import { page, QUEUE_ITEM, UNKNOWN, invalid } from '../records.ts';
import { inAnyOrder, only, TIME } from '../shapes.ts';

const filter = (line: string, query: string, names: readonly string[]): Case => ({
  name: `${query} answers ${names.join(', ') || 'nothing'}`,
  line,
  given: ['queueItems'],
  request: `GET /v0/human-annotation-queue-items?${query}`,
  status: 200,
  contains: {
    data: inAnyOrder(...names.map((name) => ({ id: `{{${name}.id}}` }))),
    pagination: page(names.length),
  },
});
const wrong = (name: string, value: string, code: string): Case => ({
  name: `the ${name} ${value} is invalid`,
  line: `ListQueueItems.filter ${name}`,
  request: `GET /v0/human-annotation-queue-items?${name}=${value}`,
  status: 422,
  contains: invalid([[name, '0'], code]),
});
const [QUEUE, COMPLETION, TRACE] = ['queueId', 'completion', 'traceId'].map(
  (name) => `ListQueueItems.filter ${name}`,
) as [string, string, string];

export const QUEUE_ITEM_CASES: readonly Case[] = [
  {
    name: 'an item that waits has no completedAt',
    line: ['QueueItem.*', 'ListQueueItems.answer', 'Pagination.totalCount nowhere else'],
    given: ['queueItem'],
    request: 'GET /v0/human-annotation-queue-items',
    status: 200,
    contains: only({
      data: [{ ...QUEUE_ITEM, id: '{{queueItem.id}}', traceId: '{{trace.id}}', completedAt: null }],
      pagination: page(1),
    }),
  },
  {
    name: 'an item that was judged has one',
    line: 'QueueItem.completedAt',
    given: ['annotation'],
    request: 'GET /v0/human-annotation-queue-items',
    status: 200,
    contains: { data: [{ ...QUEUE_ITEM, completedAt: TIME }] },
  },
  {
    name: 'an item expires on request',
    line: 'QueueItem.expiresAt',
    given: ['queue', 'trace'],
    request: 'POST /v0/human-annotation-queue-items',
    body: { queueId: '{{queue.id}}', traceId: '{{trace.id}}', expiresAt: '2090-05-06T07:08:09.120Z' },
    status: 201,
    contains: { data: { expiresAt: '2090-05-06T07:08:09.120Z' } },
  },
  ...['2090-05-06T07:08:09', '2090-05-06', '2090-13-06T07:08:09Z', 'soon'].map(
    (expiresAt): Case => ({
      name: `${expiresAt} is no date-time`,
      line: ['Conventions.date-time', 'QueueItem.expiresAt'],
      given: ['queue', 'trace'],
      request: 'POST /v0/human-annotation-queue-items',
      body: { queueId: '{{queue.id}}', traceId: '{{trace.id}}', expiresAt },
      status: 422,
      contains: invalid([['expiresAt'], 'invalid_string']),
    }),
  ),
  ...[
    '2090-05-06T07:08:09Z',
    '2090-05-06T09:08:09+02:00',
    '2090-05-06T07:08:09.1Z',
    '2090-05-06T07:08:09.123456789Z',
  ].map(
    (expiresAt): Case => ({
      name: `${expiresAt} is a date-time`,
      line: 'Conventions.date-time',
      given: ['queue', 'trace'],
      request: 'POST /v0/human-annotation-queue-items',
      body: { queueId: '{{queue.id}}', traceId: '{{trace.id}}', expiresAt },
      status: 201,
      contains: { data: { expiresAt: /^2090-05-06T07:08:09\.\d{3}Z$/ } },
    }),
  ),
  ...listCases({
    path: '/v0/human-annotation-queue-items',
    section: 'ListQueueItems',
    given: ['queueItems'],
    total: 4,
    fields: ['createdAt', 'completedAt', 'expiresAt', 'traceId', 'id'],
  }),
  filter(QUEUE, 'queueId={{queue.id}}', ['queueItem', 'expired', 'soon', 'late']),
  filter(QUEUE, `queueId=${UNKNOWN}`, []),
  filter(QUEUE, `queueId=${UNKNOWN},{{queue.id}}`, ['queueItem', 'expired', 'soon', 'late']),
  wrong('queueId', 'x', 'invalid_string'),
  filter(TRACE, 'traceId={{soon.traceId}}', ['soon']),
  filter(TRACE, 'traceId={{soon.traceId|upper}}', ['soon']),
  filter(TRACE, 'traceId={{soon.traceId|hex}}', ['soon']),
  filter(TRACE, 'traceId={{soon.traceId}}&traceId={{late.traceId}}', ['soon', 'late']),
  filter(TRACE, `traceId=${UNKNOWN}`, []),
  wrong('traceId', 'x', 'invalid_string'),
  filter(COMPLETION, 'completion=COMPLETED', ['queueItem']),
  filter(COMPLETION, 'completion=EXPIRED', ['expired']),
  filter(COMPLETION, 'completion=PENDING', ['soon', 'late']),
  filter('States.queue item', 'completion=ACTIVE', ['queueItem', 'soon', 'late']),
  filter(COMPLETION, 'completion[]=EXPIRED&completion[]=COMPLETED', ['queueItem', 'expired']),
  filter(COMPLETION, 'completion=PENDING&traceId={{soon.traceId}}', ['soon']),
  wrong('completion', 'DONE', 'invalid_enum_value'),
];
