import { Readable } from 'node:stream';
import type { Gauge } from 'prom-client';
import { AppError } from '../errors.ts';
import type { Log } from './log.ts';

/** Limits of streams of one kind. */
export interface StreamKind {
  /** Label of the metric. */
  name: string;
  /** Words for several of them, for messages. */
  plural: string;
  /** Most open streams: in total, and for one application. */
  total: number;
  perApplication: number;
  /** Milliseconds after which a stream is destroyed. */
  longestMs: number;
  /**
   * Milliseconds for which the last bytes may be read once the caller has lost the permission; 0 for a file, which must not
   * look complete.
   */
  lingerMs: number;
}

/** Caller of a stream. */
export interface StreamCaller {
  application: number;
  /** Aborts once the caller may no longer read the stream. */
  revoked: AbortSignal;
}

/** Makes the text or the bytes of a stream until `isStopped` returns true. */
export type StreamText = (isStopped: () => boolean) => AsyncGenerator<string | Uint8Array, void>;

export type OpenStream = (kind: StreamKind, caller: StreamCaller, text: StreamText) => Readable;

interface EventStreamsDeps {
  /** Reports whether the server is stopping. */
  isClosing: () => boolean;
  log: Log;
  /** Number of open streams by kind. */
  open: Pick<Gauge<'kind'>, 'set'>;
}

/**
 * Returns a function that opens streams: of each kind at most as many as it allows, of which an application has at most
 * its share. A stream reads its text only as fast as the client reads the stream.
 */
export function eventStreams({ isClosing, log, open: gauge }: EventStreamsDeps): OpenStream {
  const counts = new Map<string, StreamCount>();
  return (kind, { application, revoked }, text) => {
    const count = counts.get(kind.name) ?? new StreamCount(kind);
    counts.set(kind.name, count);
    const change = (by: 1 | -1): void => {
      count.change(application, by);
      gauge.set({ kind: kind.name }, count.total);
    };
    count.admit(application);
    change(1);
    // A waiting generator cannot be ended from outside, so it checks this itself.
    const isStopped = (): boolean => isClosing() || revoked.aborted || stream.destroyed;
    const stream: Readable = Readable.from(text(isStopped), { objectMode: false });
    // A client that has stopped reading also blocks the text, including its end.
    const late = setTimeout(() => stream.destroy(), kind.longestMs);
    late.unref();
    const stopReading = endRevoked(stream, revoked, kind.lingerMs);
    return stream
      .once('error', (error) => log.error('a stream broke', { kind: kind.name, error }))
      .once('close', () => {
        clearTimeout(late);
        stopReading();
        change(-1);
      });
  };
}

/** Destroys a stream some time after its caller has lost the permission. Returns a function that stops waiting for that. */
function endRevoked(stream: Readable, revoked: AbortSignal, lingerMs: number): () => void {
  const end = (): void => {
    if (lingerMs === 0) stream.destroy();
    else setTimeout(() => stream.destroy(), lingerMs).unref();
  };
  if (revoked.aborted) end();
  else revoked.addEventListener('abort', end);
  return () => revoked.removeEventListener('abort', end);
}

/** Numbers of open streams of one kind. */
class StreamCount {
  private readonly kind: StreamKind;
  private readonly open = new Map<number, number>();

  constructor(kind: StreamKind) {
    this.kind = kind;
  }

  get total(): number {
    return this.open.values().reduce((sum, one) => sum + one, 0);
  }

  change(application: number, by: number): void {
    const left = (this.open.get(application) ?? 0) + by;
    if (left > 0) this.open.set(application, left);
    else this.open.delete(application);
  }

  admit(application: number): void {
    const { plural, perApplication, total } = this.kind;
    if ((this.open.get(application) ?? 0) >= perApplication)
      throw new AppError(
        'rate_limited',
        `The application has ${perApplication} open ${plural}, the most allowed; close one and retry`,
        { retryAfter: 10 },
      );
    if (this.total >= total)
      throw new AppError('unavailable', `${total} ${plural} are open, the most of this server`, {
        retryAfter: 10,
      });
  }
}

/** Formats a Server-Sent Event. `id`: what a client that reconnects sends as `Last-Event-ID`. */
export const serverEvent = (name: string, data: unknown, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
