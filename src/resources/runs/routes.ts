import PQueue from 'p-queue';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Call } from '../../storage/operations.ts';
import type { compareQueries } from './compare.ts';
import { compareBody, comparison, MAX_COMPARED_TESTS } from './compare-contract.ts';
import { run, runsQuery } from './contract.ts';
import type { runQueries } from './store.ts';

/** Comparisons that wait for others, of all applications. */
const MAX_WAITING = 32;

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

/** One at a time: it may take seconds, in which the other readers answer everything else. */
export function compareRoutes({ read }: { read: Call<typeof compareQueries> }): Route[] {
  const queue = new PQueue({ concurrency: 1 });
  return [
    route({
      method: 'POST',
      path: '/v0/runs/compare',
      summary: 'Compare runs or variants',
      description: `How much more often the tests of each candidate pass than those of the baseline, over the tasks and input examples that both were tested with, and how sure that is. At most ${MAX_COMPARED_TESTS} tests in all. Where each of these has one test on a side, which passed or failed as a whole, the p value is McNemar’s and the interval Newcombe’s for pairs; else both come from a bootstrap that draws whole tasks, or, where these are too few for that, from Newcombe’s interval for independent tests.`,
      scope: 'read',
      body: compareBody,
      response: z.object({ data: comparison }),
      status: 200,
      errors: ['not_found', 'too_large'],
      handler: async ({ scope: { application }, body }) => {
        if (queue.size >= MAX_WAITING)
          throw new AppError('unavailable', 'too many comparisons wait; send again');
        return { data: await queue.add(() => read('compareRuns', { application, body })) };
      },
    }),
  ];
}
