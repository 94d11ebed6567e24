import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { addRuns } from '../../deliver/trigger.ts';
import type { Call } from '../../storage/operations.ts';
import { countedPagination } from './contract.ts';
import {
  createVariantBody,
  runVariantBody,
  updateVariantBody,
  variant,
  variantsQuery,
} from './variant-contract.ts';
import type { variantCommands, variantQueries } from './variant-store.ts';

interface VariantDeps {
  read: Call<typeof variantQueries>;
  write: Call<typeof variantCommands>;
  now: () => number;
  /** Told after tests were started. */
  onTriggered: () => void;
}

const byExperiment = z.object({ id: uuid.describe('The experiment.') });
const byId = byExperiment.extend({ variantId: uuid });
const one = z.object({ data: variant });

export const variantRoutes = ({ read, write, now, onTriggered }: VariantDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/experiments/{id}/variants',
    summary: 'Add a variant to an experiment',
    description:
      'The first one has no parent and is the baseline; every other has a parent in the same experiment. An experiment has at most 200 variants.',
    scope: 'write',
    params: byExperiment,
    body: createVariantBody,
    response: one,
    status: 201,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params, body: fields }) => {
      const place = { owner: ownerOf(scope), experimentId: params.id, id: randomUUID() };
      return { data: await write('createVariant', { ...place, fields, at: now() }) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/experiments/{id}/variants',
    summary: 'List the variants of an experiment',
    scope: 'read',
    params: byExperiment,
    query: variantsQuery,
    response: z.object({ data: z.array(variant), pagination: countedPagination }),
    status: 200,
    errors: ['not_found'],
    handler: ({ scope, params, query }) =>
      read('listVariants', { owner: ownerOf(scope), experimentId: params.id, query }),
  }),

  route({
    method: 'GET',
    path: '/v0/experiments/{id}/variants/{variantId}',
    summary: 'Get a variant',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params }) => ({
      data: await read('getVariant', {
        owner: ownerOf(scope),
        experimentId: params.id,
        id: params.variantId,
      }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/experiments/{id}/variants/{variantId}',
    summary: 'Change a variant',
    description:
      'Fields that are left out stay as they are. `configPatch` and `parentId` can no longer be changed (409) once the variant, or one that is built on it, has run.',
    scope: 'write',
    params: byId,
    body: updateVariantBody,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params, body: given }) => {
      const place = { owner: ownerOf(scope), experimentId: params.id, id: params.variantId };
      return { data: await write('updateVariant', { ...place, given, at: now() }) };
    },
  }),

  route({
    method: 'POST',
    path: '/v0/experiments/{id}/variants/{variantId}/run',
    summary: 'Test a variant',
    description:
      'Starts tests of all tasks of the experiment, with the settings of the variant as `overrides`; they add to those it has. Answered once all are stored, with the ids of their runs in the header `x-run-ids`. 409 when the experiment has no tasks or one of them is archived, when a variant of it is running, and, but for the baseline itself, when the baseline is not completed.',
    scope: 'write',
    params: byId,
    body: runVariantBody,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict', 'bad_request'],
    handler: async ({ scope, params, body: { repeat }, setHeader }) => {
      const place = { owner: ownerOf(scope), experimentId: params.id, id: params.variantId };
      const { variant: data, runs, ...first } = await write('runVariant', { ...place, repeat, at: now() });
      const { application } = place.owner;
      for (let { hasMore } = first; hasMore; ) {
        const step = await write('startVariantTests', { application, id: place.id, at: now() });
        addRuns(runs, step.runs);
        ({ hasMore } = step);
      }
      onTriggered();
      setHeader('x-run-ids', runs.map(({ runId }) => runId).join(','));
      return { data };
    },
  }),
];
