import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryInteger } from '../../contract/query.ts';
import { FILTER_SCREENS } from '../../filter/fields.ts';

const MAX_CHARACTERS = 4_000;

export const suggestQuery = z.object({
  screen: z.enum(FILTER_SCREENS).describe('Screen whose filter line is edited.'),
  q: z.string().max(MAX_CHARACTERS).default('').describe('The filter line; it may have faults.'),
  cursor: queryInteger(0, MAX_CHARACTERS)
    .optional()
    .describe('Place of the cursor, in characters. Default: the end of the line.'),
});

export const filterSuggestion = namedObject('FilterSuggestion', {
  kind: z
    .enum(['FIELD', 'VALUE', 'TEXT'])
    .describe('`FIELD`: the beginning of a term; `VALUE`: a complete term; `TEXT`: words to search for.'),
  insert: z.string().describe('Text in place of the characters from `start` to `end`.'),
  hint: z.string(),
  count: z
    .int()
    .nullable()
    .describe('Matches with the value, among the newest 2000 that meet the other terms; null if unknown.'),
});
export type Suggestion = z.input<typeof filterSuggestion>;

export const suggestions = z.object({
  data: z.array(filterSuggestion),
  start: z.int().describe('First character of the term at the cursor.'),
  end: z.int().describe('Character after the term.'),
});
