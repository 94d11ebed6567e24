import { dates, ID, owner } from '../../contract/example-values.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { createInferenceStep, getInferenceStep, listInferenceSteps } from './calls.ts';
import {
  createInferenceStepBody,
  type InferenceStep,
  inferenceStep,
  inferenceStepsQuery,
} from './contract.ts';

type InferenceStepDeps = StoreCalls;

const exampleStep: InferenceStep = {
  id: ID.step,
  ...owner,
  ...dates,
  type: 'LLM',
  externalId: 'answer',
  title: 'Answer the question',
  description: null,
};

export function inferenceStepRoutes({ read, write, now }: InferenceStepDeps): Route[] {
  const steps = recordRoutes({
    path: '/v0/inference-steps',
    group: 'Inference steps',
    record: inferenceStep,
    example: exampleStep,
    now,
  });
  return [
    steps.create({
      operationId: 'createInferenceStep',
      summary: 'Create an inference step',
      description: 'A step of your app whose settings experiments change.',
      body: createInferenceStepBody,
      example: { body: { type: 'LLM', externalId: 'answer', title: 'Answer the question' } },
      errors: ['conflict'],
      handler: (args) => write(createInferenceStep, args),
    }),
    steps.list({
      operationId: 'listInferenceSteps',
      summary: 'List inference steps',
      query: inferenceStepsQuery,
      handler: (args) => read(listInferenceSteps, args),
    }),
    steps.get({
      operationId: 'getInferenceStep',
      summary: 'Get an inference step',
      handler: (args) => read(getInferenceStep, args),
    }),
  ];
}
