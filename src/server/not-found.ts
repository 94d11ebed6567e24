import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isOtlpPath } from '../ingest/otlp/paths.ts';
import { grpcCodeOf, jsonCodec } from '../ingest/otlp/response.ts';
import { meantPath, misspelledPath } from './meant-path.ts';

type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

interface UnknownOptions {
  /** Sends the page of the dashboard; null if this build has none. */
  sendPage: SendPage | null;
  /** Called for each request that is rejected with 404. */
  onUnknown: (request: FastifyRequest, error: AppError) => void;
}

/**
 * Responds to requests that no route matches: with the page of the dashboard where a browser opens one of its screens,
 * with 405 where another method is allowed, with 404 and the path that was probably meant elsewhere. Their bodies are
 * not read. Call before adding routes.
 */
export function handleUnknown(app: FastifyInstance, { sendPage, onUnknown }: UnknownOptions): void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const methods = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsOf.set(url, methods);
  });
  const notFound = (request: FastifyRequest, path: string): AppError => {
    const error = new AppError(
      'not_found',
      advice(methodsOf, request.method, shortened(path)) ?? 'Not found',
    );
    onUnknown(request, error);
    return error;
  };
  // The framework takes the empty part after a trailing slash for the id in a path.
  app.addHook('onRequest', (request, _reply, done) => {
    const path = (request.raw.url ?? '').split('?', 1).join('');
    const isEmptyId = path.endsWith('/') && /:\w+$/.test(request.routeOptions.url ?? '');
    done(isEmptyId ? notFound(request, path) : undefined);
  });
  const reject = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = (request.raw.url ?? '').split('?', 1).join('');
    const allowed = allowedMethods(methodsOf, path);
    if (allowed === '') throw notFound(request, path);
    const message = `${request.method} is not allowed on this path. Allowed: ${allowed}.${methodAdvice(request.method, path)}`;
    void reply.header('allow', allowed);
    if (!isOtlpPath(path)) throw new AppError('method_not_allowed', message);
    const status = { code: grpcCodeOf(405), message };
    return reply.code(405).type(jsonCodec.contentType).send(jsonCodec.encodeStatus(status));
  };
  const isPage = (request: FastifyRequest): boolean => sendPage !== null && opensPage(methodsOf, request);
  app.setNotFoundHandler((request, reply) =>
    sendPage !== null && isPage(request) ? sendPage(request, reply) : reject(request, reply),
  );
  // Runs before the body is read: for some methods the framework requires a body even when no route matches.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!request.is404 || isPage(request)) {
      done();
      return;
    }
    try {
      reject(request, reply);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Reports whether a browser opens a page, and at a path whose first part belongs to no route. */
function opensPage(methodsOf: ReadonlyMap<string, unknown>, { raw }: FastifyRequest): boolean {
  const isNavigation = raw.method === 'GET' && (raw.headers.accept ?? '').includes('text/html');
  return isNavigation && ![...methodsOf.keys()].some((url) => firstPart(url) === firstPart(raw.url ?? ''));
}

const firstPart = (url: string): string | undefined => url.split(/[/?]/, 2)[1];

const MAX_SHOWN_PATH = 200;
const shortened = (path: string): string =>
  path.length <= MAX_SHOWN_PATH ? path : `${path.slice(0, MAX_SHOWN_PATH)}…`;

/** Returns a sentence about the path that was probably meant; null if none is near. */
function advice(
  methodsOf: ReadonlyMap<string, ReadonlySet<string>>,
  method: string,
  path: string,
): string | null {
  const methodsAt = (candidate: string): string[] =>
    allowedMethods(methodsOf, candidate)
      .split(', ')
      .filter((name) => name !== '' && name !== 'HEAD');
  const names = new Set([...methodsOf.keys()].flatMap((url) => /^\/v\d\/([^/:]+)/.exec(url)?.[1] ?? []));
  return meantPath(method, path, methodsAt) ?? misspelledPath(path, [...names], methodsAt);
}

/** Explains a method that another server allows on the same path. */
function methodAdvice(method: string, path: string): string {
  if (method === 'GET' && isOtlpPath(path))
    return ' Exporters send spans to it; GET /v0/traces lists traces.';
  if (method === 'POST' && path === '/') return ' The path of an exporter of traces is /v1/traces.';
  return '';
}

/** Methods of the routes that serve a path, separated by commas; empty when there are none. */
function allowedMethods(methodsOf: ReadonlyMap<string, ReadonlySet<string>>, path: string): string {
  const matching = [...methodsOf].filter(([url]) => matches(url, path));
  // When a fixed path and one with a parameter match, the fixed one takes precedence.
  const best = matching.map(([url]) => specificity(url)).reduce((a, b) => (a > b ? a : b), '');
  const methods = matching.filter(([url]) => specificity(url) === best).flatMap(([, names]) => [...names]);
  return [...new Set(methods)].sort().join(', ');
}

/** Returns a rank as text: of two patterns that match one path, the more specific has the larger rank. */
const specificity = (url: string): string =>
  url
    .split('/')
    .map((part) => (part.startsWith(':') ? '0' : '1'))
    .join('');

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return false;
  return wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]));
}
