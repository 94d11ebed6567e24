import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, uuid } from '../../contract/values.ts';
import { shortAsJson } from '../../contract/exact-json.ts';

/** Limit of characters of all sections, because lists return a hundred guides in one body. */
const MAX_CHARACTERS = 50_000;
const MAX_SECTIONS = 100;

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

const given = {
  heading: shortText,
  content: z.string().max(10_000),
  approved: section.shape.approved,
};
const sections = shortAsJson(
  z
    .array(z.object({ ...given, approved: given.approved.default(false) }))
    .min(1)
    .max(MAX_SECTIONS),
  MAX_CHARACTERS,
);
export type StyleGuideContent = z.output<typeof sections>;

/** Reports whether sections are within the limits of a style guide. */
export const isInLimits = (content: StyleGuideContent): boolean =>
  content.length <= MAX_SECTIONS && JSON.stringify(content).length <= MAX_CHARACTERS;

/** Sections, or one section whose fields are those of the body itself. */
const flatOrSections = {
  content: z
    .union([sections, given.content])
    .describe('Style rules for outputs, by section; or the text of a single section, with its `heading`.'),
  heading: given.heading.optional().describe('Heading of a single section.'),
  approved: given.approved.optional().describe('True if a person has approved the single section.'),
};

interface Flat {
  content?: StyleGuideContent | string | undefined;
  heading?: string | undefined;
  approved?: boolean | undefined;
}

function checkFlat({ content, heading, approved }: Flat, context: z.RefinementCtx): void {
  const isFlat = typeof content === 'string';
  if (isFlat && heading === undefined)
    context.addIssue({
      code: 'custom',
      path: ['heading'],
      message: 'Required with a text as `content`',
      params: { code: 'invalid_type' },
    });
  const only = 'is allowed only with a text as `content`';
  if (!isFlat && heading !== undefined)
    context.addIssue({ code: 'custom', path: ['heading'], message: only });
  if (!isFlat && approved !== undefined)
    context.addIssue({ code: 'custom', path: ['approved'], message: only });
}

export const createStyleGuideBody = z
  .object({ ...flatOrSections, quickstartId: uuid.nullable().default(null) })
  .superRefine(checkFlat);
export const updateStyleGuideBody = z.object(flatOrSections).partial().superRefine(checkFlat);

/** A change of the content of a style guide: all sections, or one of them. */
export type StyleGuideChange = { sections: StyleGuideContent } | { section: StyleGuideContent[number] };

/** Returns the change that a body describes; null if it has none. */
export function changeOf({ content, heading = '', approved = false }: Flat): StyleGuideChange | null {
  if (content === undefined) return null;
  return typeof content === 'string' ? { section: { heading, content, approved } } : { sections: content };
}

export const styleGuidesQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'id']),
  quickstartId: several(uuid).describe('Style guides created by one of these quickstarts.'),
});
export type StyleGuidesQuery = z.output<typeof styleGuidesQuery>;
