import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { uuid } from '../../contract/values.ts';
import { shortAsJson } from '../../contract/exact-json.ts';

/** Limit of characters of all sections, because lists return a hundred guides in one body. */
const MAX_CHARACTERS = 50_000;

const section = z.object({
  heading: z.string(),
  content: z.string(),
  approved: z.boolean().describe('True if a person has approved it.'),
});

export const styleGuide = namedObject('StyleGuide', {
  ...recordFields,
  quickstartId: uuid.nullable(),
  content: z.array(section),
});
export type StyleGuide = z.infer<typeof styleGuide>;

const content = shortAsJson(
  z
    .array(
      z.object({
        heading: z.string().trim().min(1).max(256),
        content: z.string().max(10_000),
        approved: section.shape.approved.default(false),
      }),
    )
    .min(1)
    .max(100),
  MAX_CHARACTERS,
).describe('Style rules for outputs, by section.');
export type StyleGuideContent = z.output<typeof content>;

export const createStyleGuideBody = z.object({ content, quickstartId: uuid.nullable().default(null) });
export const updateStyleGuideBody = z.object({ content }).partial();

export const styleGuidesQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'id']),
  quickstartId: several(uuid).describe('Style guides created by one of these quickstarts.'),
});
export type StyleGuidesQuery = z.output<typeof styleGuidesQuery>;
