import { z } from 'zod';
import { ID, pageWithCount } from '../../contract/example-values.ts';
import { paginationWithCount } from '../../contract/paging.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { createExperiment, getExperiment, listExperiments, updateExperiment } from './calls.ts';
import { createExperimentBody, experiment, experimentsQuery, updateExperimentBody } from './contract.ts';
import { exampleExperiment } from './example.ts';

type ExperimentDeps = StoreCalls;

export function experimentRoutes({ read, write, now }: ExperimentDeps): Route[] {
  const experiments = recordRoutes({
    path: '/v0/experiments',
    group: 'Experiments',
    record: experiment,
    example: exampleExperiment,
    now,
  });
  return [
    experiments.create({
      operationId: 'createExperiment',
      summary: 'Create an experiment',
      description: 'It starts as a `DRAFT`. Its first variant is the baseline.',
      body: createExperimentBody,
      example: {
        body: { title: 'A smaller model', inferenceStepIds: [ID.step], taskIds: [ID.task], assignee: 'ada' },
      },
      errors: ['not_found'],
      handler: (args) => write(createExperiment, args),
    }),
    experiments.list({
      operationId: 'listExperiments',
      summary: 'List experiments',
      query: experimentsQuery,
      response: z.object({ data: z.array(experiment), pagination: paginationWithCount }),
      example: pageWithCount([exampleExperiment]),
      handler: (args) => read(listExperiments, args),
    }),
    experiments.get({
      operationId: 'getExperiment',
      summary: 'Get an experiment',
      handler: (args) => read(getExperiment, args),
    }),
    experiments.update({
      operationId: 'updateExperiment',
      summary: 'Update an experiment',
      description:
        'Rejected with 409: `taskIds` once the baseline has run, `inferenceStepIds` without a step that a variant changes, and a `status` that the current one does not allow. An experiment can be set to `COMPLETED` when its baseline is completed and no variant is running, and to `ARCHIVED` when no variant is running.',
      body: updateExperimentBody,
      example: { assignee: 'ada' },
      errors: ['conflict'],
      handler: (args) => write(updateExperiment, args),
    }),
  ];
}
