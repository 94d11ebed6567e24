import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isOtlpPath } from '../ingest/otlp/paths.ts';
import { grpcCodeOf, jsonCodec } from '../ingest/otlp/response.ts';

type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Responds to requests that no route matches: with the page of the dashboard where a browser opens one of its screens,
 * with 405 where another method is allowed, with 404 elsewhere. Their bodies are not read. Call before adding routes.
 */
export function handleUnknown(app: FastifyInstance, sendPage: SendPage | null): void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const methods = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsOf.set(url, methods);
  });
  const reject = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = (request.raw.url ?? '').split('?', 1).join('');
    const allowed = allowedMethods(methodsOf, path);
    if (allowed === '') throw new AppError('not_found', 'Not found');
    const message = `${request.method} is not allowed on this path. Allowed: ${allowed}.`;
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
