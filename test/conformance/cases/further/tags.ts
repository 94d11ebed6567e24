/** Tags beyond the interface. */
import type { Case, Step } from '../../case.ts';
import { listCases, missing } from '../../lists.ts';
import { TAG, MESSAGE, invalid, page, UNKNOWN } from '../../records.ts';
import { only } from '../../shapes.ts';

const post = (path: `/${string}`, body: object): Step => ({ request: `POST ${path}`, body });

export const TAGS: readonly Case[] = [
  {
    name: 'a tag is made',
    request: 'POST /v0/tags',
    body: { name: 'Urgent' },
    status: 201,
    contains: only({ data: TAG }),
  },
  {
    name: 'a tag is changed',
    given: ['tag'],
    request: 'PUT /v0/tags/{{tag.id}}',
    body: { color: '#000000' },
    status: 200,
    contains: only({ data: TAG }),
  },
  {
    name: 'tags are listed',
    given: ['tag'],
    request: 'GET /v0/tags',
    status: 200,
    contains: only({ data: [TAG], pagination: page(1) }),
  },
  {
    name: 'a tag is deleted',
    given: ['tag'],
    request: 'DELETE /v0/tags/{{tag.id}}',
    status: 204,
    after: { request: 'GET /v0/tags/{{tag.id}}', status: 404, contains: MESSAGE },
  },
  {
    name: 'a tag needs a name',
    request: 'POST /v0/tags',
    body: {},
    status: 422,
    contains: invalid([['name'], 'invalid_type']),
  },
  missing(`DELETE /v0/tags/${UNKNOWN}`),
  ...listCases({
    path: '/v0/tags',
    given: [
      post('/v0/tags', { name: 'B' }),
      post('/v0/tags', { name: 'A' }),
      post('/v0/tags', { name: 'B' }),
    ],
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'name', 'status', 'id'],
  }),
];
