import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, INTERNAL_MESSAGE } from '../contract/errors.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Log } from '../runtime/log.ts';

/** What the framework refuses before a handler sees it, in our words. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['bad_request', 'The path of the request is not valid'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'Not found'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is too large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body is not as long as Content-Length says'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Content-Type must be application/json'],
};

/** The one place where a failure becomes an answer. */
export const errorHandler =
  (log: Log) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = asAppError(error);
    // An AppError that says `internal` was logged by whoever made it.
    if (failure.code === 'internal' && !(error instanceof AppError)) {
      log.error('request failed', {
        requestId: request.id,
        method: request.method,
        path: request.routeOptions.url,
        error,
      });
    }
    if (failure.retryAfter !== null) void reply.header('retry-after', String(failure.retryAfter));
    return reply
      .code(failure.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(failure)));
  };

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const known = FRAMEWORK_ERRORS[(error as Partial<FastifyError> | null)?.code ?? ''];
  return known ? new AppError(...known) : new AppError('internal', INTERNAL_MESSAGE);
}

const SOCKET_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers what is not even HTTP. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy(error);
    return;
  }
  const status = SOCKET_ERRORS[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({ message: status.slice(4) });
  const lines = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
