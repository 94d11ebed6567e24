import type { FastifyRequest } from 'fastify';
import type { RequestHead } from './intake.ts';

/** Returns the head of an HTTP request. */
export const headOf = ({ id, method, originalUrl, headers, raw }: FastifyRequest): RequestHead => ({
  id,
  method,
  path: originalUrl,
  headers,
  peer: raw.socket.remoteAddress ?? '',
});
