/** What the end-to-end tests send by hand, and how they read what comes back. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { decodeProto, type Plain } from '../support/otlp-proto.ts';
import type { RawAnswer } from '../support/sockets.ts';
import { BASE_NS } from '../support/spans.ts';

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

/** One span of OTLP/JSON, good in every way but for what `over` says. */
export function jsonSpan(trace: string, name: string, over: Plain = {}): Plain {
  return {
    traceId: trace,
    spanId: newSpanId(),
    name,
    kind: 1,
    startTimeUnixNano: String(BASE_NS),
    endTimeUnixNano: String(BASE_NS + 1_000_000n),
    ...over,
  };
}

export const jsonRequest = (...spans: unknown[]): Plain => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

/** An answer of an OTLP path, decoded by the encoding it says it has. */
export type OtlpAnswer =
  | { status: 200; rejected: number; message: string }
  | { status: number; code: number; message: string; retrySeconds: number | null };

/** Checks all that holds for every answer of an OTLP path, and decodes it. */
export function readOtlp({ status, headers, body }: RawAnswer): OtlpAnswer {
  const isProto = headers['content-type'] === 'application/x-protobuf';
  if (!isProto) expect(headers['content-type']).toBe('application/json');
  expect(body.length).toBeLessThan(4_096);
  if (status === 200) {
    const partial = isProto
      ? (decodeProto('ExportTraceServiceResponse', body)['partialSuccess'] as PartialJson | null)
      : (JSON.parse(body.toString()) as { partialSuccess?: PartialJson }).partialSuccess;
    if (!partial) expect(body.toString()).toBe(isProto ? '' : '{}');
    return {
      status,
      rejected: Number(partial?.rejectedSpans ?? 0),
      message: partial?.errorMessage ?? '',
    };
  }
  const answer = isProto ? protoStatus(body) : jsonStatus(body);
  const retryAfter = headers['retry-after'];
  expect(answer.retrySeconds).toBe(retryAfter === undefined ? null : Number(retryAfter));
  // Exactly what should be sent again says when.
  expect(retryAfter !== undefined).toBe(status === 503 || status === 429);
  if (answer.retrySeconds !== null) expect(answer.retrySeconds).toBeLessThanOrEqual(3);
  expect(answer.message).not.toBe('');
  return { status, ...answer };
}

/** A 64-bit integer is a text, in either encoding as it is read here. */
interface PartialJson {
  rejectedSpans?: string;
  errorMessage?: string;
}

interface StatusParts {
  code: number;
  message: string;
  retrySeconds: number | null;
}

function protoStatus(body: Buffer): StatusParts {
  const { code, message, details } = decodeProto('RpcStatus', body) as {
    code: number;
    message: string;
    details: { typeUrl: string; value: string }[];
  };
  const retry = details.find(({ typeUrl }) => typeUrl.endsWith('/google.rpc.RetryInfo'));
  const delay = retry && decodeProto('RetryInfo', Buffer.from(retry.value, 'base64'))['retryDelay'];
  return { code, message, retrySeconds: delay ? Number((delay as { seconds: string }).seconds) : null };
}

function jsonStatus(body: Buffer): StatusParts {
  const {
    code,
    message,
    details = [],
  } = JSON.parse(body.toString()) as {
    code: number;
    message: string;
    details?: { '@type': string; retryDelay?: string }[];
  };
  const delay = details.find((detail) => detail['@type'].endsWith('/google.rpc.RetryInfo'))?.retryDelay;
  return { code, message, retrySeconds: delay === undefined ? null : Number.parseFloat(delay) };
}
