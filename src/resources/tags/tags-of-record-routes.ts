import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { type Owner, ownerOf } from '../../contract/owner.ts';
import { type ListOf, pagination } from '../../contract/paging.ts';
import type { RouteGroup } from '../../contract/route-group.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { ALL_TAGS, type Tag, tag, tagIdsBody, type TagList, tagsPage } from './contract.ts';
import { exampleTag } from './example.ts';

interface OfRecord {
  owner: Owner;
  id: string;
}

interface TagsOfRecord {
  path: `/v0/${string}/{id}/tags`;
  group: RouteGroup;
  /** Name of the record in texts, such as `task`. */
  noun: string;
  operationIds: { list: string; replace: string };
  list: (args: OfRecord & { query: TagList }) => Promise<ListOf<Tag>>;
  replace: (args: OfRecord & { tagIds: readonly string[] }) => Promise<void>;
}

/** Returns the routes that list and replace the tags of a record. */
export function tagsOfRecordRoutes({
  path,
  group,
  noun,
  operationIds,
  list,
  replace,
}: TagsOfRecord): Route[] {
  const params = z.object({ id: uuid });
  const response = z.object({ data: z.array(tag), pagination });
  const shown = page([exampleTag]);
  return [
    route({
      method: 'GET',
      path,
      operationId: operationIds.list,
      group,
      summary: `List the tags of a ${noun}`,
      description: 'Includes archived tags.',
      scope: 'read',
      params,
      query: tagsPage,
      response,
      example: { response: shown },
      errors: ['not_found'],
      handler: ({ principal, params: { id }, query }) => list({ owner: ownerOf(principal), id, query }),
    }),

    route({
      method: 'PUT',
      path,
      operationId: operationIds.replace,
      group,
      summary: `Replace the tags of a ${noun}`,
      scope: 'write',
      params,
      body: tagIdsBody,
      response,
      example: { body: { tagIds: [ID.tag] }, response: shown },
      status: 200,
      errors: ['not_found'],
      handler: async ({ principal, params: { id }, body: { tagIds } }) => {
        const owner = ownerOf(principal);
        await replace({ owner, id, tagIds });
        return list({ owner, id, query: ALL_TAGS });
      },
    }),
  ];
}
