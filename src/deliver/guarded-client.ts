import { lookup as lookupName } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { type ResolveHost, openConnection, hostAndPort } from './outbound-connection.ts';
import { failureCode, lostMessage, MAX_HEADER_BYTES, notConnected, NotSentError } from './outbound-errors.ts';
import type { Outcome, TimeoutPhase, Timings } from './outcome.ts';

const KIB = 1024;

export interface OutboundRequest {
  url: string;
  method: 'POST' | 'GET' | 'OPTIONS';
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Time limit of the complete request: resolving, connecting, sending, and reading the response. */
  timeoutMs: number;
  /** Signal with which the caller cancels the request. */
  signal?: AbortSignal;
  /**
   * Most bytes that are read of the response body. Then the connection is closed, and the response counts as
   * received. Default: 1 MiB.
   */
  maxResponseBytes?: number;
  /** Bytes of the response body that are kept. Default: 16 KiB. */
  keepBytes?: number;
}

export interface GuardedClient {
  /**
   * Sends one request once. Every failure on the other side is reported as an Outcome. Throws only the abort reason
   * of the caller's signal, and an error for headers that cannot be sent.
   */
  request: (request: OutboundRequest) => Promise<Outcome>;
}

/**
 * Creates the only client for addresses that customers configure. It follows no redirects and ignores the proxies of
 * the environment. Each request has its own connection, opened before a byte is written and closed after the
 * response. If the app closes a reused connection at the wrong moment, it is unknown whether it read the request, so
 * a POST could be neither retried nor reported as undelivered. A failure before a new connection is open proves that
 * nothing was sent. The guard also checks every new connection. A handshake costs little compared to an app that
 * calls a model. The number of connections equals the number of requests in progress, which the caller limits.
 */
export function createGuardedClient({
  guard,
  lookup = lookupAll,
  ca = null,
}: {
  guard: AddressGuard;
  lookup?: ResolveHost;
  ca?: readonly string[] | null;
}): GuardedClient {
  return {
    request: async (request) => {
      const startedAt = performance.now();
      const timings: Timings = { totalMs: 0 };
      const finish = <T extends object>(outcome: T): T & { timings: Timings } => {
        timings.totalMs = performance.now() - startedAt;
        return { ...outcome, timings };
      };

      request.signal?.throwIfAborted();
      const verdict = guard.checkUrl(request.url);
      if (!verdict.allowed) {
        const { cause: reason, hint } = verdict;
        return finish({ kind: 'not_sent', reason, message: `${verdict.reason}.`, hint });
      }
      const { url } = verdict;
      const stop = new AbortController();
      const abort = () => stop.abort();
      const timer = setTimeout(abort, request.timeoutMs);
      request.signal?.addEventListener('abort', abort);
      let phase: TimeoutPhase = 'connect';
      let socket: Socket | null = null;
      try {
        socket = await openConnection(url, { guard, lookup, ca, signal: stop.signal, timings });
        const openedAt = performance.now();
        phase = 'headers';
        const { statusCode: status, headers, body } = await send(socket, url, request, stop.signal);
        timings.headersMs = performance.now() - openedAt;
        phase = 'body';
        return finish({ kind: 'answered', status, headers: joined(headers), ...(await read(body, request)) });
      } catch (error) {
        request.signal?.throwIfAborted();
        if (stop.signal.aborted) {
          const message = timeoutMessage(hostAndPort(url), phase, request.timeoutMs);
          return finish({ kind: 'timeout', phase, wasSent: phase !== 'connect', message });
        }
        if (error instanceof NotSentError) {
          const { reason, message, hint } = error;
          return finish({ kind: 'not_sent', reason, message, hint });
        }
        if (phase === 'connect' || isCallersMistake(error)) throw error;
        return finish({ kind: 'lost', message: lostMessage(hostAndPort(url), error) });
      } finally {
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', abort);
        socket?.destroy();
      }
    },
  };
}

const lookupAll: ResolveHost = async (host) => {
  const found = await lookupName(host, { all: true });
  return found.map(({ address }) => address);
};

/** Writes the request to this socket; resolves with the headers of the final response. */
function send(
  socket: Socket,
  url: URL,
  { method, headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  let isTaken = false;
  const handOver = (callback: buildConnector.Callback): void => {
    if (isTaken) callback(new Error('The connection was already used for a request'), null);
    else if (socket.destroyed) callback(notConnected(hostAndPort(url), socket.errored), null);
    else callback(null, socket);
    isTaken = true;
  };
  const client = new Client(url.origin, {
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    // undici does not notice a connection that is passed to it before its connect call has returned.
    connect: (_options, callback) => queueMicrotask(() => handOver(callback)),
  });
  // Unlike a signal passed to undici, this also ends a request that undici has not begun to write.
  signal.addEventListener('abort', () => void client.destroy());
  return client.request({ method, path: `${url.pathname}${url.search}`, headers, body });
}

async function read(
  stream: AsyncIterable<Buffer>,
  { maxResponseBytes = KIB * KIB, keepBytes = 16 * KIB }: OutboundRequest,
): Promise<{ body: Buffer; bodyBytes: number; truncated: boolean }> {
  const kept: Buffer[] = [];
  let bodyBytes = 0;
  for await (const chunk of stream) {
    if (bodyBytes < keepBytes) kept.push(chunk.subarray(0, keepBytes - bodyBytes));
    bodyBytes += chunk.length;
    if (bodyBytes > maxResponseBytes) break;
  }
  return { body: Buffer.concat(kept), bodyBytes, truncated: bodyBytes > keepBytes };
}

const joined = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );

function timeoutMessage(place: string, phase: TimeoutPhase, timeoutMs: number): string {
  const missing = {
    connect: 'no connection was opened to',
    headers: 'no response arrived from',
    body: 'the response was incomplete from',
  }[phase];
  return `Within ${timeoutMs} ms ${missing} ${place}.`;
}

/** Reports whether undici rejected the request before writing anything. */
const isCallersMistake = (error: unknown): boolean =>
  ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'].includes(
    failureCode(error),
  );
