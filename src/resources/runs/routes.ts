import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { ownerOf } from '../traces/contract.ts';
import { run, runsQuery } from './contract.ts';
import type { runQueries } from './store.ts';

export const runRoutes = ({ read }: { read: Call<typeof runQueries> }): Route[] => [
  route({
    method: 'GET',
    path: '/v0/runs',
    summary: 'List runs',
    description: 'A run is the tests that one trigger started for one task.',
    scope: 'read',
    query: runsQuery,
    response: z.object({ data: z.array(run), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listRuns', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/runs/{id}',
    summary: 'Get a run',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: z.object({ run }),
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      run: await read('getRun', { owner: ownerOf(scope), id }),
    }),
  }),
];
