import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadResult } from './load.ts';

const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const OK = '0';
const UNAVAILABLE = '14';
/** Pause before a call with the code UNAVAILABLE is retried. */
const RETRY_MS = 100;

/** Returns the message of a call with its prefix. */
export function framed(message: Buffer, isCompressed: boolean): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(Number(isCompressed));
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/**
 * Sends calls of OTLP over gRPC, one at a time on each connection, as `load` sends requests over HTTP. A call with the code
 * OK counts as status 200.
 */
export async function loadGrpc(
  port: number,
  { messages, headers }: { messages: readonly Buffer[]; headers: Readonly<Record<string, string>> },
  connections: number,
  deadline = Number.POSITIVE_INFINITY,
): Promise<LoadResult> {
  const result: LoadResult = { seconds: 0, sent: 0, answers: 0, statuses: {}, latencies: [] };
  const started = performance.now();
  await Promise.all(
    Array.from({ length: Math.min(connections, messages.length) }, async () => {
      const session = connect(`http://127.0.0.1:${port}`);
      await once(session, 'connect');
      while (result.sent < messages.length && performance.now() < deadline) {
        const message = messages[result.sent++] as Buffer;
        const began = performance.now();
        let code = await call(session, headers, message);
        for (; code === UNAVAILABLE; code = await call(session, headers, message)) await delay(RETRY_MS);
        const status = code === OK ? '200' : `gRPC ${code}`;
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        result.answers += 1;
        result.latencies.push(performance.now() - began);
      }
      session.close();
    }),
  );
  result.seconds = (performance.now() - started) / 1000;
  result.latencies.sort((a, b) => a - b);
  return result;
}

/** Makes one call and returns its code. */
function call(
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  message: Buffer,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ...headers,
      ':method': 'POST',
      ':path': PATH,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let code = 'none';
    const note = (received: Readonly<Record<string, unknown>>): void => {
      if (typeof received['grpc-status'] === 'string') code = received['grpc-status'];
    };
    stream.on('response', note).on('trailers', note);
    stream.once('error', reject).once('close', () => resolve(code));
    stream.resume();
    stream.end(message);
  });
}
