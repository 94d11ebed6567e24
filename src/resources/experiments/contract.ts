import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, uuid } from '../../contract/values.ts';
import { EXPERIMENT_STATUSES } from './states.ts';

const status = z.enum(EXPERIMENT_STATUSES);

export const experiment = namedObject('Experiment', {
  ...recordFields,
  title: z.string(),
  description: z.string(),
  status: status.describe('Status, which follows from the variants, except for `COMPLETED` and `ARCHIVED`.'),
  inferenceStepIds: z.array(uuid),
  taskIds: z.array(uuid),
  assignee: z.string().nullable(),
});
export type Experiment = z.input<typeof experiment>;

const fields = {
  title: shortText,
  description: z.string().max(10_000),
  inferenceStepIds: z
    .array(uuid)
    .max(100)
    .describe('Steps whose settings its variants may change; empty for any step.'),
  taskIds: z.array(uuid).max(100).describe('Tasks with which each variant is tested.'),
  assignee: shortText.nullable().describe('Identifier of the user who is responsible.'),
};
export type ExperimentFields = z.infer<z.ZodObject<typeof fields>>;

export const createExperimentBody = z.object({
  title: fields.title,
  description: fields.description.default(''),
  inferenceStepIds: fields.inferenceStepIds.default([]),
  taskIds: fields.taskIds.default([]),
  assignee: fields.assignee.default(null),
});

export const updateExperimentBody = z
  .object({
    ...fields,
    status: status.describe(
      '`COMPLETED`, `ARCHIVED` or the current status; all others follow from the variants.',
    ),
  })
  .partial();
export type ExperimentChanges = z.output<typeof updateExperimentBody>;

export const experimentsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'title', 'status', 'assignee', 'id']),
  status: several(status).describe('Experiments with one of these statuses.'),
  excludeStatus: several(status).describe('Experiments with none of these statuses.'),
});
export type ExperimentsQuery = z.output<typeof experimentsQuery>;
