/** Inference steps, experiments and their variants. */
import type { Case, Step } from '../../case.ts';
import { listCases } from '../../lists.ts';
import { OWNED, EXPERIMENT, RESULT, MESSAGE, invalid, page, countedPage, UNKNOWN } from '../../records.ts';
import { only, isOneOf } from '../../shapes.ts';

const STEP = only({ ...OWNED, type: 'LLM', externalId: 'answer', title: 'Answer', description: null });
const PATCH = only({ answer: only({ model: 'small', max_output_tokens: 200 }) });
const VARIANT = only({
  ...OWNED,
  experimentId: '{{experiment.id}}',
  title: 'Now',
  description: null,
  status: 'DRAFT',
  configPatch: PATCH,
  config: PATCH,
  parentId: null,
  result: RESULT,
  passRateInterval: null,
  progress: only({ completed: 0, total: 0 }),
});
const variant = (title: string, parent: string, model: string): Step => ({
  request: 'POST /v0/experiments/{{experiment.id}}/variants',
  body: { title, parentId: `{{${parent}.id}}`, configPatch: { answer: { model } } },
});
const step = (externalId: string, title: string, type = 'LLM'): Step => ({
  request: 'POST /v0/inference-steps',
  body: { externalId, title, type },
});

export const EXPERIMENTS: readonly Case[] = [
  {
    name: 'a step is made',
    line: 'InferenceStep.*',
    request: 'POST /v0/inference-steps',
    body: { type: 'LLM', externalId: 'answer', title: 'Answer' },
    status: 201,
    contains: only({ data: STEP }),
  },
  {
    name: 'a step may be a retriever',
    line: 'InferenceStep.type',
    request: 'POST /v0/inference-steps',
    body: { type: 'RETRIEVER', externalId: 'n'.repeat(255), title: 'A' },
    status: 201,
    contains: { data: { type: 'RETRIEVER', externalId: 'n'.repeat(255) } },
  },
  {
    name: 'the name of a step is not longer than 255 characters',
    request: 'POST /v0/inference-steps',
    body: { type: 'LLM', externalId: 'n'.repeat(256), title: 'A' },
    status: 422,
    contains: invalid([['externalId'], 'too_big']),
  },
  {
    name: 'two steps have two names',
    given: ['step'],
    request: 'POST /v0/inference-steps',
    body: { type: 'LLM', externalId: 'answer', title: 'A' },
    status: 409,
    contains: MESSAGE,
  },
  {
    name: 'steps are listed',
    given: ['step'],
    request: 'GET /v0/inference-steps',
    status: 200,
    contains: only({ data: [STEP], pagination: page(1) }),
  },
  ...listCases({
    path: '/v0/inference-steps',
    given: [step('b', 'B'), step('a', 'A'), step('c', 'B', 'RETRIEVER')],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'title', 'type', 'externalId', 'id'],
  }),
  {
    name: 'an experiment is made',
    line: 'Experiment.*',
    given: ['task', 'step'],
    request: 'POST /v0/experiments',
    body: { title: 'Models', taskIds: ['{{task.id}}'], inferenceStepIds: ['{{step.id}}'] },
    status: 201,
    contains: only({ data: { ...EXPERIMENT, status: 'DRAFT' } }),
  },
  {
    name: 'an experiment of an unknown task is not made',
    request: 'POST /v0/experiments',
    body: { title: 'A', taskIds: [UNKNOWN] },
    status: 404,
    contains: MESSAGE,
  },
  {
    name: 'an experiment is read',
    given: ['experiment'],
    request: 'GET /v0/experiments/{{experiment.id}}',
    status: 200,
    contains: only({ data: EXPERIMENT }),
  },
  {
    name: 'an experiment is changed',
    given: ['experiment'],
    request: 'PUT /v0/experiments/{{experiment.id}}',
    body: { assignee: 'ann', description: 'B' },
    status: 200,
    contains: only({ data: { ...EXPERIMENT, title: 'Models', assignee: 'ann', description: 'B' } }),
  },
  {
    name: 'a variant is made',
    line: 'Variant.*',
    given: ['experiment'],
    request: 'POST /v0/experiments/{{experiment.id}}/variants',
    body: { title: 'Now', configPatch: { answer: { model: 'small', max_output_tokens: 200 } } },
    status: 201,
    contains: only({ data: VARIANT }),
  },
  {
    name: 'a variant has the settings of its parents',
    line: 'Variant.config',
    given: ['variant'],
    request: 'POST /v0/experiments/{{experiment.id}}/variants',
    body: { title: 'New', parentId: '{{variant.id}}', configPatch: { answer: { model: 'large' } } },
    status: 201,
    contains: {
      data: {
        parentId: '{{variant.id}}',
        configPatch: only({ answer: only({ model: 'large' }) }),
        config: only({ answer: only({ model: 'large', max_output_tokens: 200 }) }),
      },
    },
  },
  {
    name: 'there is one baseline',
    given: ['variant'],
    request: 'POST /v0/experiments/{{experiment.id}}/variants',
    body: { title: 'B', configPatch: {} },
    status: 422,
    contains: { issues: [{ path: ['parentId'] }] },
  },
  {
    name: 'a setting that cannot be sent is refused',
    given: ['experiment'],
    request: 'POST /v0/experiments/{{experiment.id}}/variants',
    body: '{"title":"A","configPatch":{"answer":{"n":9007199254740993}}}',
    status: 422,
    contains: invalid([['configPatch', 'answer', 'n'], 'custom']),
  },
  {
    name: 'a step is read',
    given: ['step'],
    request: 'GET /v0/inference-steps/{{step.id}}',
    status: 200,
    contains: only({ data: STEP }),
  },
  {
    name: 'a variant is read',
    given: ['variant'],
    request: 'GET /v0/experiments/{{experiment.id}}/variants/{{variant.id}}',
    status: 200,
    contains: only({ data: VARIANT }),
  },
  {
    name: 'variants are listed',
    given: ['variant'],
    request: 'GET /v0/experiments/{{experiment.id}}/variants',
    status: 200,
    contains: only({ data: [VARIANT], pagination: countedPage(1) }),
  },
  ...listCases({
    path: '/v0/experiments/{{experiment.id}}/variants',
    given: ['variant', variant('B', 'variant', 'b'), variant('B', 'variant', 'c')],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'title', 'status', 'id'],
    pagination: countedPage,
  }),
  {
    name: 'a variant is changed',
    given: ['variant'],
    request: 'PUT /v0/experiments/{{experiment.id}}/variants/{{variant.id}}',
    body: { description: 'As it is' },
    status: 200,
    contains: { data: { title: 'Now', description: 'As it is' } },
  },
  {
    name: 'a variant is tested',
    given: ['webhook', 'variant'],
    request: 'POST /v0/experiments/{{experiment.id}}/variants/{{variant.id}}/run',
    status: 200,
    contains: { data: { status: 'RUNNING', progress: only({ completed: 0, total: 1 }) } },
    after: {
      request: 'GET /v0/experiments/{{experiment.id}}',
      contains: { data: { status: isOneOf('BASELINE_RUNNING', 'BASELINE_FAILED') } },
    },
  },
];
