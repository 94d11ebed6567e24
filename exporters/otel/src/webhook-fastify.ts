import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeListener } from './webhook-node.ts';
import type { WebhookHandler } from './webhook.ts';

/** Members used of a Fastify instance. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  all(
    path: string,
    handler: (
      request: { raw: IncomingMessage },
      reply: { raw: ServerResponse; hijack: () => unknown },
    ) => void,
  ): unknown;
}

/**
 * A plugin for Fastify: `app.register(toFastifyPlugin(handler), { prefix: '/touchstone' })`. In the plugin's own scope
 * bodies are left unparsed; the rest of the app parses as before.
 */
export function toFastifyPlugin(handler: WebhookHandler): (scope: FastifyScope) => Promise<void> {
  const listener = toNodeListener(handler);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('/', ({ raw }, reply) => {
      reply.hijack();
      listener(raw, reply.raw);
    });
  };
}
