import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { uuid } from '../../contract/values.ts';

/** Most notes that one call groups. */
export const MAX_GROUPED = 200;
export const MAX_GROUP_TITLE = 256;
export const MAX_DESCRIPTION = 2_000;

const count = z.int().min(0);
const dollars = z.number().nullable();
export const dryRun = z
  .boolean()
  .default(false)
  .describe('True to return the expected cost only, without asking a model.');

export const expectedCost = z
  .object({
    model: z
      .string()
      .nullable()
      .describe('Name of the judge in the settings, else `promptModel`; null when neither is configured.'),
    calls: count,
    inputTokens: count,
    outputTokens: count,
    cost: dollars.describe('US dollars; null when no price is configured.'),
    leftToday: dollars.describe(
      'US dollars that the limits of the judges leave today; null without a limit.',
    ),
  })
  .describe('What the call is expected to take, by the lengths of the texts.');
export type ExpectedCost = z.input<typeof expectedCost>;

export const spentCost = z
  .object({ calls: count, inputTokens: count, outputTokens: count, cost: dollars })
  .describe('What the call took; zeros in a dry run.');
export type SpentCost = z.input<typeof spentCost>;

export const suggestBody = z.object({
  noteIds: z
    .array(uuid)
    .min(1)
    .max(MAX_GROUPED)
    .optional()
    .describe(`Notes to group. Default: the newest ${MAX_GROUPED} that are evidence for no issue.`),
  dryRun,
});
export type SuggestBody = z.output<typeof suggestBody>;

export const suggestedGroup = namedObject('SuggestedGroup', {
  title: z.string().describe('Title that an issue of these notes may have.'),
  description: z.string(),
  notes: z.array(z.object({ id: uuid, text: z.string(), quote: z.string().nullable() })),
  issue: z
    .object({ id: uuid, number: z.int(), title: z.string() })
    .nullable()
    .describe('Open issue that the notes may belong to; null for a new one.'),
});
export type SuggestedGroup = z.input<typeof suggestedGroup>;

export const issueSuggestions = namedObject('IssueSuggestions', {
  notes: count.describe('Number of notes that the model is shown.'),
  leftOut: count.describe('Number of notes that are too many or too long for one call.'),
  expected: expectedCost,
  spent: spentCost,
  groups: z.array(suggestedGroup).describe('Suggestions, the largest first; empty in a dry run.'),
  ungrouped: z.array(uuid).describe('Notes that the model has put into no group.'),
});
export type IssueSuggestions = z.input<typeof issueSuggestions>;
