import { Readable } from 'node:stream';
import type { Gauge } from 'prom-client';
import { AppError } from '../errors.ts';
import type { Log } from './log.ts';
import { alone, type GroupOf, type Party } from './party.ts';

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
  /** Numbers of open streams, and their limits. Default: of these streams alone. */
  counts?: StreamCounts;
  /** Number of open streams by kind. */
  open: Pick<Gauge<'kind'>, 'set'>;
}

/**
 * Returns a function that opens streams: of each kind at most as many as it allows, of which an organisation and
 * an application have at most their shares. A stream reads its text only as fast as the client reads the stream.
 */
export function eventStreams({
  isClosing,
  log,
  open: gauge,
  counts = new StreamCounts(),
}: EventStreamsDeps): OpenStream {
  return (kind, { application, revoked }, text) => {
    const count = counts.of(kind);
    count.admit(application);
    const countEnd = count.open(application);
    gauge.set({ kind: kind.name }, count.total);
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
        countEnd();
        gauge.set({ kind: kind.name }, count.total);
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

/** Numbers of open streams by kind. */
export class StreamCounts {
  private readonly counts = new Map<string, StreamCount>();
  private readonly groupOf: GroupOf;
  private readonly perOrganisation: number | null;

  /**
   * `groupOf` returns the organisation of an application; by default, each application is alone. `perOrganisation`: most open
   * streams of each kind of one organisation; by default half of the total.
   */
  constructor(groupOf: GroupOf = alone, perOrganisation: number | null = null) {
    this.groupOf = groupOf;
    this.perOrganisation = perOrganisation;
  }

  of(kind: StreamKind): StreamCount {
    let count = this.counts.get(kind.name);
    if (!count) {
      count = new StreamCount(kind, this.perOrganisation ?? kind.total / 2, this.groupOf);
      this.counts.set(kind.name, count);
    }
    return count;
  }

  /** Returns the open streams of an organisation of the kind that is nearest to its limit; without a limit before the first stream. */
  fullest(group: Party): { used: number; limit: number | null } {
    const all = [...this.counts.values()].map((count) => ({
      used: count.ofGroup(group),
      limit: count.perOrganisation,
    }));
    const [fullest] = all.toSorted((a, b) => b.used / b.limit - a.used / a.limit || a.limit - b.limit);
    return fullest ?? { used: 0, limit: this.perOrganisation };
  }
}

/** Numbers of open streams of one kind. */
class StreamCount {
  readonly perOrganisation: number;
  private readonly kind: StreamKind;
  private readonly groupOf: GroupOf;
  private readonly byApplication = new Map<Party, number>();
  private readonly byGroup = new Map<Party, number>();

  constructor(kind: StreamKind, perOrganisation: number, groupOf: GroupOf) {
    this.kind = kind;
    this.perOrganisation = perOrganisation;
    this.groupOf = groupOf;
  }

  get total(): number {
    return this.byApplication.values().reduce((sum, one) => sum + one, 0);
  }

  ofGroup(group: Party): number {
    return this.byGroup.get(group) ?? 0;
  }

  /** Counts a stream that was opened. Returns the function that counts its end. */
  open(application: number): () => void {
    const group = this.groupOf(application);
    change(this.byApplication, application, 1);
    change(this.byGroup, group, 1);
    return () => {
      change(this.byApplication, application, -1);
      change(this.byGroup, group, -1);
    };
  }

  admit(application: number): void {
    const { plural, perApplication, total } = this.kind;
    const group = this.groupOf(application);
    if ((this.byApplication.get(application) ?? 0) >= perApplication)
      throw tooMany('application', perApplication, plural);
    if (group !== application && (this.byGroup.get(group) ?? 0) >= this.perOrganisation)
      throw tooMany('organisation', this.perOrganisation, plural);
    if (this.total >= total)
      throw new AppError('unavailable', `${total} ${plural} are open, the most of this server`, {
        retryAfter: 10,
      });
  }
}

function change(counts: Map<Party, number>, key: Party, by: number): void {
  const left = (counts.get(key) ?? 0) + by;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

const tooMany = (owner: string, count: number, plural: string): AppError =>
  new AppError(
    'rate_limited',
    `The ${owner} has ${count} open ${plural}, the most allowed; close one and retry`,
    { retryAfter: 10 },
  );

/** Formats a Server-Sent Event. `id`: what a client that reconnects sends as `Last-Event-ID`. */
export const serverEvent = (name: string, data: unknown, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
