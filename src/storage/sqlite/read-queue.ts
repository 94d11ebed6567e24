import { AppError } from '../../errors.ts';
import { FairQueue, type Party } from '../../runtime/fair-queue.ts';
import { applicationOf } from './application-of.ts';

/** Reads that wait, in all and of one party; more are rejected. */
const MAX_WAITING = 2_048;
const MAX_OF_PARTY = 512;
/** A read that is expected to take longer, or to return more, is heavy. */
const HEAVY_MS = 200;
const HEAVY_BYTES = 2 * 1024 * 1024;
/** A heavy read that has waited this long takes the last free reader too, if light reads will soon free another. */
const MAX_HEAVY_WAIT_MS = 1_000;
/**
 * Expected duration of a read from which on an application has only one such read in progress while others read as
 * well.
 */
const LEAST_SHARED_MS = 10;
/** An application counts as reading for so long after a read. */
const READING_MS = 1_000;
/** Kinds of reads whose time is remembered; the one seen last stays longest. */
const MAX_REMEMBERED = 2_000;

interface WaitingRead {
  /** The application, or the name of a read that belongs to none. */
  owner: Party;
  /** Party whose turn the read waits for. */
  party: Party;
  name: string;
  args: unknown;
  /** Start of the wait, as `performance.now()` reports it. */
  since: number;
  resolve: (value: Promise<unknown>) => void;
}

interface Reading {
  owner: Party | null;
  at: number;
}

interface ReadUnderWay {
  owner: Party;
  isLight: boolean;
}

/** One reader: runs one call at a time. */
export interface Reader {
  read: (name: string, args: unknown) => Promise<unknown>;
}

export interface ReadNumbers {
  /** Reads that wait or are under way. */
  queued: number;
  /** Reads that were begun, and the time they had waited. */
  begun: number;
  waitSeconds: number;
  /** Reads that were rejected because too many waited. */
  rejected: number;
}

/**
 * Gives reads to readers, one at a time each. Parties that wait take turns by the time they use. A heavy read does not take
 * the last free reader, so that light ones – the look-up of a key – are always soon served; once it has waited for a second it
 * does, if only light reads are under way. Nor does a read of a party that already has one under way, unless it is known to
 * be light. What a kind of read takes is learnt from the reads before. One that returns much is heavy too, for it takes a lot
 * of memory while it is under way. While several applications read, one of them takes the last free reader beside its own
 * only for reads that are known to be short.
 */
export class ReadQueue {
  private readonly free: Reader[];
  private readonly queue = new FairQueue<WaitingRead>();
  private readonly underWay = new Set<ReadUnderWay>();
  /** Milliseconds that a kind of read is expected to take: at once what the slowest took, then less and less. */
  private readonly expected = new Map<string, number>();
  private readonly total: number;
  /** The application that read last, the last one that is another, and when they did. */
  private lastReading: Reading = { owner: null, at: Number.NEGATIVE_INFINITY };
  private otherReading: Reading = this.lastReading;
  private begun = 0;
  private waitSeconds = 0;
  private rejected = 0;

  constructor(readers: readonly Reader[]) {
    this.free = [...readers];
    this.total = readers.length;
  }

  get numbers(): ReadNumbers {
    const { begun, waitSeconds, rejected } = this;
    return { queued: this.queue.size + this.underWay.size, begun, waitSeconds, rejected };
  }

  /** Reads when its turn has come. Rejects as `unavailable` when too many wait. */
  read(name: string, args: unknown): Promise<unknown> {
    const owner = applicationOf(args) ?? name;
    // Light reads do not wait behind the heavy ones of their own application.
    const party = this.isHeavy(`${owner} ${name}`) ? `${owner} heavy` : owner;
    if (this.queue.size >= MAX_WAITING || this.queue.sizeOf(party) >= MAX_OF_PARTY) {
      this.rejected += 1;
      return Promise.reject(new AppError('unavailable', 'the server is busy; send again'));
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
      if (!reader || !next) return;
      this.free.shift();
      next.resolve(this.begin(reader, next));
    }
  }

  /** Any read may take a reader while two are free; the last one is kept for those that give it back soon. */
  private mayBegin({ owner, name, since }: WaitingRead): boolean {
    if (this.total === 1 || this.free.length > 1) return true;
    const key = `${owner} ${name}`;
    const expected = this.expected.get(key);
    const underWay = [...this.underWay];
    const own = underWay.filter((other) => other.owner === owner);
    if (expected === undefined) return own.every(({ isLight }) => isLight);
    if (expected >= HEAVY_MS)
      return performance.now() - since >= MAX_HEAVY_WAIT_MS && underWay.every(({ isLight }) => isLight);
    return expected < LEAST_SHARED_MS || own.length === 0 || !this.othersRead(owner);
  }

  private noteReading(owner: Party, at: number): void {
    // Reads that belong to no application are by name.
    if (typeof owner !== 'number') return;
    if (this.lastReading.owner !== owner) this.otherReading = this.lastReading;
    this.lastReading = { owner, at };
  }

  private othersRead(owner: Party): boolean {
    const { at } = this.lastReading.owner === owner ? this.otherReading : this.lastReading;
    return performance.now() - at < READING_MS;
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
