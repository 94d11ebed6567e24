import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import type { Attack } from './attacks.ts';
import { headOf, keepSockets } from './sockets.ts';
import { callTarget, spansOf } from './target.ts';

const SENDERS = { full: 32, short: 16 };
const BODIES = 64;
const SPANS = 500;
/** Traces that are listed. */
const BATCHES = 8;
const TRACES = 500;
const SEARCHES = ['limit=100', 'search=nowhere', 'limit=100&orderBy=duration', 'skip=1000&limit=100'];
/** Requests of one attack. */
const MAX_REQUESTS = 1_000_000;

/** Sends batches of spans at full rate on many connections, whatever the answers are. */
export const floodOfSpans: Attack = (target, begun, end) => {
  const bodies = Array.from({ length: BODIES }, () =>
    JSON.stringify(spansOf(randomBytes(16).toString('hex'), SPANS, 'On its way. '.repeat(20))),
  );
  let next = 0;
  return flood(target, begun, end, () => {
    // A new trace each time, at the cost of one replacement.
    const body = bodies[next++ % BODIES] as string;
    const id = randomBytes(16).toString('hex');
    const fresh = body.replaceAll(/"traceId":"[0-9a-f]{32}"/g, `"traceId":"${id}"`);
    const headers = { 'content-type': 'application/json', 'content-length': String(fresh.length) };
    return headOf('POST', '/v1/traces', { ...target.headers, ...headers }) + fresh;
  });
};

/** Requests long lists of many traces at full rate on many connections. */
export const floodOfLists: Attack = async (target, begun, end) => {
  for (let batch = 0; batch < BATCHES; batch++)
    await callTarget(target, 'POST', '/v1/traces', tracesOf(TRACES));
  let next = 0;
  return flood(target, begun, end, () =>
    headOf('GET', `/v0/traces?${SEARCHES[next++ % SEARCHES.length]}`, target.headers),
  );
};

/** Changes one tag at full rate on many connections. */
export const floodOfChanges: Attack = async (target, begun, end) => {
  const { data } = (await callTarget(target, 'POST', '/v0/tags', { name: 'Changed' })) as {
    data: { id: string };
  };
  let next = 0;
  return flood(target, begun, end, () => {
    const body = JSON.stringify({ description: `${next++}` });
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    return headOf('PUT', `/v0/tags/${data.id}`, { ...target.headers, ...headers }) + body;
  });
};

/** Spans that are a trace each. */
function tracesOf(count: number): object {
  const request = spansOf(randomBytes(16).toString('hex'), count, 'On its way. '.repeat(20)) as {
    resourceSpans: [{ scopeSpans: [{ spans: { traceId: string; parentSpanId?: string }[] }] }];
  };
  for (const span of request.resourceSpans[0].scopeSpans[0].spans) {
    span.traceId = randomBytes(16).toString('hex');
    delete span.parentSpanId;
  }
  return request;
}

export const flood = async (
  { port, isShort }: { port: number; isShort: boolean },
  begun: () => void,
  end: AbortSignal,
  makeRequest: () => string | Buffer,
): Promise<string> => {
  let requests = 0;
  let answers = 0;
  const begin = (socket: Socket): void => {
    let received = '';
    const send = (): void => {
      if (requests++ < MAX_REQUESTS) socket.write(makeRequest());
    };
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received.slice(0, Math.max(head, 0)))?.[1] ?? 0);
      if (head < 0 || received.length < head + 4 + length) return;
      received = '';
      answers += 1;
      send();
    });
    send();
  };
  const { opened } = keepSockets(port, isShort ? SENDERS.short : SENDERS.full, begin, end);
  await opened;
  begun();
  if (!end.aborted) await once(end, 'abort');
  return `${answers} requests answered`;
};
