/** Sessions. */
import type { Case, Step } from '../../case.ts';
import { MESSAGE, page } from '../../records.ts';
import { listOf, NUMBER, only, orNull, UUID } from '../../shapes.ts';

const at = (second: number): string => `2026-03-01T12:00:0${second}.000Z`;
const sent = (referenceId: string, second: number): object => ({
  type: 'trace',
  timestamp: at(second),
  input: `question ${second}`,
  output: `answer ${second}`,
  referenceId,
});
const TALKS: Step = {
  request: 'POST /v0/ingest',
  body: { events: [sent('talk/1', 1), sent('talk/1', 3), sent('talk/2', 2)] },
};
const SESSION = {
  id: 'talk/1',
  orgId: '{{application.orgId}}',
  applicationId: '{{application.id}}',
  userIds: [],
  traceCount: 2,
  firstAt: at(1),
  lastAt: at(3),
  durationMs: NUMBER,
  usage: only({ promptTokens: 0, completionTokens: 0, totalTokens: 0 }),
  cost: orNull(NUMBER),
  errorCount: 0,
  models: [],
  input: 'question 1',
  output: 'answer 3',
  lastTraceId: UUID,
  testIds: [],
} as const;

export const SESSIONS: readonly Case[] = [
  {
    name: 'sessions are listed, the one that went on last first',
    given: [TALKS],
    request: 'GET /v0/sessions',
    status: 200,
    contains: only({ data: [only(SESSION), { id: 'talk/2' }], pagination: page(2) }),
  },
  {
    name: 'a session is shown with its traces, in order',
    line: 'Session.*',
    given: [TALKS],
    request: 'GET /v0/sessions/talk%2F1',
    status: 200,
    contains: only({
      data: only({
        ...SESSION,
        traces: listOf({ id: UUID, sessionId: 'talk/1' }),
        tracesTruncated: false,
      }),
    }),
  },
  { name: 'a session that nobody had', request: 'GET /v0/sessions/none', status: 404, contains: MESSAGE },
  {
    name: 'a session is judged as a conversation',
    given: [TALKS],
    request: 'POST /v0/sessions/talk%2F1/evaluate',
    body: {},
    status: 200,
    contains: only({ data: only({ traceId: UUID, evals: 0 }) }),
  },
  ...(
    [
      ['search=TALK', 2],
      ['search=talk/2', 1],
      ['userId=ann', 0],
      [`startDate=${at(3)}`, 1],
      [`endDate=${at(1)}`, 1],
      [`startDate=${at(2)}&endDate=${at(2)}&search=talk`, 1],
    ] as const
  ).map(
    ([query, total]): Case => ({
      name: `sessions with ${query}`,
      given: [TALKS],
      request: `GET /v0/sessions?${query}`,
      status: 200,
      contains: { pagination: page(total) },
    }),
  ),
];
