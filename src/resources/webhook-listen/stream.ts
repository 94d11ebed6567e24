import { Readable } from 'node:stream';
import type { Relay, RelayedRequest } from '../../deliver/relay.ts';

/** Interval of heartbeats, shorter than the idle timeouts of proxies. */
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 12 * 60 * 60_000;
/** Most unread bytes of a listener, after which nothing more is sent to it. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Milliseconds for which the last bytes of an ended stream may wait to be read. */
const LINGER_MS = 1_000;

const NOT_ALLOWED = 'The listener lost its permission before it responded.';

/**
 * Sends the requests of an application as Server-Sent Events, while the client reads them and until `revoked` aborts.
 * Throws the errors of `Relay.listen`.
 */
export function openListener(relay: Relay, application: number, revoked: AbortSignal): Readable {
  const stream = new Readable({ read: () => undefined });
  const say = (text: string): boolean => {
    if (stream.destroyed || stream.readableLength > MAX_WAITING_BYTES) return false;
    stream.push(text);
    return true;
  };
  const leave = relay.listen(application, {
    send: (request) => say(event(request)),
    end: () => end(),
  });
  const heartbeat = setInterval(() => say(': nothing new\n\n'), HEARTBEAT_MS);
  const longest = setTimeout(end, LONGEST_MS);
  const onRevoked = (): void => end(NOT_ALLOWED);
  revoked.addEventListener('abort', onRevoked);
  say(': listening\n\n');
  if (revoked.aborted) onRevoked();
  return stream.once('close', () => release());

  function end(reason?: string): void {
    release(reason);
    stream.push(null);
    setTimeout(() => stream.destroy(), LINGER_MS).unref();
  }

  function release(reason?: string): void {
    clearInterval(heartbeat);
    clearTimeout(longest);
    revoked.removeEventListener('abort', onRevoked);
    leave(reason);
  }
}

const event = (request: RelayedRequest): string => `event: delivery\ndata: ${JSON.stringify(request)}\n\n`;
