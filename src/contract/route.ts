import type { Readable } from 'node:stream';
import { z } from 'zod';
import { inHostedForm } from './client-form.ts';
import { AppError, type ErrorCode, type Issue } from '../errors.ts';
import { renameAliases } from './aliases.ts';
import { invalid, issuesOf } from './errors.ts';
import { normaliseQuery, type RawQuery } from './query.ts';
import type { RouteGroup } from './route-group.ts';
import type { Principal, ScopeName } from './scope.ts';
import { illFormedTexts } from './well-formed.ts';
import { unknownFields } from './unknown-fields.ts';
import { isUpload, type Upload, type UploadBody } from './upload.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Type that the handler receives for a part of the request. */
export type Parsed<S> = S extends z.ZodType
  ? z.output<S>
  : S extends Upload<infer F>
    ? UploadBody<F>
    : S extends 'bytes'
      ? Uint8Array
      : undefined;
/**
 * Type of a response. `bytes` is JSON that is already text, `events` a stream of Server-Sent Events, `stream` one of
 * the media types that the route lists; `null` means no body.
 */
export type ResponseOf<R> = R extends z.ZodType
  ? z.input<R>
  : R extends 'bytes'
    ? Uint8Array | string | undefined
    : R extends 'events' | 'stream'
      ? Readable
      : undefined;
type Status = 200 | 201 | 202 | 204;
/** Status of a successful response, including 304 without a body. */
type FurtherStatus = Status | 304;

export interface RouteContext<P, Q, B, S> {
  principal: S;
  params: P;
  query: Q;
  body: B;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The `x-request-id` of the response. */
  requestId: string;
  /** Address of the client. */
  address: string;
  /** Aborts once the caller may no longer make this call; its reason is the AppError that says why. */
  revoked: AbortSignal;
  setHeader: (name: string, value: string | string[]) => void;
  /** Sets the status of a successful response, if it is not the usual one. */
  setStatus: (status: FurtherStatus) => void;
}

interface RouteShape<P, Q, B, R> {
  method: Method;
  /** Path in OpenAPI's notation: `/v0/tags/{id}`. */
  path: `/${string}`;
  /** Name of the operation in generated clients. It never changes. */
  operationId: string;
  /** Group of the route in the API reference. */
  group: RouteGroup;
  summary: string;
  description?: string;
  /** JSON bodies of one call; `response` of a stream is its text. */
  example?: { body?: unknown; response?: unknown };
  /** Scope that the API key must have; null if no key is needed. */
  scope: ScopeName | null;
  /** Callers of a route without a scope: anyone, or a signed-in browser. Default: anyone. */
  caller?: 'anyone' | 'login';
  params?: P;
  query?: Q;
  /** Schema of the body. `bytes` is JSON that the handler parses itself; `upload()` is a form with a file. */
  body?: B;
  /** Fields of the body that may be sent although they change nothing: those of the record that a caller has read. */
  readOnlyFields?: readonly string[];
  /** Removes unknown properties from the response, at every level. */
  response: R;
  /** Other statuses of success. A response with any of them except 204 and 304 has the body that `response` describes. */
  furtherStatuses?: readonly FurtherStatus[];
  /** Media type of the response, if it is not JSON. */
  mediaType?: string;
  /** Media types of a `stream`. */
  mediaTypes?: readonly string[];
  /** Errors besides those that every route may return. */
  errors?: readonly ErrorCode[];
  /** Schemas for the API document only, for bytes or events that the server does not check. */
  documents?: { body?: z.ZodType; response?: z.ZodType };
  /** Headers besides those of every route, with their meanings. */
  requestHeaders?: Readonly<Record<string, string>>;
  responseHeaders?: Readonly<Record<string, string>>;
}

type Optional = z.ZodType | undefined;
type Body = Optional | 'bytes' | Upload;
type Response = z.ZodType | 'bytes' | 'events' | 'stream' | null;

/** A route as the server and the API document use it. */
export interface Route extends RouteShape<z.ZodType, z.ZodType, z.ZodType | 'bytes' | Upload, Response> {
  /** Status of a successful response. */
  status: Status;
  handler(context: RouteContext<unknown, unknown, unknown, Principal | null>): unknown;
}

/** Declares a route as one plain object, from which validation, serialisation and documentation follow. */
export function route<
  P extends Optional = undefined,
  Q extends Optional = undefined,
  B extends Body = undefined,
  R extends Response = null,
  S extends ScopeName | null = ScopeName,
>(
  definition: RouteShape<P, Q, B, R> & {
    scope: S;
    /** Default: 200, or 204 if the response has no body. */
    status?: Status;
    handler: (
      context: RouteContext<Parsed<P>, Parsed<Q>, Parsed<B>, S extends null ? null : Principal>,
    ) => ResponseOf<R> | Promise<ResponseOf<R>>;
  },
): Route {
  return { status: definition.response === null ? 204 : 200, ...definition } as unknown as Route;
}

const NO_QUERY = z.object({});

export interface RawRequest {
  params: unknown;
  query: RawQuery;
  /** Parsed body; undefined when there was none. */
  body: unknown;
}

/** Parses the parts of a request by the schemas of the route. Throws AppError with all issues. */
export function parseRequest(
  { params, query, body: wanted, readOnlyFields = [] }: Route,
  raw: RawRequest,
): { params: unknown; query: unknown; body: unknown } {
  const body = isUpload(wanted) ? wanted.schema : wanted;
  if (body && raw.body === undefined && (body === 'bytes' || !body.safeParse(undefined).success)) {
    throw new AppError('bad_request', 'The request must have a JSON body');
  }
  const issues: Issue[] = [];
  const parse = (schema: z.ZodType | undefined, sent: unknown, ignored: readonly string[] = []): unknown => {
    if (!schema) return undefined;
    const { value, issues: doubled } = renameAliases(schema, sent);
    const parsed = schema.safeParse(value, { reportInput: true });
    issues.push(
      ...illFormedTexts(sent),
      ...doubled,
      ...unknownFields(schema, value, ignored),
      ...(parsed.success ? [] : issuesOf(parsed.error)),
    );
    return parsed.data;
  };
  const request = {
    params: parse(params, raw.params),
    query: parse(query ?? NO_QUERY, normaliseQuery(raw.query)),
    body: body === 'bytes' ? raw.body : parse(body, raw.body, readOnlyFields),
  };
  if (issues.length > 0) throw invalid(issues);
  return request;
}

/** Returns the body of a response: its text, with only the properties in the schema of the route, or its events. */
export function serialise(
  { response }: Route,
  answer: unknown,
  isHosted = false,
): string | Uint8Array | Readable | undefined {
  if (response === null || answer === undefined) return undefined;
  if (typeof response === 'string') return answer as string | Uint8Array | Readable;
  const body: unknown = response.parse(answer);
  return JSON.stringify(isHosted ? inHostedForm(body) : body);
}
