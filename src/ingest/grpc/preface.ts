import type { Socket } from 'node:net';

/** First bytes of every HTTP/2 connection (RFC 9113, 3.4). */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** First bytes of a request over HTTP/1: its method. */
const HTTP1 = /^[A-Z]{3,7} /;

export type PrefaceFailure = 'not_http2' | 'slow_headers';

/**
 * Waits for the first bytes of a connection. Calls `accept` when it speaks HTTP/2, with these bytes still unread; ends
 * every other connection, one that speaks HTTP/1 with a response that says so.
 */
export function checkPreface(
  socket: Socket,
  {
    timeoutMs,
    accept,
    reject,
  }: {
    timeoutMs: number;
    accept: () => void;
    reject: (reason: PrefaceFailure) => void;
  },
): void {
  let received = Buffer.alloc(0);
  let isOver = false;
  const fail = (reason: PrefaceFailure, response = ''): void => {
    stop();
    socket.end(response);
    socket.destroySoon();
    reject(reason);
  };
  // Bytes that arrived while this thread was busy are read between the two timers.
  const timer = setTimeout(() => setImmediate(() => isOver || fail('slow_headers')), timeoutMs);
  timer.unref();
  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
    socket.off('data', onData).off('close', stop);
  };
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const compared = Math.min(received.length, PREFACE.length);
    if (!received.subarray(0, compared).equals(PREFACE.subarray(0, compared))) {
      fail('not_http2', HTTP1.test(received.toString('latin1', 0, 8)) ? NOT_GRPC : '');
    } else if (compared === PREFACE.length) {
      stop();
      socket.pause();
      socket.unshift(received);
      accept();
    }
  };
  socket.on('error', () => undefined);
  socket.on('data', onData).on('close', stop);
}

const MESSAGE =
  'This port accepts OTLP over gRPC. Send OTLP over HTTP to the port of the REST API (default 4318).';
const BODY = JSON.stringify({ message: MESSAGE });
const NOT_GRPC = [
  'HTTP/1.1 400 Bad Request',
  'content-type: application/json; charset=utf-8',
  `content-length: ${Buffer.byteLength(BODY)}`,
  'connection: close',
  '',
  BODY,
].join('\r\n');
