import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import type { Call } from '../../storage/operations.ts';
import type { traceQueries } from '../../traces/operations.ts';
import { countedPagination } from '../traces/trace-record.ts';
import { timeRange } from '../traces/contract.ts';
import { session, sessionPath, sessionsQuery, sessionWithTraces } from './contract.ts';

export function sessionRoutes({ read }: { read: Call<typeof traceQueries> }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v0/sessions',
      summary: 'List sessions',
      description:
        'Conversations: all traces of one session id together, the latest first; texts are cut short.',
      scope: 'read',
      query: sessionsQuery,
      response: 'bytes',
      documents: { response: z.object({ data: z.array(session), pagination: countedPagination }) },
      status: 200,
      handler: ({ scope, query }) => {
        const { skip, limit, orderBy, orderDir, userId, search } = query;
        const filter = { userId, search, ...timeRange(query) };
        return read('listSessions', { ...ownerOf(scope), filter, skip, limit, orderBy, orderDir });
      },
    }),
    route({
      method: 'GET',
      path: '/v0/sessions/{id}',
      summary: 'Get a session',
      description:
        'With its first 1000 traces in order of time, without their steps. All of them: `GET /v0/traces?sessionId=`.',
      scope: 'read',
      params: sessionPath,
      response: 'bytes',
      documents: { response: z.object({ data: sessionWithTraces }) },
      status: 200,
      errors: ['not_found'],
      handler: async ({ scope, params }) => {
        const found = await read('readSession', { ...ownerOf(scope), id: params.id });
        if (found === null) throw new AppError('not_found', 'session not found');
        return found;
      },
    }),
  ];
}
