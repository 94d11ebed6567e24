import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { searchText, several } from '../../contract/query.ts';
import { dateTime, shortText, uuid } from '../../contract/values.ts';

const status = z.enum(['ACTIVE', 'ARCHIVED']);

export const tag = namedObject(
  'Tag',
  {
    id: uuid,
    name: z.string(),
    color: z.string().describe('Hex color code.'),
    createdAt: dateTime,
    modifiedAt: dateTime,
    orgId: z.string(),
    applicationId: uuid,
    description: z.string().nullable(),
    status,
  },
  { isClosed: true },
);
export type Tag = z.infer<typeof tag>;

const fields = {
  name: shortText,
  color: z
    .string()
    .regex(/^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/, 'must be a hex color code such as #3B82F6')
    .describe('Hex color code.'),
  description: z.string().max(10_000).nullable(),
  status,
};
export type TagFields = z.infer<z.ZodObject<typeof fields>>;

export const createTagBody = z.object({
  name: fields.name,
  color: fields.color.default('#3B82F6'),
  description: fields.description.default(null),
  status: status.default('ACTIVE'),
});

export const updateTagBody = z.object(fields).partial();
export type GivenTagFields = z.infer<typeof updateTagBody>;

const page = paging(['createdAt', 'modifiedAt', 'name', 'status', 'id']);
export const tagsPage = z.object(page);
export type TagList = z.output<typeof tagsPage>;

export const tagsQuery = z.object({
  ...page,
  status: several(status).describe('Tags with one of these statuses. Default: `ACTIVE`.'),
  search: searchText.describe('Tags with this text in their name, ignoring case.'),
});
export type TagsQuery = z.output<typeof tagsQuery>;

const MAX_TASKS = 1_000;
const MAX_TAGS = 20;

/** Page with all tags that a record can have. */
export const ALL_TAGS: TagList = tagsPage.parse({ limit: 100 });

export const tagIdsBody = z.object({
  tagIds: z.array(uuid).max(MAX_TAGS).describe('All tags that it shall have.'),
});

export const taskTagsBody = z
  .object({
    taskIds: z.array(uuid).min(1).max(MAX_TASKS).describe('Tasks to change.'),
    addTagIds: z.array(uuid).max(MAX_TAGS).default([]).describe('Tags to add to all of them.'),
    removeTagIds: z.array(uuid).max(MAX_TAGS).default([]).describe('Tags to remove from all of them.'),
  })
  .refine(({ addTagIds, removeTagIds }) => addTagIds.length + removeTagIds.length > 0, {
    path: ['addTagIds'],
    error: 'addTagIds or removeTagIds must contain a tag',
    params: { code: 'too_small' },
  });
export type TaskTagsBody = z.output<typeof taskTagsBody>;
