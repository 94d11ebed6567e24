import { z } from 'zod';
import { shortText } from '../../contract/values.ts';
import { namedObject } from '../../contract/api-schema.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { ACTOR_TYPES } from '../../contract/scope.ts';
import { recordFields } from '../../contract/record-fields.ts';

const MAX_FILTER_CHARACTERS = 20_000;
const MAX_VALUES = 100;
const MAX_COLUMNS = 100;

const name = shortText;
const screen = z
  .enum(['traces', 'tests', 'results', 'sessions'])
  .describe('Screen that the view belongs to.');
const filter = z
  .record(z.string(), z.array(z.string()))
  .describe(
    'Filter of the screen: the parameters of its address, each with its values. `{ "q": ["error:yes"] }` is a filter line.',
  );
const columns = z
  .array(z.string())
  .nullable()
  .describe('Columns that the list shows; null for the usual ones.');
const sort = z
  .string()
  .nullable()
  .describe('Field that the list is ordered by, after a minus for descending order; null for the usual one.');
const isShared = z
  .boolean()
  .describe('Everybody of the application sees a shared view; only its creator sees any other.');

export const view = namedObject('View', {
  ...recordFields,
  name: z.string(),
  screen,
  filter,
  columns,
  sort,
  isShared,
  createdBy: z.object({
    type: z.enum(ACTOR_TYPES),
    id: z.string().describe('Id of the user, or `keyId` of the API key.'),
    name: z.string().describe('Name of the user or of the key at that time.'),
  }),
});
export type View = z.infer<typeof view>;

const field = exact(z.string().min(1).max(64));
const given = {
  name: exact(name),
  filter: shortAsJson(
    z.record(field, z.array(exact(z.string().max(10_000))).max(MAX_VALUES)),
    MAX_FILTER_CHARACTERS,
  ).describe(filter.description ?? ''),
  columns: z
    .array(field)
    .max(MAX_COLUMNS)
    .nullable()
    .describe(columns.description ?? ''),
  sort: z
    .string()
    .max(64)
    .regex(/^-?\w+$/, 'must be the name of a field, such as timestamp or -timestamp')
    .nullable()
    .describe(sort.description ?? ''),
  isShared,
};

export const createViewBody = z.object({
  name: given.name,
  screen,
  filter: given.filter.default({}),
  columns: given.columns.default(null),
  sort: given.sort.default(null),
  isShared: isShared.default(false),
});
export type ViewFields = z.output<typeof createViewBody>;

export const updateViewBody = z.object(given).partial();
export type GivenViewFields = z.output<typeof updateViewBody>;

export const viewsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'name', 'id']),
  screen: several(screen).describe('Views of one of these screens.'),
});
export type ViewsQuery = z.output<typeof viewsQuery>;
