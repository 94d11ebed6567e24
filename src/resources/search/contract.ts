import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryInteger, several } from '../../contract/query.ts';
import { uuid } from '../../contract/values.ts';

const SEARCH_KINDS = ['task', 'evaluator', 'run', 'experiment', 'issue', 'topic', 'document'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

const MAX_FOUND = 50;

export const searchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(200)
    .describe('Beginnings of words of the name, in any order. Upper and lower case are the same.'),
  kinds: several(z.enum(SEARCH_KINDS)).describe(
    'Kinds of records to find. Default: all of them. Runs are found by the name of their task.',
  ),
  limit: queryInteger(1, MAX_FOUND).default(20).describe('Largest number of records to return.'),
});
export type SearchQuery = z.output<typeof searchQuery>;

export const foundRecord = namedObject('FoundRecord', {
  kind: z.enum(SEARCH_KINDS),
  id: uuid,
  title: z.string(),
  detail: z.string().describe('What tells it from others with the same name, such as when a run started.'),
  href: z.string().describe('Path of its page in the dashboard.'),
});
export type FoundRecord = z.input<typeof foundRecord>;
