import { STATUS_CODES } from 'node:http';
import { errorResponse, INTERNAL_MESSAGE, validationErrorResponse } from '../contract/errors.ts';
import { ERROR_STATUS, type ErrorCode } from '../errors.ts';
import type { Header, Reference, Response } from './document.ts';
import type { Schemas } from './json-schema.ts';

export const answerHeaders: Record<string, Header> = {
  RequestId: {
    description: 'Names the request, in the log of the server too. Yours, when the request had one.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds after which to send again.', schema: { type: 'integer', minimum: 1 } },
};

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
export const RETRY_AFTER = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };

/** What each error says, and an example of its message. */
const ERRORS: Readonly<Record<ErrorCode, readonly [description: string, message: string]>> = {
  bad_request: ['Not JSON, or parts that contradict each other', 'The body is not valid JSON'],
  unauthorized: ['No API key, or one that is not valid', 'The API key is not valid'],
  forbidden: [
    'The API key is not of this application, or lacks the scope',
    'The API key lacks the scope "write"',
  ],
  not_found: ['Not there, or not of this application', 'Not found'],
  method_not_allowed: ['Another method would do: see `Allow`', 'PATCH is not possible here'],
  conflict: ['The state of things forbids the call', 'The task is archived'],
  too_large: ['The body is too large', 'The body is too large'],
  unsupported_media_type: ['Not this content type or encoding', 'Content-Type must be application/json'],
  invalid: ['Something in the request is not valid', 'Invalid request: id: must be a UUID'],
  rate_limited: ['Too many calls', 'More than 600 calls a minute with this key'],
  internal: ['A fault of the server', INTERNAL_MESSAGE],
  unavailable: ['Busy: send again', 'The store is busy'],
};

const ISSUES = [{ code: 'invalid_string', message: 'must be a UUID', path: ['id'] }];

const nameOf = (code: ErrorCode): string =>
  code.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** Responses that the connection sends before an operation is known: status → description and message. */
const CONNECTION_ERRORS = {
  408: ['The request arrived too slowly', 'Request Timeout'],
  431: ['Address and headers are larger than 16 KiB together', 'Request Header Fields Too Large'],
} as const;
const CONNECTION_NAMES = { 408: 'RequestTimeout', 431: 'HeadersTooLarge' } as const;

/** References to the responses that every path can have. */
export const connectionReferences: Readonly<Record<string, Reference>> = Object.fromEntries(
  Object.entries(CONNECTION_NAMES).map(([status, name]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]),
);

/** A reference for each of `codes`, by status. */
export function errorReferences(codes: ReadonlySet<ErrorCode>): Record<string, Reference> {
  return Object.fromEntries(
    [...codes].map((code) => [ERROR_STATUS[code], { $ref: `#/components/responses/${nameOf(code)}` }]),
  );
}

/** Every answer that tells of an error, by name. */
export function errorResponses(schemas: Schemas): Record<string, Response> {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const ofConnection = ([408, 431] as const).map((status) => {
    const [description, message] = CONNECTION_ERRORS[status];
    const content = {
      'application/json': { schema: schemas.of(errorResponse, 'answer'), example: { message } },
    };
    return [CONNECTION_NAMES[status], { description, headers: REQUEST_ID, content }] as const;
  });
  const ofOperations = codes.map((code) => {
    const [description, message] = ERRORS[code];
    const isPassing = code === 'rate_limited' || code === 'unavailable';
    const schema = schemas.of(code === 'invalid' ? validationErrorResponse : errorResponse, 'answer');
    const example = code === 'invalid' ? { message, issues: ISSUES } : { message };
    return [
      nameOf(code),
      {
        description,
        headers: { ...REQUEST_ID, ...(isPassing && RETRY_AFTER) },
        content: { 'application/json': { schema, example } },
      },
    ] as const;
  });
  return Object.fromEntries<Response>([...ofOperations, ...ofConnection]);
}

/** A success, without or with a body. */
export function success(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  content?: Response['content'],
): Response {
  const own = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    description: STATUS_CODES[status] ?? 'Success',
    headers: { ...REQUEST_ID, ...(Object.fromEntries(own) as Record<string, Header>) },
    ...(content && { content }),
  };
}
