/**
 * Encodes responses of an OTLP endpoint, always in the request's encoding and with a Content-Type without parameters.
 */
import type { AppError } from '../../errors.ts';
import { WIRE_VARINT } from '../../traces/wire/reader.ts';
import { WireWriter } from '../../traces/wire/writer.ts';

export type OtlpSignal = 'traces' | 'logs' | 'metrics';

export interface PartialSuccess {
  rejected: number;
  message: string;
}

/** A google.rpc.Status message, with the two kinds of details that OTLP uses. */
export interface OtlpStatus {
  code: number;
  message: string;
  /** Delay after which the same request may be retried; absent when it must not be. */
  retryDelaySeconds?: number;
  violations?: readonly FieldViolation[];
}

export interface FieldViolation {
  field: string;
  description: string;
}

export interface OtlpCodec {
  contentType: 'application/x-protobuf' | 'application/json';
  encodeSuccess(partial?: PartialSuccess, signal?: OtlpSignal): Buffer;
  encodeStatus(status: OtlpStatus): Buffer;
}

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';

const REJECTED_FIELD = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
} as const;

/** Most bytes of JSON for texts; with the rest a body stays below 4 KiB in either encoding. */
const MESSAGE_BUDGET = 2048;
const VIOLATIONS_BUDGET = 1536;
const FIELD_BUDGET = 256;
const DESCRIPTION_BUDGET = 512;
const VIOLATION_FRAME = JSON.stringify({ field: '', description: '' }).length;

export const protobufCodec: OtlpCodec = {
  contentType: 'application/x-protobuf',

  encodeSuccess(partial) {
    const out = new WireWriter(256);
    if (isWorthTelling(partial)) {
      const start = out.begin(1);
      writeInteger(out, 1, partial.rejected);
      out.stringField(2, truncate(partial.message, MESSAGE_BUDGET));
      out.end(start);
    }
    return out.toBuffer();
  },

  encodeStatus({ code, message, retryDelaySeconds, violations = [] }) {
    const out = new WireWriter(256);
    writeInteger(out, 1, code);
    out.stringField(2, truncate(message, MESSAGE_BUDGET));
    if (retryDelaySeconds !== undefined) {
      writeDetail(out, RETRY_INFO, () => writeRetryDelay(out, retryDelaySeconds));
    }
    if (violations.length > 0) {
      writeDetail(out, BAD_REQUEST, () => writeViolations(out, violations));
    }
    return out.toBuffer();
  },
};

export const jsonCodec: OtlpCodec = {
  contentType: 'application/json',

  encodeSuccess(partial, signal = 'traces') {
    if (!isWorthTelling(partial)) return jsonBytes({});
    const errorMessage = truncate(partial.message, MESSAGE_BUDGET);
    // A 64-bit integer is a string in protobuf's JSON encoding.
    return jsonBytes({
      partialSuccess: { [REJECTED_FIELD[signal]]: String(partial.rejected), errorMessage },
    });
  },

  encodeStatus({ code, message, retryDelaySeconds, violations = [] }) {
    const details: object[] = [];
    if (retryDelaySeconds !== undefined) {
      details.push({ '@type': RETRY_INFO, retryDelay: durationText(retryDelaySeconds) });
    }
    if (violations.length > 0) {
      details.push({ '@type': BAD_REQUEST, fieldViolations: limitViolations(violations) });
    }
    const status = { code, message: truncate(message, MESSAGE_BUDGET) };
    return jsonBytes(details.length > 0 ? { ...status, details } : status);
  },
};

/** Returns the codec for a Content-Type, ignoring its parameters. */
export function codecFor(mediaType: string | undefined): OtlpCodec | null {
  const bare = (mediaType ?? '').split(';', 1).join('').trim().toLowerCase();
  return [protobufCodec, jsonCodec].find(({ contentType }) => contentType === bare) ?? null;
}

/** Returns an error as a status message with a gRPC code. */
export const otlpStatusOf = ({ message, retryAfter, issues }: AppError, code: number): OtlpStatus => ({
  code,
  message,
  ...(retryAfter === null ? {} : { retryDelaySeconds: retryAfter }),
  violations: issues.map((issue) => ({ field: issue.path.join('.'), description: issue.message })),
});

/** Returns the gRPC status code that corresponds to an HTTP status. */
export function grpcCodeOf(httpStatus: number): number {
  switch (httpStatus) {
    case 400:
      return 3; // INVALID_ARGUMENT
    case 401:
      return 16; // UNAUTHENTICATED
    case 403:
      return 7; // PERMISSION_DENIED
    case 404:
      return 12; // UNIMPLEMENTED
    case 429:
      return 8; // RESOURCE_EXHAUSTED
    case 502:
    case 503:
    case 504:
      return 14; // UNAVAILABLE
    default:
      return 2; // UNKNOWN
  }
}

/**
 * Reports whether a partial success is worth reporting. `partial_success` must not be set for full success, with
 * nothing rejected and no message.
 */
function isWorthTelling(partial: PartialSuccess | undefined): partial is PartialSuccess {
  return partial !== undefined && (partial.rejected > 0 || partial.message !== '');
}

function writeInteger(out: WireWriter, field: number, value: number): void {
  if (value === 0) return;
  out.tag(field, WIRE_VARINT);
  out.varint(value);
}

/** Writes one google.protobuf.Any of Status.details. */
function writeDetail(out: WireWriter, type: string, writeValue: () => void): void {
  const any = out.begin(3);
  out.stringField(1, type);
  const value = out.begin(2);
  writeValue();
  out.end(value);
  out.end(any);
}

function writeRetryDelay(out: WireWriter, delay: number): void {
  const { seconds, nanos } = durationOf(delay);
  const start = out.begin(1);
  writeInteger(out, 1, seconds);
  writeInteger(out, 2, nanos);
  out.end(start);
}

function writeViolations(out: WireWriter, violations: readonly FieldViolation[]): void {
  for (const { field, description } of limitViolations(violations)) {
    const start = out.begin(1);
    out.stringField(1, field);
    out.stringField(2, description);
    out.end(start);
  }
}

function durationOf(delay: number): { seconds: number; nanos: number } {
  const seconds = Math.floor(delay);
  return { seconds, nanos: Math.floor((delay - seconds) * 1e9) };
}

function durationText(delay: number): string {
  const { seconds, nanos } = durationOf(delay);
  return nanos === 0 ? `${seconds}s` : `${seconds}.${String(nanos).padStart(9, '0')}s`;
}

/** Returns the first violations that fit the budget. */
function limitViolations(violations: readonly FieldViolation[]): FieldViolation[] {
  const kept: FieldViolation[] = [];
  let left = VIOLATIONS_BUDGET;
  for (const violation of violations) {
    const field = truncate(violation.field, FIELD_BUDGET);
    const description = truncate(violation.description, DESCRIPTION_BUDGET);
    left -= VIOLATION_FRAME + 1 + jsonSize(field) + jsonSize(description);
    if (left < 0) break;
    kept.push({ field, description });
  }
  return kept;
}

/** Shortens `text` to at most `budget` bytes of JSON, at a code point, and ends it with an ellipsis. */
function truncate(text: string, budget: number): string {
  // Each UTF-16 unit takes at least one byte, so the text after the budget is irrelevant.
  const start = text.slice(0, budget + 1).toWellFormed();
  if (jsonSize(start) <= budget) return start;
  let left = budget - jsonSize('…');
  let kept = '';
  for (const point of start) {
    left -= jsonSize(point);
    if (left < 0) break;
    kept += point;
  }
  return `${kept}…`;
}

/** Returns the bytes of `text` within JSON quotes; never fewer than as plain UTF-8. */
function jsonSize(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

function jsonBytes(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
