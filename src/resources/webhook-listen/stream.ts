import { Readable } from 'node:stream';
import type { Relay, RelayedRequest } from '../../deliver/relay.ts';
import { KEY_CHECK_MS } from '../api-keys/key-check.ts';

/** Interval of heartbeats, shorter than the idle timeouts of proxies. */
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 12 * 60 * 60_000;
/** Most unread bytes of a listener, after which nothing more is sent to it. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Milliseconds for which the last bytes of an ended stream may wait to be read. */
const LINGER_MS = 1_000;

/**
 * Sends the requests of an application as Server-Sent Events, while the client reads them and `isAllowed` returns
 * true. Throws the errors of `Relay.listen`.
 */
export function openListener(relay: Relay, application: number, isAllowed: () => Promise<boolean>): Readable {
  const stream = new Readable({ read: () => undefined });
  const say = (text: string): boolean => {
    if (stream.destroyed || stream.readableLength > MAX_WAITING_BYTES) return false;
    stream.push(text);
    return true;
  };
  const leave = relay.listen(application, {
    send: (request) => say(event(request)),
    end,
  });
  const heartbeat = setInterval(() => say(': nothing new\n\n'), HEARTBEAT_MS);
  let isChecking = false;
  const keyCheck = setInterval(() => void check(), KEY_CHECK_MS);
  const longest = setTimeout(end, LONGEST_MS);
  let isEnded = false;
  say(': listening\n\n');
  return stream.once('close', release);

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    const isValid = await isAllowed();
    isChecking = false;
    if (!isValid && !isEnded) end();
  }

  function end(): void {
    release();
    stream.push(null);
    setTimeout(() => stream.destroy(), LINGER_MS).unref();
  }

  function release(): void {
    isEnded = true;
    clearInterval(heartbeat);
    clearInterval(keyCheck);
    clearTimeout(longest);
    leave();
  }
}

const event = (request: RelayedRequest): string => `event: delivery\ndata: ${JSON.stringify(request)}\n\n`;
