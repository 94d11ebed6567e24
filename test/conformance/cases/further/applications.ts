/** Applications. */
import type { Case } from '../../case.ts';
import { missing } from '../../lists.ts';
import { APPLICATION, invalid, page, UNKNOWN } from '../../records.ts';
import { UUID, TEXT, only } from '../../shapes.ts';

export const APPLICATIONS: readonly Case[] = [
  {
    name: 'an application is made with its first key',
    line: 'Application.*',
    request: 'POST /v0/applications',
    body: { title: 'Späte Hilfe', type: 'AGENT' },
    status: 201,
    contains: only({
      data: only({ ...APPLICATION, id: UUID, title: 'Späte Hilfe', slug: 'spate-hilfe', type: 'AGENT' }),
      apiKey: only({ id: UUID, key: /^sk_/, name: TEXT }),
    }),
  },
  {
    name: 'an application may be of a new organisation',
    request: 'POST /v0/applications',
    body: { title: 'A', type: 'AGENT', newOrganisation: true },
    status: 201,
    containsNot: ['{{application.orgId}}'],
  },
  {
    name: 'applications are listed',
    request: 'GET /v0/applications',
    status: 200,
    contains: only({ data: [only(APPLICATION)], pagination: page(1) }),
  },
  {
    name: 'an application is read',
    request: 'GET /v0/applications/{{application.id}}',
    status: 200,
    contains: only({ data: only(APPLICATION) }),
  },
  {
    name: 'an application is changed',
    request: 'PUT /v0/applications/{{application.id}}',
    body: { environment: 'PROD', context: 'A shop' },
    status: 200,
    contains: { data: { ...APPLICATION, environment: 'PROD', context: 'A shop' } },
  },
  {
    name: 'an application needs a title and a type',
    request: 'POST /v0/applications',
    body: {},
    status: 422,
    contains: invalid([['title'], 'invalid_type'], [['type'], 'invalid_type']),
  },
  {
    name: 'an application has no other type',
    request: 'POST /v0/applications',
    body: { title: 'A', type: 'BOT' },
    status: 422,
    contains: invalid([['type'], 'invalid_enum_value']),
  },
  missing(`GET /v0/applications/${UNKNOWN}`),
  missing(`DELETE /v0/api-keys/${UNKNOWN}`),
];
