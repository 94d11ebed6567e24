import { asIs, nullable, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { InferenceStepFields } from './contract.ts';

export const inferenceSteps = record('inference_step', 'inference step', {
  type: asIs<InferenceStepFields['type']>(),
  externalId: text,
  title: text,
  description: nullable(text),
});
