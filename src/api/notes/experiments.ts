import type { OperationNotes } from './note.ts';
import { dates, ID, owner, page } from './values.ts';

const step = {
  id: ID.step,
  ...owner,
  ...dates,
  type: 'LLM',
  externalId: 'answer',
  title: 'Answer the question',
  description: null,
};
const experiment = {
  id: ID.experiment,
  ...owner,
  ...dates,
  title: 'A smaller model',
  description: '',
  status: 'DRAFT',
  inferenceStepIds: [ID.step],
  taskIds: [ID.task],
  assignee: 'ada',
};
const patch = { answer: { model: 'gpt-4o-mini' } };
const variant = {
  id: ID.variant,
  ...owner,
  ...dates,
  experimentId: ID.experiment,
  title: 'gpt-4o-mini',
  description: null,
  status: 'PENDING',
  configPatch: patch,
  config: patch,
  parentId: null,
  result: { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null },
  progress: { completed: 0, total: 0 },
};
const counted = (data: readonly unknown[]): object => {
  const { pagination } = page(data);
  return { data, pagination: { ...pagination, totalCount: data.length } };
};

/** Experiments, their variants, and the steps these change. */
export const experimentNotes: OperationNotes = {
  'POST /v0/experiments': {
    id: 'createExperiment',
    body: { title: 'A smaller model', inferenceStepIds: [ID.step], taskIds: [ID.task], assignee: 'ada' },
    answer: { data: experiment },
  },
  'GET /v0/experiments': { id: 'listExperiments', answer: counted([experiment]) },
  'GET /v0/experiments/{id}': { id: 'getExperiment', answer: { data: experiment } },
  'PUT /v0/experiments/{id}': {
    id: 'updateExperiment',
    body: { assignee: 'ada' },
    answer: { data: experiment },
  },
  'POST /v0/experiments/{id}/variants': {
    id: 'createVariant',
    body: { title: 'gpt-4o-mini', status: 'PENDING', configPatch: patch },
    answer: { data: variant },
  },
  'GET /v0/experiments/{id}/variants': { id: 'listVariants', answer: counted([variant]) },
  'GET /v0/experiments/{id}/variants/{variantId}': { id: 'getVariant', answer: { data: variant } },
  'PUT /v0/experiments/{id}/variants/{variantId}': {
    id: 'updateVariant',
    body: { title: 'gpt-4o-mini' },
    answer: { data: variant },
  },
  'POST /v0/experiments/{id}/variants/{variantId}/run': {
    id: 'runVariant',
    body: { repeat: 5 },
    answer: { data: { ...variant, status: 'RUNNING', progress: { completed: 0, total: 5 } } },
  },

  'POST /v0/inference-steps': {
    id: 'createInferenceStep',
    body: { type: 'LLM', externalId: 'answer', title: 'Answer the question' },
    answer: { data: step },
  },
  'GET /v0/inference-steps': { id: 'listInferenceSteps', answer: page([step]) },
  'GET /v0/inference-steps/{id}': { id: 'getInferenceStep', answer: { data: step } },
};
