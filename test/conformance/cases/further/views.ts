import type { Case, Step } from '../../case.ts';
import { listCases, missing } from '../../lists.ts';
import { MESSAGE, OWNED, invalid, page, UNKNOWN } from '../../records.ts';
import { only, TEXT } from '../../shapes.ts';

const FIELDS = {
  ...OWNED,
  name: 'Errors',
  screen: 'traces',
  filter: { q: ['errors:yes'] },
  columns: null,
  sort: '-cost',
  isShared: true,
  createdBy: only({ type: 'key', id: TEXT, name: TEXT }),
};
const VIEW = only(FIELDS);

const post = (body: object): Step => ({ request: 'POST /v0/views', body });

export const VIEWS: readonly Case[] = [
  {
    name: 'a view is saved',
    line: 'View.*',
    request: 'POST /v0/views',
    body: { name: 'Errors', screen: 'traces', filter: { q: ['errors:yes'] }, sort: '-cost', isShared: true },
    status: 201,
    contains: only({ data: VIEW }),
  },
  {
    name: 'a view is read',
    given: ['view'],
    request: 'GET /v0/views/{{view.id}}',
    status: 200,
    contains: only({ data: VIEW }),
  },
  {
    name: 'a view is changed',
    given: ['view'],
    request: 'PUT /v0/views/{{view.id}}',
    body: { name: 'Failed', columns: ['name', 'cost'] },
    status: 200,
    contains: only({ data: only({ ...FIELDS, name: 'Failed', columns: ['name', 'cost'] }) }),
  },
  {
    name: 'views of a screen are listed',
    given: ['view', post({ name: 'Failed', screen: 'tests', filter: { status: ['FAILED'] } })],
    request: 'GET /v0/views?screen=traces',
    status: 200,
    contains: only({ data: [VIEW], pagination: page(1) }),
  },
  {
    name: 'a view is deleted',
    given: ['view'],
    request: 'DELETE /v0/views/{{view.id}}',
    status: 204,
    after: { request: 'GET /v0/views/{{view.id}}', status: 404, contains: MESSAGE },
  },
  {
    name: 'a view needs a name of its own',
    given: ['view'],
    request: 'POST /v0/views',
    body: { name: 'Errors', screen: 'traces', isShared: true },
    status: 409,
    contains: MESSAGE,
  },
  {
    name: 'a view belongs to a screen that has views',
    request: 'POST /v0/views',
    body: { name: 'Errors', screen: 'tags' },
    status: 422,
    contains: invalid([['screen'], 'invalid_enum_value']),
  },
  missing(`DELETE /v0/views/${UNKNOWN}`),
  ...listCases({
    path: '/v0/views',
    given: ['B', 'A', 'C'].map((name) => post({ name, screen: 'tests' })),
    total: 3,
    fields: ['createdAt', 'modifiedAt', 'name', 'id'],
  }),
];
