import { asIs, flag, json, nullable, number, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { DefinitionFields } from './contract.ts';

export const definitions = versionedRecord('definition', 'evaluation definition', {
  type: asIs<DefinitionFields['type']>(),
  name: text,
  status: asIs<DefinitionFields['status']>(),
  version: number,
  repeats: asIs<DefinitionFields['repeats']>(),
  globalConfig: json<Record<string, unknown>>(),
  styleGuideId: nullable(text),
  quickstartId: nullable(text),
  gateMinKappa: nullable(number),
  gateMinAnnotations: nullable(number),
  gateMaxAgeDays: nullable(number),
  gateCanaries: nullable(number),
  isOverall: flag,
  issueId: nullable(text),
});
