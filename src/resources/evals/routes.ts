import { z } from 'zod';
import { page } from '../../contract/example-values.ts';
import { pagination } from '../../contract/paging.ts';
import { ownerOf } from '../../contract/owner.ts';
import { readRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { createWithhold } from '../../traces/withheld/withhold.ts';
import { withheld } from '../../contract/withheld.ts';
import type { Read } from '../../storage/calls.ts';
import { getEval, listEvals, listJudgeCalls } from './calls.ts';
import { evalsQuery, evaluation, listedEval } from './contract.ts';
import { exampleListedEval } from './example.ts';
import { exampleJudgeCall, judgeCall } from './judge-calls-contract.ts';

export function evalRoutes({ read, now }: { read: Read; now: () => number }): Route[] {
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
      handler: (args, principal) => read(listEvals, { ...args, seenBy: seenBy(principal, now()) }),
    }),
    evals.get({
      operationId: 'getEval',
      summary: 'Get an eval',
      handler: (args) => read(getEval, args),
    }),
    route({
      method: 'GET',
      path: '/v0/evals/{id}/judge-calls',
      operationId: 'listJudgeCalls',
      group: 'Evals',
      summary: 'List the judge calls of an eval',
      description:
        'Every request to a judge model for this eval, with the complete prompt and the answer. Empty for rules.',
      scope: 'read',
      params: z.object({ id: uuid.describe('The id of the eval.') }),
      response: z.object({ data: z.array(judgeCall), withheld }),
      example: { response: { data: [exampleJudgeCall] } },
      errors: ['not_found'],
      handler: async ({ principal, params: { id } }) => {
        const owner = ownerOf(principal);
        const shown = await createWithhold(read, now)(principal, await read(getEval, { owner, id }));
        return shown.withheld ? { data: [], withheld: true } : read(listJudgeCalls, { owner, id });
      },
    }),
  ];
}
