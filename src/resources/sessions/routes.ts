import { z } from 'zod';
import { AT, ID, owner, page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { requestedFilter } from '../../filter/query.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { listSessions, readSession } from '../../traces/calls.ts';
import { exampleListedTrace } from '../traces/example.ts';
import { countedPagination, searched } from '../traces/trace-record.ts';
import { timeRange } from '../traces/contract.ts';
import { session, sessionPath, sessionsQuery, sessionWithTraces } from './contract.ts';

const exampleSession: z.input<typeof session> = {
  id: 'conversation-7',
  ...owner,
  userIds: ['ada'],
  traceCount: 1,
  firstAt: AT,
  lastAt: AT,
  durationMs: 1180.25,
  usage: { promptTokens: 212, completionTokens: 9, totalTokens: 221 },
  cost: 0.00062,
  errorCount: 0,
  models: ['gpt-4o'],
  input: exampleListedTrace.input,
  output: exampleListedTrace.output,
  lastTraceId: ID.trace,
  testIds: [ID.test],
};

export function sessionRoutes({ read, now }: Pick<StoreCalls, 'read' | 'now'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v0/sessions',
      operationId: 'listSessions',
      group: 'Sessions',
      summary: 'List sessions',
      description:
        'A session is a conversation: all traces with the same session id. Latest first. Texts are truncated. `q` finds the sessions with a trace for which all terms hold.',
      scope: 'read',
      query: sessionsQuery,
      response: 'bytes',
      documents: {
        response: z.object({
          data: z.array(session),
          pagination: countedPagination,
          searched: searched.optional(),
        }),
      },
      example: { response: page([exampleSession]) },
      handler: ({ principal, query }) => {
        const { skip, limit, orderBy, orderDir, userId, search } = query;
        const q = requestedFilter(query.q, 'sessions', now());
        const filter = { userId, search, q, seenBy: seenBy(principal, now()), ...timeRange(query) };
        return read(listSessions, { ...ownerOf(principal), filter, skip, limit, orderBy, orderDir });
      },
    }),
    route({
      method: 'GET',
      path: '/v0/sessions/{id}',
      operationId: 'getSession',
      group: 'Sessions',
      summary: 'Get a session',
      description:
        'Includes its first 1000 traces in order of time, without their steps. `GET /v0/traces?sessionId=` lists all of them.',
      scope: 'read',
      params: sessionPath,
      response: 'bytes',
      documents: { response: z.object({ data: sessionWithTraces }) },
      example: {
        response: { data: { ...exampleSession, traces: [exampleListedTrace], tracesTruncated: false } },
      },
      errors: ['not_found'],
      handler: async ({ principal, params }) => {
        const found = await read(readSession, { ...ownerOf(principal), id: params.id });
        if (found === null) throw new AppError('not_found', 'session not found');
        return found;
      },
    }),
  ];
}
