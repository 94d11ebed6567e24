import { z } from 'zod';
import { shortText, textKey } from '../../contract/values.ts';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { recordFields } from '../../contract/record-fields.ts';

const type = z.enum(['LLM', 'RETRIEVER']);

export const inferenceStep = namedObject('InferenceStep', {
  ...recordFields,
  type,
  externalId: z.string().describe("Name of the step in the customer's app, which `overrides` use."),
  title: z.string(),
  description: z.string().nullable(),
});
export type InferenceStep = z.input<typeof inferenceStep>;

/** Longest name of a step, in characters. */
export const MAX_STEP_NAME = 255;

export const createInferenceStepBody = z.object({
  type,
  externalId: textKey(MAX_STEP_NAME).describe(
    "Name of the step in the customer's app, unique within the application.",
  ),
  title: shortText,
  description: z.string().max(10_000).nullable().default(null),
});
export type InferenceStepFields = z.output<typeof createInferenceStepBody>;

export const inferenceStepsQuery = z.object(
  paging(['createdAt', 'modifiedAt', 'title', 'type', 'externalId', 'id']),
);
export type InferenceStepsQuery = z.output<typeof inferenceStepsQuery>;
