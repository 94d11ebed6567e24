import { asIs, json, nullable, text, time } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { VariantStatus } from './states.ts';
import type { VariantConfig } from './variant-contract.ts';

export const variants = record('experiment_variant', 'variant', {
  experimentId: text,
  title: text,
  description: nullable(text),
  status: asIs<VariantStatus>(),
  configPatch: json<VariantConfig>(),
  parentId: nullable(text),
  /** Time of its first run. */
  startedAt: nullable(time),
});
