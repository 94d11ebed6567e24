import { z } from 'zod';
import { page } from '../../contract/example-values.ts';
import { pagination } from '../../contract/paging.ts';
import { readRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { Call } from '../../storage/operations.ts';
import { evalsQuery, evaluation, listedEval } from './contract.ts';
import { exampleListedEval } from './example.ts';
import type { evalQueries } from './store.ts';

export function evalRoutes({ read }: { read: Call<typeof evalQueries> }): Route[] {
  const evals = readRoutes({
    path: '/v0/evals',
    group: 'Evals',
    record: evaluation,
    example: {
      ...exampleListedEval,
      results: { fulfilled: true },
      judge: { model: 'gpt-4o-mini', temperature: 0 },
    },
  });
  return [
    evals.list({
      operationId: 'listEvals',
      summary: 'List evals',
      description:
        'An eval is one definition applied to one test, or to one trace without a test. Lists leave out `results` and `judge`.',
      query: evalsQuery,
      response: z.object({ data: z.array(listedEval), pagination }),
      example: page([exampleListedEval]),
      handler: (args) => read('listEvals', args),
    }),
    evals.get({
      operationId: 'getEval',
      summary: 'Get an eval',
      handler: (args) => read('getEval', args),
    }),
  ];
}
