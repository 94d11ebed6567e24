import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { evaluation, evalsQuery, listedEval } from './contract.ts';
import type { evalQueries } from './store.ts';

export const evalRoutes = ({ read }: { read: Call<typeof evalQueries> }): Route[] => [
  route({
    method: 'GET',
    path: '/v0/evals',
    summary: 'List evals',
    description:
      'An eval is one definition applied to one test, or to one trace without a test. Lists show it without `results` and `judge`.',
    scope: 'read',
    query: evalsQuery,
    response: z.object({ data: z.array(listedEval), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listEvals', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/evals/{id}',
    summary: 'Get an eval',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: z.object({ data: evaluation }),
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getEval', { owner: ownerOf(scope), id }),
    }),
  }),
];
