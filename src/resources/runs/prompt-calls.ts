import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Read } from '../../storage/calls.ts';
import { exampleJudgeCall, judgeCall, type ShownJudgeCall } from '../evals/judge-calls-contract.ts';
import { listPromptCalls } from './calls.ts';

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

export const promptCallsRoute = ({ read }: { read: Read }): Route =>
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
    handler: ({ principal, params: { id } }) => read(listPromptCalls, { owner: ownerOf(principal), id }),
  });
