import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const REOPEN_MS = 500;
/** Connections of one attack, those that replace closed ones included. */
const MAX_OPENED = 20_000;

export interface KeptSockets {
  /** Resolves when every one has been open once or could not be opened. */
  opened: Promise<void>;
  /** Connections made, and those that the server closed. */
  counts: { made: number; closed: number };
}

/**
 * Keeps that many connections open until the end, replacing those that the server closes unless `once`. `begin` is
 * called with each when it is open; what it starts has to stop when the socket closes.
 */
export function keepSockets(
  port: number,
  count: number,
  begin: (socket: Socket) => void,
  end: AbortSignal,
  { once = false } = {},
): KeptSockets {
  const counts = { made: 0, closed: 0 };
  const keep = async (first: () => void): Promise<void> => {
    while (!end.aborted && counts.made < MAX_OPENED) {
      counts.made += 1;
      await useSocket(port, begin, end, first);
      if (end.aborted || once) return;
      counts.closed += 1;
      await delay(REOPEN_MS);
    }
  };
  const opened = Array.from(
    { length: count },
    () => new Promise<void>((resolve) => void keep(resolve).finally(resolve)),
  );
  return { opened: Promise.all(opened).then(() => undefined), counts };
}

/** Opens one connection; resolves when it is closed, by the server or at the end. */
function useSocket(
  port: number,
  begin: (socket: Socket) => void,
  end: AbortSignal,
  opened: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    // Ends its side only at the end, even when the server has ended its own.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const destroy = (): void => {
      socket.destroy();
    };
    end.addEventListener('abort', destroy);
    socket.on('error', opened);
    socket.on('connect', () => {
      opened();
      begin(socket);
    });
    socket.on('close', () => {
      end.removeEventListener('abort', destroy);
      resolve();
    });
  });
}

/** Writes one byte after another, one each time, until the socket closes or the text is over. */
export function drip(socket: Socket, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= text.length) clearInterval(timer);
    else socket.write(text.charAt(at++));
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** Returns the head of a request, up to its empty line. */
export function headOf(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}
