/** Style guides. */
import type { Case } from '../../case.ts';
import { listCases, missing } from '../../lists.ts';
import { OWNED, invalid, page, UNKNOWN } from '../../records.ts';
import { only } from '../../shapes.ts';

const GUIDE = only({
  ...OWNED,
  quickstartId: null,
  content: [only({ heading: 'Tone', content: 'Friendly.', approved: false })],
});

export const STYLE_GUIDES: readonly Case[] = [
  {
    name: 'a style guide is made',
    line: 'StyleGuide.*',
    request: 'POST /v0/style-guides',
    body: { content: [{ heading: 'Tone', content: 'Friendly.' }] },
    status: 201,
    contains: only({ data: GUIDE }),
  },
  {
    name: 'style guides are listed',
    given: ['styleGuide'],
    request: 'GET /v0/style-guides',
    status: 200,
    contains: only({ data: [GUIDE], pagination: page(1) }),
  },
  {
    name: 'a style guide is read',
    given: ['styleGuide'],
    request: 'GET /v0/style-guides/{{styleGuide.id}}',
    status: 200,
    contains: only({ data: GUIDE }),
  },
  {
    name: 'a style guide is changed',
    given: ['styleGuide'],
    request: 'PUT /v0/style-guides/{{styleGuide.id}}',
    body: { content: [{ heading: 'Length', content: 'Short.', approved: true }] },
    status: 200,
    contains: { data: { content: [only({ heading: 'Length', content: 'Short.', approved: true })] } },
  },
  {
    name: 'a style guide needs a content',
    request: 'POST /v0/style-guides',
    body: {},
    status: 422,
    contains: invalid([['content'], 'invalid_type']),
  },
  missing(`GET /v0/style-guides/${UNKNOWN}`),
  ...listCases({
    path: '/v0/style-guides',
    given: ['A', 'B', 'C'].map((heading) => ({
      request: 'POST /v0/style-guides',
      body: { content: [{ heading, content: '' }] },
    })),
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'id'],
  }),
];
