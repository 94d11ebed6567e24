import { Metadata, status } from '@grpc/grpc-js';
import type { AppError, ErrorCode } from '../../errors.ts';
import type { ClientGone } from '../http-body.ts';
import { otlpStatusOf, protobufCodec } from '../otlp/response.ts';

/** Error by which a call ends: code, text, and `google.rpc.Status` in its metadata. */
export interface GrpcCallError {
  code: status;
  details: string;
  metadata: Metadata;
}

/** Code of each error. Senders retry UNAVAILABLE, and RESOURCE_EXHAUSTED only with a RetryInfo. */
const CODES: Readonly<Record<ErrorCode, status>> = {
  bad_request: status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  conflict: status.ABORTED,
  precondition_failed: status.FAILED_PRECONDITION,
  too_large: status.RESOURCE_EXHAUSTED,
  unsupported_media_type: status.UNIMPLEMENTED,
  misdirected: status.INVALID_ARGUMENT,
  invalid: status.INVALID_ARGUMENT,
  rate_limited: status.RESOURCE_EXHAUSTED,
  internal: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
};

/** Most characters of the text, which is sent twice: clients accept 8 KiB of headers. */
const MAX_DETAILS = 512;

export function callErrorOf(failure: AppError): GrpcCallError {
  const code = CODES[failure.code];
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', protobufCodec.encodeStatus(otlpStatusOf(failure, code)));
  return { code, details: sendable(failure.message), metadata };
}

/** Returns the error for a sender that left, which it does not receive, or that was too slow. */
export function goneErrorOf({ reason, message }: ClientGone): GrpcCallError {
  const code = reason === 'slow_body' ? status.DEADLINE_EXCEEDED : status.CANCELLED;
  return { code, details: message, metadata: new Metadata() };
}

/** Shortens a text and replaces lone surrogates, with which it could not be encoded. */
const sendable = (text: string): string => text.slice(0, MAX_DETAILS).toWellFormed();
