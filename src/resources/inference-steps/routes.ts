import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { createInferenceStepBody, inferenceStep, inferenceStepsQuery } from './contract.ts';
import type { inferenceStepCommands, inferenceStepQueries } from './store.ts';

interface InferenceStepDeps {
  read: Call<typeof inferenceStepQueries>;
  write: Call<typeof inferenceStepCommands>;
  now: () => number;
}

const one = z.object({ data: inferenceStep });

export const inferenceStepRoutes = ({ read, write, now }: InferenceStepDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/inference-steps',
    summary: 'Create an inference step',
    description: "A step of the customer's app whose settings experiments change.",
    scope: 'write',
    body: createInferenceStepBody,
    response: one,
    status: 201,
    errors: ['conflict'],
    handler: async ({ scope, body: fields }) => {
      const args = { owner: ownerOf(scope), id: randomUUID(), fields, at: now() };
      return { data: await write('createInferenceStep', args) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/inference-steps',
    summary: 'List inference steps',
    scope: 'read',
    query: inferenceStepsQuery,
    response: z.object({ data: z.array(inferenceStep), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listInferenceSteps', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/inference-steps/{id}',
    summary: 'Get an inference step',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getInferenceStep', { owner: ownerOf(scope), id }),
    }),
  }),
];
