/** Statuses that every call has, and what else holds for all of them. */
import type { Case } from '../case.ts';
import { invalid, MESSAGE, page, UNKNOWN } from '../records.ts';
import { only } from '../shapes.ts';

const CLOSED = 'Errors.ErrorResponse closed';
const error = (name: string, status: number, more: Omit<Case, 'name' | 'status'>): Case => ({
  line: [CLOSED, 'Errors.message'],
  contains: MESSAGE,
  name,
  status,
  ...more,
});
const wrongMethod = (method: 'PATCH' | 'DELETE' | 'PUT' | 'POST', path: `/${string}`, allow: RegExp): Case =>
  error(`${method} ${path} is no call`, 405, {
    request: `${method} ${path}`,
    answerHeaders: { allow },
  });

export const ERROR_CASES: readonly Case[] = [
  error('a body that is no JSON is a bad request', 400, { request: 'POST /v0/tags', body: '{"name": tag}' }),
  error('a call without its body is a bad request', 400, { request: 'POST /v0/tags' }),
  error('an unknown path is not found', 404, { request: 'GET /v0/nothing' }),
  error('an unknown path under a known one is not found', 404, { request: `GET /v0/tags/${UNKNOWN}/more` }),
  error('there is no version 2', 404, { request: 'GET /v2/tags', line: [CLOSED, 'Versioning.v0'] }),
  wrongMethod('PATCH', `/v0/tags/${UNKNOWN}`, /GET.*PUT|PUT.*GET/),
  wrongMethod('DELETE', '/v0/tags', /POST/),
  wrongMethod('PUT', '/v0/ingest', /^POST$/),
  wrongMethod('POST', '/v0/runs', /GET/),
  error('a tag of another application is not found', 404, {
    given: [
      'tag',
      { as: 'other', whole: true, request: 'POST /v0/applications', body: { title: 'B', type: 'AGENT' } },
    ],
    request: 'GET /v0/tags/{{tag.id}}',
    headers: { 'x-api-key': '{{other.apiKey.key}}', 'x-application-id': '{{other.data.id}}' },
    contains: { message: 'tag not found' },
  }),
  error('a state that forbids the call is a conflict', 409, {
    given: ['webhook', 'task', { request: 'PUT /v0/tasks/{{task.id}}', body: { status: 'ARCHIVED' } }],
    request: 'POST /v0/tasks/trigger',
    body: { taskIds: ['{{task.id}}'] },
  }),
  error('a body that is too large is refused', 413, {
    request: 'POST /v0/tags',
    body: { name: 'n'.repeat(2_000_000) },
  }),
  error('a body of another type is refused', 415, {
    request: 'POST /v0/tags',
    headers: { 'content-type': 'text/plain' },
    body: 'name=A',
  }),
  error('a body in an encoding that is not taken is refused', 415, {
    request: 'POST /v0/tags',
    headers: { 'content-encoding': 'gzip' },
    body: { name: 'A' },
  }),
  error('too many calls are told to wait', 429, {
    on: 'limited',
    given: [{ request: 'GET /v0/tags' }],
    request: 'GET /v0/tags',
    answerHeaders: { 'retry-after': /^\d+$/ },
  }),
  {
    name: 'all that is wrong is told at once',
    line: ['Errors.*', 'Errors.issue-message'],
    request: 'POST /v0/tags',
    body: { name: '', color: 'red', status: 'X' },
    status: 422,
    contains: invalid(
      [['name'], 'too_small'],
      [['color'], 'invalid_string'],
      [['status'], 'invalid_enum_value'],
    ),
  },
  {
    name: 'path, query and body are told of together',
    line: 'Errors.path',
    request: 'PUT /v0/tags/x',
    body: { name: 1 },
    status: 422,
    contains: invalid([['id'], 'invalid_string'], [['name'], 'invalid_type']),
  },
  {
    name: 'a list of nothing has no pages',
    line: 'Pagination.totalCount nowhere else',
    request: 'GET /v0/tags',
    status: 200,
    contains: only({ data: [], pagination: page(0) }),
  },
  {
    name: 'the description says which version it is of',
    line: 'Versioning.0.1.0',
    request: 'GET /openapi.json',
    headers: { 'x-api-key': null, 'x-application-id': null },
    status: 200,
    contains: { openapi: /^3\./, info: { version: '0.1.0' } },
  },
  {
    name: 'it is known to be alive without a key',
    request: 'GET /healthz',
    headers: { 'x-api-key': null, 'x-application-id': null },
    status: 200,
  },
  {
    name: 'it is known to be ready without a key',
    request: 'GET /readyz',
    headers: { 'x-api-key': null, 'x-application-id': null },
    status: 200,
  },
];
