import type { Case } from '../case.ts';
import { invalid, MESSAGE, TAG, UNKNOWN } from '../records.ts';
import { UUID } from '../shapes.ts';

const get = (id: string) => `GET /v0/tags/${id}` as const;

/** Of `GET /v0/tags/{id}`: forms that a uuid may have, and that it may not. */
const GOOD_UUIDS = [
  ['of version 1', '22222222-2222-1222-8222-222222222222'],
  ['of version 8', '22222222-2222-8222-b222-222222222222'],
  ['with variant 9', '22222222-2222-4222-9222-222222222222'],
  ['with variant a', '22222222-2222-4222-a222-222222222222'],
] as const;
const LIMIT_UUIDS = [
  ['of zeros', '00000000-0000-0000-0000-000000000000'],
  ['of fs', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['of fs in capitals', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
] as const;
const WRONG_UUIDS = [
  ['of version 0', '22222222-2222-0222-8222-222222222222'],
  ['of version 9', '22222222-2222-9222-8222-222222222222'],
  ['with variant 7', '22222222-2222-4222-7222-222222222222'],
  ['with variant c', '22222222-2222-4222-c222-222222222222'],
  ['without hyphens', '22222222222242228222222222222222'],
  ['in braces', '%7B22222222-2222-4222-8222-222222222222%7D'],
  ['with other digits', 'g2222222-2222-4222-8222-222222222222'],
  ['with a space', '%2022222222-2222-4222-8222-222222222222'],
  ['that is a word', 'urgent'],
] as const;

export const TAG_CASES: readonly Case[] = [
  {
    name: 'a tag has its fields and no others',
    line: [
      'Tag.*',
      'Tag.closed',
      'GetTag.answer',
      'GetTag.id',
      'Versioning.v0',
      'Conventions.bodies are JSON',
    ],
    given: ['tag'],
    request: get('{{tag.id}}'),
    status: 200,
    contains: { data: TAG },
  },
  {
    name: 'what was left out has its default',
    line: ['Tag.color', 'Tag.description', 'Tag.status'],
    given: ['tag'],
    request: get('{{tag.id}}'),
    status: 200,
    contains: { data: { name: 'Urgent', color: '#3B82F6', description: null, status: 'ACTIVE' } },
  },
  {
    name: 'a tag keeps what was given',
    line: ['Tag.name', 'Tag.color', 'Tag.description'],
    request: 'POST /v0/tags',
    body: { name: 'Späße 😀', color: '#abcdef', description: 'Why' },
    status: 201,
    contains: { data: { id: UUID, name: 'Späße 😀', color: '#abcdef', description: 'Why' } },
  },
  {
    name: 'a description may be null again',
    line: 'Tag.description',
    given: [{ as: 'tag', request: 'POST /v0/tags', body: { name: 'A', description: 'B' } }],
    request: 'PUT /v0/tags/{{tag.id}}',
    body: { description: null },
    status: 200,
    contains: { data: { description: null, name: 'A' } },
  },
  ...(['ACTIVE', 'ARCHIVED'] as const).map(
    (status): Case => ({
      name: `a tag may be ${status}`,
      line: ['Tag.status', 'States.tag'],
      given: ['tag'],
      request: 'PUT /v0/tags/{{tag.id}}',
      body: { status },
      status: 200,
      contains: { data: { status } },
    }),
  ),
  {
    name: 'a tag has no other status',
    line: 'States.tag',
    request: 'POST /v0/tags',
    body: { name: 'A', status: 'DRAFT' },
    status: 422,
    contains: invalid([['status'], 'invalid_enum_value']),
  },
  ...(['red', '#12345', '#GGGGGG', ''] as const).map(
    (color): Case => ({
      name: `"${color}" is no color`,
      line: 'Tag.color',
      request: 'POST /v0/tags',
      body: { name: 'A', color },
      status: 422,
      contains: invalid([['color'], 'invalid_string']),
    }),
  ),
  {
    name: 'a tag is found by its id in capitals, and answers it in small letters',
    line: 'Conventions.uuid',
    given: ['tag'],
    request: get('{{tag.id|upper}}'),
    status: 200,
    contains: { data: { id: '{{tag.id}}' } },
  },
  ...GOOD_UUIDS.map(
    ([form, id]): Case => ({
      name: `a uuid ${form} is one`,
      line: 'Conventions.uuid',
      request: get(id),
      status: 404,
      contains: MESSAGE,
    }),
  ),
  ...LIMIT_UUIDS.map(
    ([form, id]): Case => ({
      name: `the uuid ${form} is one`,
      line: 'Conventions.the uuids of all zeros and of all f',
      request: get(id),
      status: 404,
      contains: MESSAGE,
    }),
  ),
  ...WRONG_UUIDS.map(
    ([form, id]): Case => ({
      name: `a uuid ${form} is none`,
      line: [
        'Conventions.uuid',
        'GetTag.422',
        'Errors.invalid_string',
        'Errors.ValidationErrorResponse closed',
      ],
      request: get(id),
      status: 422,
      contains: invalid([['id'], 'invalid_string']),
    }),
  ),
  {
    name: 'a path that is broken is a bad request',
    line: ['GetTag.400', 'Errors.ErrorResponse closed'],
    request: get('%zz'),
    status: 400,
    contains: MESSAGE,
  },
  {
    name: 'without a key nobody sees a tag',
    line: 'GetTag.401',
    given: ['tag'],
    request: get('{{tag.id}}'),
    headers: { 'x-api-key': null },
    status: 401,
    contains: MESSAGE,
    containsNot: ['{{tag.id}}'],
  },
  {
    name: 'a key without the scope is told so',
    line: 'GetTag.403',
    given: ['tag', { as: 'sender', request: 'POST /v0/api-keys', body: { name: 'S', scopes: ['ingest'] } }],
    request: get('{{tag.id}}'),
    headers: { 'x-api-key': '{{sender.key}}' },
    status: 403,
    contains: MESSAGE,
    containsNot: ['{{tag.id}}'],
  },
  {
    name: 'an unknown tag is not found',
    line: 'GetTag.404',
    request: get(UNKNOWN),
    status: 404,
    contains: { message: 'tag not found' },
  },
  {
    name: 'a fault of our own tells nothing',
    line: ['GetTag.500', 'Errors.ErrorResponse closed'],
    on: 'broken',
    request: get(UNKNOWN),
    status: 500,
    contains: { message: 'Internal server error' },
    containsNot: ['SQL', 'table', 'tag_away'],
  },
];
