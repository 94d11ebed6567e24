import { dates, ID, owner } from '../../contract/example-values.ts';
import type { Experiment } from './contract.ts';
import type { VariantConfig, Variant } from './variant-contract.ts';

export const exampleExperiment: Experiment = {
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

export const examplePatch: VariantConfig = { answer: { model: 'gpt-4o-mini' } };

export const exampleVariant: Variant = {
  id: ID.variant,
  ...owner,
  ...dates,
  experimentId: ID.experiment,
  title: 'gpt-4o-mini',
  description: null,
  status: 'PENDING',
  configPatch: examplePatch,
  config: examplePatch,
  parentId: null,
  result: { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null },
  passRateInterval: null,
  progress: { completed: 0, total: 0 },
};
