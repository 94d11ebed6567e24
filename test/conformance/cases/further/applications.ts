/** Applications. */
import type { Case } from '../../case.ts';
import { missing } from '../../lists.ts';
import { APPLICATION, invalid, page, UNKNOWN } from '../../records.ts';
import { ANY, UUID, TEXT, TIME, only } from '../../shapes.ts';

const EXAMPLE_DATA = '/v0/applications/{{application.id}}/example-data';
const NO_EXAMPLES = { status: 'NONE', step: null, stepsDone: 0, steps: 5, failure: null, startedAt: null };

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
    name: 'the health of an application that has received nothing is shown',
    line: 'ApplicationHealth.*',
    request: 'GET /v0/applications/{{application.id}}/health',
    status: 200,
    contains: {
      data: {
        checkedAt: TIME,
        checks: ANY,
        lastSpan: null,
        lastRejection: null,
        lastDelivery: null,
        lastUnauthorized: ANY,
        traces: { from: TIME, total: 0, withoutTest: 0 },
        clockDifferenceMs: null,
      },
    },
  },
  missing(`GET /v0/applications/${UNKNOWN}/health`),
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
  {
    name: 'the state of example data is read',
    request: `GET ${EXAMPLE_DATA}`,
    status: 200,
    contains: only({ data: only(NO_EXAMPLES) }),
  },
  {
    name: 'example data is loaded',
    request: `POST ${EXAMPLE_DATA}`,
    status: 202,
    contains: { data: { status: 'LOADING', steps: NO_EXAMPLES.steps, failure: null, startedAt: TIME } },
  },
  {
    name: 'example data is removed',
    given: [
      { request: `POST ${EXAMPLE_DATA}` },
      { request: `GET ${EXAMPLE_DATA}`, until: { data: { status: 'READY' } } },
    ],
    request: `DELETE ${EXAMPLE_DATA}`,
    status: 202,
    contains: { data: { status: 'REMOVING', failure: null } },
  },
  missing(`DELETE ${EXAMPLE_DATA}`),
  missing(`GET /v0/applications/${UNKNOWN}`),
  missing(`DELETE /v0/api-keys/${UNKNOWN}`),
];
