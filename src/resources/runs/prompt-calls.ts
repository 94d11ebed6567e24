import { z } from 'zod';
import { type ById, ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import type { Call } from '../../storage/operations.ts';
import { runs } from '../../tests/record.ts';
import { modelCallsOf } from '../evals/judge-calls.ts';
import { exampleJudgeCall, judgeCall, type ShownJudgeCall } from '../evals/judge-calls-contract.ts';

/** Returns the calls of the prompt model for a run. Throws `not_found` for the run. */
function listPromptCalls(
  database: Database,
  { owner: { application }, id }: ById,
): { data: ShownJudgeCall[] } {
  runs.requireAll(database, application, [id]);
  return { data: modelCallsOf(database, { application, subjectId: id }) };
}

export const promptCallQueries = { listPromptCalls };

const example: ShownJudgeCall = {
  ...exampleJudgeCall,
  judge: 'promptModel',
  request: {
    system: 'You write prompts that test an application. …',
    inputs: [{ label: 'title of the task', text: 'Returns', length: 7 }],
    leftOut: 0,
    mistake: null,
  },
  raw: '{"prompts":["Can I send back a chair?"]}',
};

export const promptCallsRoute = ({ read }: { read: Call<typeof promptCallQueries> }): Route =>
  route({
    method: 'GET',
    path: '/v0/runs/{id}/prompt-calls',
    operationId: 'listPromptCalls',
    group: 'Runs',
    summary: 'List the calls of the prompt model for a run',
    description:
      'Requests for the prompts of a `NORMAL` task, with the complete prompt, the answer, the tokens and the cost. Prompts that an earlier run with the same seed had written need no call.',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: z.object({ data: z.array(judgeCall) }),
    example: { response: { data: [example] } },
    errors: ['not_found'],
    handler: ({ scope, params: { id } }) => read('listPromptCalls', { owner: ownerOf(scope), id }),
  });
