import { randomUUID } from 'node:crypto';
import { pageWithCount } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { addRuns } from '../../deliver/trigger.ts';
import { paginationWithCount } from '../../contract/paging.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  createVariant,
  getVariant,
  listVariants,
  runVariant,
  startVariantTests,
  updateVariant,
} from './calls.ts';
import { examplePatch, exampleVariant } from './example.ts';
import { PROMPT_SEED } from './run-variant.ts';
import {
  createVariantBody,
  runVariantBody,
  updateVariantBody,
  variant,
  variantsQuery,
} from './variant-contract.ts';

interface VariantDeps extends StoreCalls {
  /** Model that writes the prompts of `NORMAL` tasks; null when none is configured. */
  promptModel: object | null;
  /** Called after tests were started. */
  onEnqueued: () => void;
}

const byExperiment = z.object({ id: uuid.describe('The experiment.') });
const byId = byExperiment.extend({ variantId: uuid });
const one = z.object({ data: variant });

export const variantRoutes = (deps: VariantDeps): Route[] => [
  createVariantRoute(deps),
  listVariantsRoute(deps),
  getVariantRoute(deps),
  updateVariantRoute(deps),
  runVariantRoute(deps),
];

const createVariantRoute = ({ write, now }: VariantDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/experiments/{id}/variants',
    operationId: 'createVariant',
    group: 'Experiments',
    summary: 'Add a variant to an experiment',
    description:
      'The first variant has no parent and is the baseline; every other variant has a parent in the same experiment. An experiment can have at most 200 variants.',
    scope: 'write',
    params: byExperiment,
    body: createVariantBody,
    response: one,
    example: {
      body: { title: 'gpt-4o-mini', status: 'PENDING', configPatch: examplePatch },
      response: { data: exampleVariant },
    },
    status: 201,
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params, body: fields }) => {
      const place = { owner: ownerOf(principal), experimentId: params.id, id: randomUUID() };
      return { data: await write(createVariant, { ...place, fields, at: now() }) };
    },
  });

const listVariantsRoute = ({ read }: VariantDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/experiments/{id}/variants',
    operationId: 'listVariants',
    group: 'Experiments',
    summary: 'List the variants of an experiment',
    scope: 'read',
    params: byExperiment,
    query: variantsQuery,
    response: z.object({ data: z.array(variant), pagination: paginationWithCount }),
    example: { response: pageWithCount([exampleVariant]) },
    errors: ['not_found'],
    handler: ({ principal, params, query }) =>
      read(listVariants, { owner: ownerOf(principal), experimentId: params.id, query }),
  });

const getVariantRoute = ({ read }: VariantDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/experiments/{id}/variants/{variantId}',
    operationId: 'getVariant',
    group: 'Experiments',
    summary: 'Get a variant',
    scope: 'read',
    params: byId,
    response: one,
    example: { response: { data: exampleVariant } },
    errors: ['not_found'],
    handler: async ({ principal, params }) => ({
      data: await read(getVariant, {
        owner: ownerOf(principal),
        experimentId: params.id,
        id: params.variantId,
      }),
    }),
  });

const updateVariantRoute = ({ write, now }: VariantDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/experiments/{id}/variants/{variantId}',
    operationId: 'updateVariant',
    group: 'Experiments',
    summary: 'Update a variant',
    description:
      'Absent fields keep their values. `configPatch` and `parentId` cannot be changed (409) once the variant or one of its descendants has run.',
    scope: 'write',
    params: byId,
    body: updateVariantBody,
    readOnlyFields: Object.keys(variant.shape),
    response: one,
    example: { body: { title: 'gpt-4o-mini' }, response: { data: exampleVariant } },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params, body: given }) => {
      const place = { owner: ownerOf(principal), experimentId: params.id, id: params.variantId };
      return { data: await write(updateVariant, { ...place, given, at: now() }) };
    },
  });

const runVariantRoute = ({ write, now, promptModel, onEnqueued }: VariantDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/experiments/{id}/variants/{variantId}/run',
    operationId: 'runVariant',
    group: 'Experiments',
    summary: 'Run the tests of a variant',
    description:
      'Starts tests of all tasks of the experiment, with the settings of the variant as `overrides`, in addition to the tests that the variant has. The response is sent once all tests are stored; its header `x-run-ids` lists the ids of their runs. Rejected with 409 if the experiment has no tasks, one of them is archived, a variant is running, or, for all variants except the baseline, the baseline is not completed.',
    scope: 'write',
    params: byId,
    body: runVariantBody,
    response: one,
    example: {
      body: { repeat: 5 },
      response: { data: { ...exampleVariant, status: 'RUNNING', progress: { completed: 0, total: 5 } } },
    },
    errors: ['not_found', 'conflict', 'bad_request'],
    handler: async ({ principal, params, body: { repeat }, setHeader }) => {
      const place = { owner: ownerOf(principal), experimentId: params.id, id: params.variantId };
      const {
        variant: data,
        runs,
        ...first
      } = await write(runVariant, {
        ...place,
        repeat,
        promptSeed: promptModel && PROMPT_SEED,
        at: now(),
      });
      const { application } = place.owner;
      for (let { hasMore } = first; hasMore; ) {
        const step = await write(startVariantTests, { application, id: place.id, at: now() });
        addRuns(runs, step.runs);
        ({ hasMore } = step);
      }
      onEnqueued();
      setHeader('x-run-ids', runs.map(({ runId }) => runId).join(','));
      return { data };
    },
  });
