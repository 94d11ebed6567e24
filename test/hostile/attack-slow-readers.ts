import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Attack } from './attacks.ts';
import { headOf, keepSockets } from './sockets.ts';
import { callTarget, spansOf, startTests } from './target.ts';
import { startSilentApp } from './webhook-app.ts';

const READERS = { full: 60, short: 30 };
const STREAMS = 120;
/** The answer of the trace has at most 16 MiB. */
const REQUESTS = 14;
const SPANS = 10;
const SPAN_BYTES = 100_000;

/** Requests a trace of 14 MB, and streams of a test that is not over, and reads neither. */
export const slowReaders: Attack = async (target, begun, end) => {
  const traceId = randomBytes(16).toString('hex');
  for (let index = 0; index < REQUESTS; index++) {
    const body = spansOf(traceId, SPANS, randomBytes(SPAN_BYTES / 2).toString('hex')) as {
      resourceSpans: [{ scopeSpans: [{ spans: { spanId: string; parentSpanId?: string }[] }] }];
    };
    for (const span of body.resourceSpans[0].scopeSpans[0].spans)
      span.spanId = randomBytes(8).toString('hex');
    await callTarget(target, 'POST', '/v1/traces', body);
  }
  const app = await startSilentApp();
  const { testIds } = await startTests(target, app.url, [], 1);
  const trace = headOf('GET', `/v0/traces/${traceId}`, target.headers);
  const stream = headOf('GET', `/v0/tests/${testIds[0]}/stream`, target.headers);
  const ask = (request: string) => (socket: Socket) => {
    socket.pause();
    socket.write(request);
  };
  const readers = keepSockets(target.port, target.isShort ? READERS.short : READERS.full, ask(trace), end);
  const streams = keepSockets(target.port, STREAMS, ask(stream), end);
  await Promise.all([readers.opened, streams.opened]);
  begun();
  if (!end.aborted) await once(end, 'abort');
  app.close();
  const closed = readers.counts.closed + streams.counts.closed;
  return `${readers.counts.made} traces and ${streams.counts.made} streams not read, ${closed} closed by the server`;
};
