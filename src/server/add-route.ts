import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_FORM, HOSTED } from '../contract/client-form.ts';
import { mayContain } from '../contract/may-contain.ts';
import type { RawQuery } from '../contract/query.ts';
import { parseRequest, type Route, serialise } from '../contract/route.ts';
import type { Principal, ScopeName } from '../contract/scope.ts';
import { isUpload, type Upload } from '../contract/upload.ts';
import { AppError } from '../errors.ts';
import { NEVER_REVOKED, type OpenCall, unlessRevoked } from '../runtime/open-calls.ts';
import type { Audit } from './audit.ts';
import { breakUnended } from './break-unended.ts';
import { onceResponded } from './once-responded.ts';
import { WITHHELD_FIELDS } from '../traces/withheld/hidable.ts';
import type { Withhold } from '../traces/withheld/withhold.ts';
import { type PlainFile, type UploadLimits, withUpload } from './read-upload.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** Aborts once the caller may no longer make the call. */
    revoked: AbortSignal;
    /** Response whose end releases all resources of the request. */
    response: ServerResponse;
  }
  interface FastifyContextConfig {
    /** True if the handler receives the bytes of the body. */
    takesBytes?: boolean;
    /** True if the request changes nothing, regardless of its method. */
    isRead?: boolean;
    /** True if all responses share the same bytes. */
    isShared?: boolean;
  }
}

/** Authenticates the caller of a request, who needs a scope, and watches over the permission. Throws AppError. */
export type AuthenticateCaller = (
  request: FastifyRequest,
  scope: ScopeName,
) => Promise<{ principal: Principal; call: OpenCall }>;

export interface EndpointDeps {
  authenticate: AuthenticateCaller;
  record: Audit['record'];
  clientAddress: (request: FastifyRequest) => string;
  uploads: UploadLimits;
  /** Replaces the verdicts in a response that are withheld from its caller, who reviews their traces. */
  withhold: Withhold;
}

/** Adds the endpoint that a route describes. The caller is authenticated before a body is read. */
export function addRoute(app: FastifyInstance, route: Route, deps: EndpointDeps): void {
  if (!isUpload(route.body)) {
    addEndpoint(app, route, deps);
    return;
  }
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    // The handler reads the form or the file.
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    addEndpoint(scope, route, deps);
    done();
  });
}

function addEndpoint(app: FastifyInstance, route: Route, deps: EndpointDeps): void {
  const { authenticate, uploads } = deps;
  const form = isUpload(route.body) ? route.body : null;
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { takesBytes: route.body === 'bytes', isRead: isRead(route) },
    // HEAD would generate a complete stream without sending it.
    exposeHeadRoute: route.response !== 'events' && route.response !== 'stream',
    onRequest: async (request, reply) => {
      request.revoked = NEVER_REVOKED;
      if (route.scope !== null) await admit(request, reply.raw, authenticate(request, route.scope));
      requireReadableQuery(request);
      const encoding = request.headers['content-encoding'] ?? 'identity';
      if (encoding.toLowerCase() !== 'identity') {
        throw new AppError(
          'unsupported_media_type',
          'Content-Encoding is not supported on this path; send the body uncompressed',
        );
      }
      if (form) requireUploadType(form, request);
    },
    handler: (request, reply) => {
      const answer = (body: unknown, query = request.query as RawQuery): Promise<FastifyReply> =>
        respond(route, request, reply, { body, query, ...deps });
      if (!form) return answer(request.body);
      const plain = plainFileOf(form, request);
      const sender = { owner: request.principal?.application ?? null, plain, revoked: request.revoked };
      if (Object.keys(form.fileTypes).length === 0) return withUpload(request.raw, sender, uploads, answer);
      // Fields may be in the query: of a file always, of a form where it lacks them, as generated clients send defaults.
      const more = plain ? {} : (request.query as RawQuery);
      return withUpload(request.raw, sender, uploads, (body) => answer({ ...more, ...body }, {}));
    },
  });
}

/** Notes the caller of a request, whose permission is watched until the response has ended. */
async function admit(
  request: FastifyRequest,
  response: ServerResponse,
  authenticated: ReturnType<AuthenticateCaller>,
): Promise<void> {
  const { principal, call } = await authenticated;
  request.principal = principal;
  request.revoked = call.revoked;
  onceResponded(response, call.end);
}

/** Rejects a query that cannot be decoded: the framework would pass it on as it stands, and a search would find nothing. */
function requireReadableQuery({ raw: { url = '' } }: FastifyRequest): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  try {
    decodeURIComponent(url.slice(start + 1));
  } catch {
    throw new AppError('bad_request', 'The query of the request is not valid');
  }
}

const FORM = /^multipart\/form-data *;/i;

/** Returns the name and the fields of a body that is the file itself; null for a form. */
function plainFileOf({ fileTypes }: Upload, { headers, query }: FastifyRequest): PlainFile | null {
  const mediaType = (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();
  if (!Object.hasOwn(fileTypes, mediaType)) return null;
  return { name: `body${fileTypes[mediaType]}`, fields: query as PlainFile['fields'] };
}

function requireUploadType(form: Upload, request: FastifyRequest): void {
  if (FORM.test(request.headers['content-type'] ?? '') || plainFileOf(form, request)) return;
  const types = ['multipart/form-data', ...Object.keys(form.fileTypes)];
  const allowed = types.length === 1 ? types.join() : `one of ${types.join(', ')}`;
  throw new AppError('unsupported_media_type', `Content-Type must be ${allowed}`);
}

async function respond(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    body,
    query,
    record,
    clientAddress,
    withhold,
  }: Pick<EndpointDeps, 'record' | 'clientAddress' | 'withhold'> & { body: unknown; query: RawQuery },
): Promise<FastifyReply> {
  const parts = parseRequest(route, {
    params: request.params,
    query,
    body,
  });
  const setHeader = (name: string, value: string | string[]): void => void reply.header(name, value);
  void reply.code(route.status);
  const { principal, headers, id: requestId } = request;
  const { revoked } = request;
  const isWithholding = principal !== null && showsVerdicts(route);
  const withheldBefore = isWithholding && !isRead(route) ? await withhold.before(principal) : null;
  const work = record(route, { principal, params: parts.params, requestId, revoked }, async () =>
    route.handler({
      ...parts,
      principal,
      headers,
      requestId,
      address: clientAddress(request),
      revoked,
      setHeader,
      setStatus: (status) => void reply.code(status),
    }),
  );
  // What a call has changed is reported, even if its caller may no longer make it.
  const answer = await (isRead(route) ? unlessRevoked(revoked, closeLate(work, revoked)) : work);
  const shown = isWithholding && isRead(route) ? await withhold(principal, answer) : answer;
  const text = serialise(route, withheldBefore?.(shown) ?? shown, headers[CLIENT_FORM] === HOSTED);
  if (text === undefined) return reply.send();
  if (text instanceof Readable) {
    const ownHeaders = route.response === 'events' ? EVENT_HEADERS : {};
    return reply.headers(ownHeaders).send(breakUnended(text, reply.raw));
  }
  if (!reply.hasHeader('content-type')) void reply.type(route.mediaType ?? JSON_TYPE);
  return reply.send(typeof text === 'string' ? text : asBuffer(text));
}

const withVerdicts = new WeakMap<Route, boolean>();

/** Reports whether a response of a route may have something that is withheld from reviewers. */
function showsVerdicts(route: Route): boolean {
  const { response } = route;
  if (response === null || typeof response === 'string') return false;
  const known = withVerdicts.get(route);
  if (known !== undefined) return known;
  const shows = mayContain(response, WITHHELD_FIELDS);
  withVerdicts.set(route, shows);
  return shows;
}

const isRead = ({ method, scope }: Route): boolean => method === 'GET' || scope === 'read';

/** Destroys a stream that is opened after its caller has lost the permission, and so has no reader. */
async function closeLate(work: Promise<unknown>, revoked: AbortSignal): Promise<unknown> {
  const result = await work;
  if (revoked.aborted && result instanceof Readable) result.destroy();
  return result;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Keeps proxies from delaying or changing events. */
const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
