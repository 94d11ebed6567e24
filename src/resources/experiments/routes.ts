import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import {
  countedPagination,
  createExperimentBody,
  experiment,
  experimentsQuery,
  updateExperimentBody,
} from './contract.ts';
import type { experimentCommands, experimentQueries } from './store.ts';

interface ExperimentDeps {
  read: Call<typeof experimentQueries>;
  write: Call<typeof experimentCommands>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: experiment });

export const experimentRoutes = ({ read, write, now }: ExperimentDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/experiments',
    summary: 'Create an experiment',
    description: 'It begins as `DRAFT`; its first variant is the baseline.',
    scope: 'write',
    body: createExperimentBody,
    response: one,
    status: 201,
    errors: ['not_found'],
    handler: async ({ scope, body: fields }) => {
      const args = { owner: ownerOf(scope), id: randomUUID(), fields, at: now() };
      return { data: await write('createExperiment', args) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/experiments',
    summary: 'List experiments',
    scope: 'read',
    query: experimentsQuery,
    response: z.object({ data: z.array(experiment), pagination: countedPagination }),
    status: 200,
    handler: ({ scope, query }) => read('listExperiments', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/experiments/{id}',
    summary: 'Get an experiment',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getExperiment', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/experiments/{id}',
    summary: 'Change an experiment',
    description:
      'Fields that are left out stay as they are. 409 for `taskIds` once the baseline has run, for `inferenceStepIds` without a step that a variant changes, and for a `status` that does not follow. It becomes `COMPLETED` by hand when the baseline is completed and nothing is running, `ARCHIVED` when nothing is running.',
    scope: 'write',
    params: byId,
    body: updateExperimentBody,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params: { id }, body: given }) => ({
      data: await write('updateExperiment', { owner: ownerOf(scope), id, given, at: now() }),
    }),
  }),
];
