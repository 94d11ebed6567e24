import { asIs, flag, json, nullable, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { HumanAnnotation } from './contract.ts';

export const annotations = versionedRecord('human_annotation', 'human annotation', {
  traceId: traceReference,
  verdict: flag,
  critique: nullable(text),
  annotatorId: text,
  source: asIs<HumanAnnotation['source']>(),
  queueItemId: nullable(text),
  correctedOutput: nullable(json<unknown>()),
});
