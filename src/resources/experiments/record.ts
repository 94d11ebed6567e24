import { asIs, json, nullable, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { ExperimentStatus } from './states.ts';

export const experiments = versionedRecord('experiment', 'experiment', {
  title: text,
  description: text,
  status: asIs<ExperimentStatus>(),
  inferenceStepIds: json<string[]>(),
  taskIds: json<string[]>(),
  assignee: nullable(text),
});
