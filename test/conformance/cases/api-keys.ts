import type { Case } from '../case.ts';
import { invalid, MESSAGE } from '../records.ts';
import { inAnyOrder, only, TEXT, TIME, UUID } from '../shapes.ts';

const create = (name: string, body: unknown, status: number, contains: Case['contains']): Case => ({
  name,
  line: ['CreateKey.name', 'Limits.key name'],
  request: 'POST /v0/api-keys',
  body,
  status,
  ...(contains !== undefined && { contains }),
});
const LISTED = only({
  id: UUID,
  keyId: /^[0-9A-Za-z]{12}$/,
  name: TEXT,
  applicationId: '{{application.id}}',
  createdAt: TIME,
  updatedAt: TIME,
});
const WRONG_KEYS = [
  ['of another form', 'secret'],
  ['that nobody made', 'sk_A1b2C3d4E5f6_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'],
  ['that is empty', ''],
  ['with one letter more', '{{apiKey.key}}x'],
] as const;
const WRONG_CREDENTIALS = { message: /key/ } as const;
const OTHER_APPLICATION = {
  as: 'other',
  request: 'POST /v0/applications',
  body: { title: 'Other', type: 'AGENT' },
} as const;

export const API_KEY_CASES: readonly Case[] = [
  {
    name: 'a new key is shown with its text',
    line: [
      'CreatedKey.*',
      'CreateKey.answer',
      'Limits.plaintext key',
      'Authentication.created through the API',
    ],
    request: 'POST /v0/api-keys',
    body: { name: 'CI' },
    status: 201,
    contains: only({ data: only({ id: UUID, key: /^sk_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/, name: 'CI' }) }),
  },
  create('a name of 1 character', { name: 'a' }, 201, { data: { name: 'a' } }),
  create('a name of 256 characters', { name: 'n'.repeat(256) }, 201, { data: { name: 'n'.repeat(256) } }),
  create('a name of no character', { name: '' }, 422, invalid([['name'], 'too_small'])),
  create('a name of 257 characters', { name: 'n'.repeat(257) }, 422, invalid([['name'], 'too_big'])),
  create('no name', {}, 422, invalid([['name'], 'invalid_type'])),
  create('a number as a name', { name: 7 }, 422, invalid([['name'], 'invalid_type'])),
  create('null as a name', { name: null }, 422, invalid([['name'], 'invalid_type'])),
  create('a list as the body', [], 422, invalid([[], 'invalid_type'])),
  create('no body', undefined, 400, MESSAGE),
  create('a body that is no JSON', '{"name":', 400, MESSAGE),
  create('a field that there is not', { name: 'A', colour: 1 }, 422, invalid([['colour'], 'custom'])),
  {
    name: 'keys are listed with these fields and no others',
    line: ['ListedKey.*', 'ListKeys.answer'],
    given: ['key'],
    request: 'GET /v0/api-keys',
    status: 200,
    contains: only({ data: inAnyOrder(LISTED, { id: '{{key.id}}', name: 'CI' }) }),
  },
  {
    name: 'a listed key does not tell its text',
    line: ['ListedKey.no plaintext', 'CreateKey.plaintext once', 'Limits.plaintext key'],
    given: ['key'],
    request: 'GET /v0/api-keys',
    status: 200,
    containsNot: ['{{key.key}}', '{{apiKey.key}}', 'sk_'],
  },
  {
    name: 'a key is of the application that made it',
    line: ['CreateKey.of the application', 'ListKeys.of the application'],
    given: ['key', OTHER_APPLICATION],
    request: 'GET /v0/api-keys',
    status: 200,
    contains: { data: inAnyOrder({ id: '{{apiKey.id}}' }, { id: '{{key.id}}' }) },
  },
  {
    name: 'a revoked key is of no use',
    line: 'Authentication.wrong credentials',
    given: ['key', { request: 'DELETE /v0/api-keys/{{key.id}}' }],
    request: 'GET /v0/tags',
    headers: { 'x-api-key': '{{key.key}}' },
    status: 401,
    contains: WRONG_CREDENTIALS,
  },
  {
    name: 'keys are revoked',
    given: ['key'],
    request: 'DELETE /v0/api-keys/{{key.id}}',
    status: 204,
    after: { request: 'GET /v0/api-keys', contains: { data: [{ id: '{{apiKey.id}}' }] } },
  },
];

const CREDENTIALS = {
  'x-api-key': 'Authentication.x-api-key',
  'x-application-id': 'Authentication.x-application-id',
} as const;

export const AUTHENTICATION_CASES: readonly Case[] = [
  ...Object.entries(CREDENTIALS).flatMap(([header, line]): Case[] => [
    {
      name: `without ${header} a call is rejected, which the answer names`,
      line: [line, 'Authentication.wrong credentials'],
      request: 'GET /v0/tags',
      headers: { [header]: null },
      status: 401,
      contains: { message: new RegExp(header) },
    },
    {
      name: `validate-webhook needs ${header} too`,
      line: 'Authentication.validation needs both',
      request: 'POST /v0/validate-webhook',
      headers: { [header]: null },
      body: { signature: '', timestamp: 0, body: {} },
      status: 401,
      contains: MESSAGE,
    },
    {
      name: `ingest needs ${header} too`,
      line,
      request: 'POST /v0/ingest',
      headers: { [header]: null },
      body: { events: [] },
      status: 401,
      contains: MESSAGE,
    },
  ]),
  ...WRONG_KEYS.map(
    ([what, key]): Case => ({
      name: `a key ${what} is refused`,
      line: 'Authentication.wrong credentials',
      request: 'GET /v0/tags',
      headers: { 'x-api-key': key },
      status: 401,
      contains: MESSAGE,
      containsNot: ['{{apiKey.key}}'],
    }),
  ),
  {
    name: 'a key works for its application',
    line: 'Authentication.of the application that issued the key',
    given: ['key'],
    request: 'GET /v0/tags',
    headers: { 'x-api-key': '{{key.key}}' },
    status: 200,
  },
  {
    name: 'a key does not work for another application',
    line: 'Authentication.of the application that issued the key',
    given: [OTHER_APPLICATION],
    request: 'GET /v0/tags',
    headers: { 'x-application-id': '{{other.id}}' },
    status: 403,
    contains: MESSAGE,
  },
  {
    name: 'a key does not work for an application that there is not',
    line: 'Authentication.of the application that issued the key',
    request: 'GET /v0/tags',
    headers: { 'x-application-id': '11111111-1111-4111-8111-111111111111' },
    status: 403,
    contains: MESSAGE,
  },
  {
    name: 'a key without the scope is forbidden what it asks for',
    line: 'Authentication.insufficient rights',
    given: ['reader'],
    request: 'POST /v0/tags',
    headers: { 'x-api-key': '{{reader.key}}' },
    body: { name: 'A' },
    status: 403,
    contains: { message: /write/ },
  },
  {
    name: 'a new key has the scopes of its maker without admin',
    given: ['key'],
    request: 'GET /v0/applications',
    headers: { 'x-api-key': '{{key.key}}' },
    status: 403,
    contains: { message: /admin/ },
  },
];
