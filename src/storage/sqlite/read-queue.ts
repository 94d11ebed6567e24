import { AppError } from '../../errors.ts';
import { FairQueue } from '../../runtime/fair-queue.ts';
import { alone, type GroupOf, type Party } from '../../runtime/party.ts';
import type { StoreNumbers } from '../../runtime/scraped-metrics.ts';
import { applicationOf } from './application-of.ts';

/** Limits of waiting reads: in total, of one organisation, and of one party; further reads are rejected. */
const MAX_WAITING = 2_048;
const MAX_OF_ORGANISATION = 1_024;
const MAX_OF_PARTY = 512;
/** Expected milliseconds above which a read is heavy; so is one that returns much data. */
const HEAVY_MS = 200;
const HEAVY_BYTES = 2 * 1024 * 1024;
/**
 * Wait in milliseconds after which a heavy read may take the last free reader, if light reads will soon free another.
 */
const MAX_HEAVY_WAIT_MS = 1_000;
/**
 * Expected milliseconds of a read from which on an application runs only one such read at once while others read as
 * well.
 */
const LEAST_SHARED_MS = 10;
/** Milliseconds after a read for which its application counts as reading. */
const READING_MS = 1_000;
/** Wait in milliseconds of a read for which the spare reader is started. */
const SPARE_WAIT_MS = 50;
/** Milliseconds after which the start of a spare reader is retried. */
const SPARE_RETRY_MS = 10_000;
/** Most kinds of reads with a known duration; the least recently used one is dropped first. */
const MAX_REMEMBERED = 2_000;

interface WaitingRead {
  /** Application, or the name of a read that belongs to none. */
  owner: Party;
  /** Party in whose turn the read runs. */
  party: Party;
  name: string;
  args: unknown;
  /** Start of the wait, in the milliseconds of `performance.now()`. */
  since: number;
  resolve: (value: Promise<unknown>) => void;
}

interface ReadUnderWay {
  owner: Party;
  isLight: boolean;
}

/** One reader: runs one call at a time. */
export interface Reader {
  read: (name: string, args: unknown) => Promise<unknown>;
}

export type ReadNumbers = Pick<StoreNumbers, 'queuedReads' | 'reads' | 'readWaitSeconds' | 'rejectedReads'>;

/**
 * Assigns reads to readers, each of which runs one at a time. Waiting organisations take turns by the time they use, as
 * do the parties of each. The
 * last free reader is kept for light reads, such as the lookup of a key, so that they never wait long. A heavy read
 * may take it after waiting for a second, if only light reads are in progress. A party that already has a read in
 * progress may take it only for a read known to be light. The duration of a kind of read is estimated from earlier
 * ones. A read that returns much data counts as heavy too, because it uses much memory. While several applications
 * or organisations read, one of them may take the last free reader in addition to another one only for reads known to be
 * short.
 *
 * A spare reader costs as much memory as any other, so it is started when a read has waited for a while. Until then it
 * counts as free. The time in which the first reader starts does not count.
 */
export class ReadQueue {
  private readonly free: Reader[];
  private readonly queue: FairQueue<WaitingRead>;
  private readonly groupOf: GroupOf;
  private readonly underWay = new Set<ReadUnderWay>();
  /** Expected milliseconds of a kind of read: raised at once to the slowest, then lowered gradually. */
  private readonly expected = new Map<string, number>();
  private readonly total: number;
  /** Starts the spare reader; null when there is none, or it has been started. */
  private startSpare: (() => Promise<Reader>) | null;
  private hasRead = false;
  private spareTimer: NodeJS.Timeout | null = null;
  /** Time before which its start is not retried, in the milliseconds of `performance.now()`. */
  private spareNotBefore = 0;
  private readonly applications = new RecentReading();
  private readonly organisations = new RecentReading();
  private begun = 0;
  private waitSeconds = 0;
  private rejected = 0;

  constructor(
    readers: readonly Reader[],
    startSpare: (() => Promise<Reader>) | null = null,
    groupOf: GroupOf = alone,
  ) {
    this.groupOf = groupOf;
    this.queue = new FairQueue((party) => groupOf(ownerOfParty(party)));
    this.free = [...readers];
    this.startSpare = startSpare;
    this.total = readers.length + (startSpare ? 1 : 0);
  }

  get numbers(): ReadNumbers {
    return {
      queuedReads: this.queue.size + this.underWay.size,
      reads: this.begun,
      readWaitSeconds: this.waitSeconds,
      rejectedReads: this.rejected,
    };
  }

  /** Runs a read when its turn has come. Rejects with `unavailable` when too many wait. */
  read(name: string, args: unknown): Promise<unknown> {
    const owner = applicationOf(args) ?? name;
    // Light reads do not wait behind heavy ones of their own application.
    const party = this.isHeavy(`${owner} ${name}`) ? heavyParty(owner) : owner;
    if (
      this.queue.size >= MAX_WAITING ||
      this.queue.sizeOfGroup(party) >= MAX_OF_ORGANISATION ||
      this.queue.sizeOf(party) >= MAX_OF_PARTY
    ) {
      this.rejected += 1;
      return Promise.reject(new AppError('unavailable', 'the server is busy; retry later'));
    }
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const since = performance.now();
    this.noteReading(owner, since);
    this.queue.push(party, { owner, party, name, args, since, resolve });
    this.serve();
    return promise;
  }

  private serve(): void {
    for (;;) {
      const [reader] = this.free;
      const next = reader && this.queue.take((_party, read) => this.mayBegin(read));
      if (!reader || !next) {
        this.considerSpare();
        return;
      }
      this.free.shift();
      next.resolve(this.begin(reader, next));
    }
  }

  /** Starts the spare reader soon if reads wait because all others are busy. */
  private considerSpare(): void {
    if (!this.startSpare || !this.hasRead || this.spareTimer || !this.isHeldUp()) return;
    this.spareTimer = setTimeout(
      () => {
        this.spareTimer = null;
        if (this.startSpare && this.isHeldUp()) void this.addSpare(this.startSpare);
      },
      Math.max(SPARE_WAIT_MS, this.spareNotBefore - performance.now()),
    );
    this.spareTimer.unref();
  }

  private isHeldUp(): boolean {
    return this.queue.size > 0 && this.free.length === 0;
  }

  private async addSpare(start: () => Promise<Reader>): Promise<void> {
    this.startSpare = null;
    const reader = await start().catch(() => null);
    if (!reader) {
      this.startSpare = start;
      this.spareNotBefore = performance.now() + SPARE_RETRY_MS;
      this.considerSpare();
      return;
    }
    this.free.push(reader);
    this.serve();
  }

  /**
   * Reports whether a read may begin. Any read may while two readers are free; the last one is reserved for reads
   * that end soon.
   */
  private mayBegin({ owner, name, since }: WaitingRead): boolean {
    if (this.total === 1 || this.free.length + (this.startSpare ? 1 : 0) > 1) return true;
    const key = `${owner} ${name}`;
    const expected = this.expected.get(key);
    const underWay = [...this.underWay];
    const own = underWay.filter((other) => other.owner === owner);
    const group = this.groupOf(owner);
    const ofGroup = underWay.filter((other) => this.groupOf(other.owner) === group);
    if (expected === undefined) return own.every(({ isLight }) => isLight);
    if (expected >= HEAVY_MS)
      return performance.now() - since >= MAX_HEAVY_WAIT_MS && underWay.every(({ isLight }) => isLight);
    if (expected < LEAST_SHARED_MS) return true;
    return (
      (own.length === 0 || !this.applications.includesOther(owner)) &&
      (ofGroup.length === 0 || !this.organisations.includesOther(group))
    );
  }

  private noteReading(owner: Party, at: number): void {
    // Reads without an application have a name as their owner.
    if (typeof owner !== 'number') return;
    this.applications.note(owner, at);
    this.organisations.note(this.groupOf(owner), at);
  }

  private isHeavy(key: string): boolean {
    return (this.expected.get(key) ?? 0) >= HEAVY_MS;
  }

  private async begin(reader: Reader, { owner, party, name, args, since }: WaitingRead): Promise<unknown> {
    const key = `${owner} ${name}`;
    const begunAt = performance.now();
    const entry: ReadUnderWay = { owner, isLight: this.expected.has(key) && !this.isHeavy(key) };
    this.underWay.add(entry);
    this.begun += 1;
    this.waitSeconds += (begunAt - since) / 1000;
    let isLarge = false;
    try {
      const value = await reader.read(name, args);
      isLarge = value instanceof Uint8Array && value.byteLength >= HEAVY_BYTES;
      return value;
    } finally {
      const took = performance.now() - begunAt;
      this.learn(key, isLarge ? Math.max(took, HEAVY_MS) : took);
      this.queue.charge(party, took);
      this.underWay.delete(entry);
      this.free.push(reader);
      this.hasRead = true;
      this.serve();
    }
  }

  private learn(key: string, took: number): void {
    const before = this.expected.get(key) ?? 0;
    this.expected.delete(key);
    const [oldest] = this.expected.keys();
    if (this.expected.size >= MAX_REMEMBERED && oldest !== undefined) this.expected.delete(oldest);
    this.expected.set(key, Math.max(took, (before + took) / 2));
  }
}

/** Remembers who read last, the last other one, and their times. */
class RecentReading {
  private last: { owner: Party | null; at: number } = { owner: null, at: Number.NEGATIVE_INFINITY };
  private other = this.last;

  note(owner: Party, at: number): void {
    if (this.last.owner !== owner) this.other = this.last;
    this.last = { owner, at };
  }

  /** Reports whether anyone but `owner` has read lately. */
  includesOther(owner: Party): boolean {
    const { at } = this.last.owner === owner ? this.other : this.last;
    return performance.now() - at < READING_MS;
  }
}

const HEAVY = / heavy$/;
/** Party of the heavy reads of an application, or of reads that belong to none. */
const heavyParty = (owner: Party): Party => `${owner} heavy`;

function ownerOfParty(party: Party): Party {
  if (typeof party === 'number' || !HEAVY.test(party)) return party;
  const owner = party.replace(HEAVY, '');
  return /^\d+$/.test(owner) ? Number(owner) : party;
}
