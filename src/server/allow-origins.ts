import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const CORS_HEADERS = [
  'content-type',
  'content-encoding',
  'x-api-key',
  'x-application-id',
  'x-request-id',
  'traceparent',
  'tracestate',
  'idempotency-key',
  'if-none-match',
  'x-explain',
  'prefer',
  'x-client-form',
];

/** Allows requests from pages of these origins; their preflight requests need no API key. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  void app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: CORS_HEADERS,
    exposedHeaders: ['etag', 'x-request-id', 'retry-after', 'x-run-ids'],
    maxAge: 86_400,
  });
}
