import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireScope } from '../auth.ts';
import { parseRequest, type Route, serialise } from '../contract/route.ts';
import type { Scope } from '../contract/scope.ts';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    scope: Scope | null;
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
      const answer = await route.handler({
        ...parts,
        scope: request.scope,
        headers: request.headers,
        setHeader,
      });
      void reply.code(route.status);
      const body = serialise(route, answer);
      if (body === undefined) return reply.send();
      return reply
        .type('application/json; charset=utf-8')
        .send(typeof body === 'string' ? body : asBuffer(body));
    },
  });
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
