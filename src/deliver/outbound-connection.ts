import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type AddressGuard, hostOf, type WebProtocol } from './address-guard.ts';
import { nameNotResolved, notConnected, notSecured, NotSentError } from './outbound-errors.ts';
import type { Timings } from './outcome.ts';

/** Resolves a host name to its IP addresses, best first; rejects when there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

export interface OutboundOptions {
  guard: AddressGuard;
  lookup: ResolveHost;
  /** Certificate authorities trusted instead of the default ones, in PEM. */
  ca: readonly string[] | null;
  signal: AbortSignal;
  /** Receives `dnsMs`, `connectMs` and `tlsMs`. */
  timings: Timings;
}

const MAX_ADDRESSES = 8;
/** Time after which a silent address is abandoned for the next one. */
const ATTEMPT_MS = 5_000;
/**
 * Interval of TCP keep-alive. An app may compute for minutes; this keeps devices in between from dropping the
 * connection.
 */
const KEEP_ALIVE_MS = 60_000;

/** Returns the host and port of a URL for messages. */
export function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

/**
 * Opens a connection to the host of `url`, ready for the first byte of a request. The name is resolved once, and the
 * guard checks each of its addresses. The connection goes to exactly one of the checked addresses, so a later change
 * of the name has no effect. Throws NotSentError, or the AbortError of the signal.
 */
export async function openConnection(url: URL, options: OutboundOptions): Promise<Socket> {
  const { timings, signal } = options;
  const addresses = await openAddresses(url, options);
  const connectAt = performance.now();
  const socket = await connectToOne(addresses, url, signal);
  timings.connectMs = performance.now() - connectAt;
  if (url.protocol === 'http:') return socket;

  const tlsAt = performance.now();
  const secured = await secure(socket, url, options);
  timings.tlsMs = performance.now() - tlsAt;
  return secured;
}

/** Returns the addresses that may be called. When there are none, throws the reason for the first. */
async function openAddresses(
  url: URL,
  { guard, lookup, signal, timings }: OutboundOptions,
): Promise<readonly string[]> {
  const host = hostOf(url);
  let addresses: readonly string[] = [host];
  if (isIP(host) === 0) {
    const at = performance.now();
    addresses = await resolveName(host, lookup, signal);
    timings.dnsMs = performance.now() - at;
  }
  const open: string[] = [];
  let rejection: NotSentError | null = null;
  for (const address of addresses) {
    const verdict = guard.check(address, url.protocol as WebProtocol);
    if (verdict.allowed) open.push(address);
    else {
      const message = `${hostAndPort(url)} resolves to ${address}, which ${verdict.reason}.`;
      rejection ??= new NotSentError('blocked', message, verdict.hint);
    }
  }
  if (open.length === 0) throw rejection ?? nameNotResolved(host, null);
  return open.slice(0, MAX_ADDRESSES);
}

async function resolveName(
  host: string,
  lookup: ResolveHost,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    // A DNS lookup cannot be cancelled: after the time limit its result is ignored.
    return await Promise.race([lookup(host), aborted(signal)]);
  } catch (error) {
    signal.throwIfAborted();
    throw nameNotResolved(host, error);
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason as Error;
}

async function connectToOne(addresses: readonly string[], url: URL, signal: AbortSignal): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses) {
    const socket = connect({
      host: address,
      port: portOf(url),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
      timeout: ATTEMPT_MS,
    });
    socket.once('timeout', () => socket.destroy(new SilentAddressError()));
    try {
      await ready(socket, 'connect', signal);
      return socket.setTimeout(0);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw notConnected(hostAndPort(url), failure);
}

class SilentAddressError extends Error {
  readonly code = 'ETIMEDOUT';
}

async function secure(socket: Socket, url: URL, { ca, signal }: OutboundOptions): Promise<TLSSocket> {
  const host = hostOf(url);
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
    ALPNProtocols: ['http/1.1'],
    // Set explicitly, so that no environment variable can disable it.
    rejectUnauthorized: true,
    ...(ca === null ? {} : { ca: [...ca] }),
  });
  try {
    return await ready(secured, 'secureConnect', signal);
  } catch (error) {
    signal.throwIfAborted();
    throw notSecured(hostAndPort(url), error);
  }
}

async function ready<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  // Prevents an unhandled error until the next user of the socket adds its own listener.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
