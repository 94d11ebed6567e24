import { STATUS_CODES } from 'node:http';
import { errorResponse, INTERNAL_MESSAGE, validationErrorResponse } from '../contract/errors.ts';
import { ERROR_STATUS, type ErrorCode } from '../errors.ts';
import type { Header, Reference, Response } from './document.ts';
import type { Schemas } from './json-schema.ts';

export const responseHeaders: Record<string, Header> = {
  RequestId: {
    description:
      'Id of the request, which also appears in the log of the server. If the request had this header, its value is used.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds after which to retry.', schema: { type: 'integer', minimum: 1 } },
};

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
export const RETRY_AFTER = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };

/** Meaning of each error, and an example of its message. */
const ERRORS: Readonly<Record<ErrorCode, readonly [description: string, message: string]>> = {
  bad_request: ['Not JSON, or contradictory parameters', 'The body is not valid JSON'],
  unauthorized: ['The API key is missing or not valid', 'The API key is not valid'],
  forbidden: [
    'The API key belongs to another application or lacks the scope',
    'The API key lacks the scope "write"',
  ],
  not_found: ['Does not exist in this application', 'Not found'],
  method_not_allowed: [
    'The method is not allowed; see `Allow`',
    'PATCH is not allowed on this path. Allowed: GET, PUT, DELETE.',
  ],
  conflict: ['The current state does not allow the call', 'The task is archived'],
  precondition_failed: [
    'The record has changed since the version in `If-Match`',
    'Task was changed at 2026-11-05T09:30:00.000Z, after the version that this change was made from',
  ],
  too_large: ['The body is too large', 'The body is too large'],
  unsupported_media_type: [
    'Content type or encoding is not supported',
    'Content-Type must be application/json',
  ],
  misdirected: [
    'The `Host` of the request is not one of this server',
    'The host "example.com" is unknown. Open the server at its own address, or list the host in TOUCHSTONE_KNOWN_HOSTS.',
  ],
  invalid: ['A value in the request is not valid', 'Invalid request: id: must be a UUID'],
  rate_limited: ['Too many requests', 'This key may send at most 600 calls per minute; retry later'],
  internal: ['Internal server error', INTERNAL_MESSAGE],
  unavailable: ['Busy: retry later', 'The store is busy; retry later; retry later'],
};

const ISSUES = [{ code: 'invalid_string', message: 'must be a UUID', path: ['id'] }];

const nameOf = (code: ErrorCode): string =>
  code.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** Responses that are sent before the operation is known: status → description and message. */
const CONNECTION_ERRORS = {
  408: ['The request arrived too slowly', 'Request Timeout'],
  431: ['URL and headers exceed 16 KiB together', 'Request Header Fields Too Large'],
} as const;
const CONNECTION_NAMES = { 408: 'RequestTimeout', 431: 'HeadersTooLarge' } as const;

/** References to the responses that every path may return. */
export const connectionReferences: Readonly<Record<string, Reference>> = Object.fromEntries(
  Object.entries(CONNECTION_NAMES).map(([status, name]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]),
);

/** Returns a reference for each of `codes`, by status. */
export function errorReferences(codes: ReadonlySet<ErrorCode>): Record<string, Reference> {
  return Object.fromEntries(
    [...codes].map((code) => [ERROR_STATUS[code], { $ref: `#/components/responses/${nameOf(code)}` }]),
  );
}

/** Returns every error response, by name. */
export function errorResponses(schemas: Schemas): Record<string, Response> {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const ofConnection = ([408, 431] as const).map((status) => {
    const [description, message] = CONNECTION_ERRORS[status];
    const content = {
      'application/json': { schema: schemas.of(errorResponse, 'response'), example: { message } },
    };
    return [CONNECTION_NAMES[status], { description, headers: REQUEST_ID, content }] as const;
  });
  const ofOperations = codes.map((code) => {
    const [description, message] = ERRORS[code];
    const isTemporary = code === 'rate_limited' || code === 'unavailable';
    const schema = schemas.of(code === 'invalid' ? validationErrorResponse : errorResponse, 'response');
    const example = code === 'invalid' ? { message, issues: ISSUES } : { message };
    return [
      nameOf(code),
      {
        description,
        headers: { ...REQUEST_ID, ...(isTemporary && RETRY_AFTER) },
        content: { 'application/json': { schema, example } },
      },
    ] as const;
  });
  return Object.fromEntries<Response>([...ofOperations, ...ofConnection]);
}

/** Describes a successful response, with or without a body. */
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
