import { withheld } from '../../contract/withheld.ts';
import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, textKey, uuid } from '../../contract/values.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';
import { MAX_STEP_NAME } from '../inference-steps/contract.ts';
import { result } from '../tests/contract.ts';
import { rateInterval } from '../tests/rate-interval.ts';
import { VARIANT_STATUSES } from './states.ts';

const status = z.enum(VARIANT_STATUSES);

const config = z.record(textKey(MAX_STEP_NAME), z.record(z.string().min(1).max(256), z.unknown()));
/** Settings of steps: name of the step → name of the parameter → any JSON value. */
export type VariantConfig = z.infer<typeof config>;

export const variant = namedObject('Variant', {
  ...recordFields,
  experimentId: uuid,
  title: z.string(),
  description: z.string().nullable(),
  status: status.describe(
    'Status, which follows from the tests, except for `DRAFT`, `PENDING` and `REJECTED`.',
  ),
  configPatch: config.describe('Changes to the settings of the parent: step → parameter → value.'),
  config: config.describe(
    'Complete settings, merged with those of all ancestors, as its tests receive them.',
  ),
  parentId: uuid.nullable().describe('Id of the parent; null for the baseline.'),
  result: result.describe('Result of all its tests.'),
  passRateInterval: rateInterval
    .nullable()
    .describe('95 % confidence interval of the pass rate, in percent; null when nothing counts.'),
  progress: z
    .object({
      completed: z.int().describe('Number of tests that have ended, with any result.'),
      total: z.int(),
    })
    .describe('Progress of its tests.'),
  withheld,
});
export type Variant = z.input<typeof variant>;

const MAX_PATCH_CHARACTERS = 50_000;

const fields = {
  title: shortText,
  description: z.string().max(10_000).nullable(),
  configPatch: shortAsJson(exact(config), MAX_PATCH_CHARACTERS).describe(
    'Step → parameter → value, merged over the settings of the parent; the value of a parameter is replaced completely.',
  ),
  parentId: uuid.nullable(),
};
export interface VariantFields {
  title: string;
  description: string | null;
  configPatch: VariantConfig;
  parentId: string | null;
}

export const createVariantBody = z.object({
  title: fields.title,
  description: fields.description.default(null),
  status: z.enum(['DRAFT', 'PENDING']).default('DRAFT').describe('`PENDING`: ready to be run.'),
  configPatch: fields.configPatch,
  parentId: fields.parentId
    .default(null)
    .describe('Another variant of the experiment. Null only for the first one, the baseline.'),
});
export type NewVariant = z.output<typeof createVariantBody>;

export const updateVariantBody = z
  .object({
    ...fields,
    status: status.describe(
      '`DRAFT`, `PENDING`, `REJECTED` or the current status; all others follow from the tests.',
    ),
  })
  .partial();
export type VariantChanges = z.output<typeof updateVariantBody>;

export const runVariantBody = z
  .object({
    repeat: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe('Number of tests of each task, which use its input examples in turn.'),
  })
  .default({ repeat: 1 });

export const variantsQuery = z.object(paging(['createdAt', 'modifiedAt', 'title', 'status', 'id']));
export type VariantsQuery = z.output<typeof variantsQuery>;
