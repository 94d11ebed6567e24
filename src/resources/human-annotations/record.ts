import { asIs, flag, json, nullable, number, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { CriterionVerdict, HumanAnnotation } from './contract.ts';

export const annotations = versionedRecord('human_annotation', 'human annotation', {
  traceId: traceReference,
  evalDefinitionId: nullable(text),
  verdict: nullable(flag),
  score: nullable(number),
  unsure: flag,
  critique: nullable(text),
  annotatorId: text,
  source: asIs<HumanAnnotation['source']>(),
  queueItemId: nullable(text),
  correctedOutput: nullable(json<unknown>()),
  criteria: nullable(json<CriterionVerdict[]>()),
  partOf: nullable(text),
});
