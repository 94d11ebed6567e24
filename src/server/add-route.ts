import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireScope } from '../auth.ts';
import { parseRequest, type Route, serialise } from '../contract/route.ts';
import type { Scope } from '../contract/scope.ts';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    scope: Scope | null;
  }
  interface FastifyContextConfig {
    /** Whether the body is handed on as it came. */
    takesBytes?: boolean;
  }
}

export interface RouteDeps {
  authenticate: (request: FastifyRequest) => Promise<Scope>;
}

/** Opens the door that a route describes. Who asks is found out before a body is read. */
export function addRoute(app: FastifyInstance, route: Route, { authenticate }: RouteDeps): void {
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { takesBytes: route.body === 'bytes' },
    // HEAD would run a stream to its end, with nobody listening.
    exposeHeadRoute: route.response !== 'events',
    onRequest: async (request) => {
      if (route.scope !== null) {
        request.scope = await authenticate(request);
        requireScope(request.scope, route.scope);
      }
      const encoding = request.headers['content-encoding'] ?? 'identity';
      if (encoding.toLowerCase() !== 'identity') {
        throw new AppError('unsupported_media_type', 'Content-Encoding is not supported here');
      }
    },
    handler: async (request, reply) => {
      const parts = parseRequest(route, {
        params: request.params,
        query: request.query as Record<string, string | string[]>,
        body: request.body,
      });
      const setHeader = (name: string, value: string): void => void reply.header(name, value);
      void reply.code(route.status);
      const answer = await route.handler({
        ...parts,
        scope: request.scope,
        headers: request.headers,
        setHeader,
        setStatus: (status) => void reply.code(status),
      });
      const body = serialise(route, answer);
      if (body === undefined) return reply.send();
      if (body instanceof Readable) return reply.headers(EVENT_HEADERS).send(body);
      return reply
        .type('application/json; charset=utf-8')
        .send(typeof body === 'string' ? body : asBuffer(body));
    },
  });
}

/** No proxy is to hold events back or change them. */
const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
