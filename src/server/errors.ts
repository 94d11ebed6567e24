import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, INTERNAL_MESSAGE } from '../contract/errors.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { ClientGone } from '../ingest/http-body.ts';
import type { Log } from '../runtime/log.ts';

/** Errors of the framework that occur before a handler runs, with the code and message of the response. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['bad_request', 'The path of the request is not valid'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'Not found'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is too large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'bad_request',
    'The body does not have the length of its Content-Length',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Content-Type must be application/json'],
};

/** Turns an error into a response; no other place does. */
export const errorHandler =
  (log: Log) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof ClientGone) return reply.hijack();
    const failure = isInterrupted(error, request) ? INTERRUPTED : asAppError(error);
    // An AppError with the code `internal` was logged where it was created.
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

/** Reports whether the client disconnected before its body was complete, which is not an error of the server. */
const isInterrupted = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.destroyed && !raw.complete && (error as NodeJS.ErrnoException | null)?.code === 'ECONNRESET';
const INTERRUPTED = new AppError('bad_request', 'The request body ended early');

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const known = FRAMEWORK_ERRORS[(error as Partial<FastifyError> | null)?.code ?? ''];
  return known ? new AppError(...known) : new AppError('internal', INTERNAL_MESSAGE);
}
