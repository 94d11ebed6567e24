import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isOtlpPath } from '../ingest/otlp/paths.ts';
import { codecFor, grpcCodeOf, jsonCodec } from '../ingest/otlp/response.ts';
import type { EndedConnection } from '../runtime/metric-values.ts';

/** Reason for which the server ended or rejected a connection. */
export type ConnectionRejection = Exclude<EndedConnection, 'not_http2'>;

type Status = readonly [code: number, text: string];
const BAD_REQUEST: Status = [400, 'Bad Request'];
const TIMED_OUT: Status = [408, 'Request Timeout'];
const STATUS_OF: Partial<Record<ConnectionRejection, Status>> = {
  headers_too_large: [431, 'Request Header Fields Too Large'],
  slow_headers: TIMED_OUT,
  slow_body: TIMED_OUT,
};

const NO_HTTP2 =
  'This server speaks HTTP/1.1. Send OTLP over HTTP/1.1 (http/protobuf or http/json) to this port, or over gRPC to the port for gRPC (default 4317).';
/** Empty SETTINGS, and GOAWAY for all streams with HTTP_1_1_REQUIRED and a text (RFC 9113, 6.5 and 6.8). */
const HTTP2_REJECTION = Buffer.concat([
  http2Frame(0x4, Buffer.alloc(0)),
  http2Frame(0x7, Buffer.from([0, 0, 0, 0, 0, 0, 0, 0xd, ...Buffer.from(NO_HTTP2)])),
]);

/** Returns an HTTP/2 frame of the connection itself, without flags (RFC 9113, 4.1). */
function http2Frame(type: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  return Buffer.concat([head, payload]);
}

/** Returns why Node rejects the data of a connection; null when the peer has only disconnected. */
export function rejectionReasonOf(
  { code = '' }: NodeJS.ErrnoException,
  isInBody: boolean,
): ConnectionRejection | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return isInBody ? 'slow_body' : 'slow_headers';
  if (code === 'HPE_PAUSED_H2_UPGRADE') return 'http2';
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code.startsWith('HPE_') ? 'bad_request' : null;
}

/** Returns the last response on a connection, for data that no route can handle. */
export function brokenRequestResponse(
  reason: ConnectionRejection,
  current?: { id: string; request: IncomingMessage },
): { id: string; bytes: Buffer } {
  const id = current?.id ?? randomUUID();
  if (reason === 'http2') return { id, bytes: HTTP2_REJECTION };
  const status = STATUS_OF[reason] ?? BAD_REQUEST;
  const [code, text] = status;
  const { contentType, body } = errorBodyFor(status, current?.request);
  const head = [
    `HTTP/1.1 ${code} ${text}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  return { id, bytes: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]) };
}

function errorBodyFor(
  [code, message]: Status,
  request: IncomingMessage | undefined,
): { contentType: string; body: Buffer } {
  if (request && isOtlpPath(request.url ?? '')) {
    const codec = codecFor(request.headers['content-type']) ?? jsonCodec;
    const body = codec.encodeStatus({ code: grpcCodeOf(code), message });
    return { contentType: codec.contentType, body };
  }
  return { contentType: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify({ message })) };
}
