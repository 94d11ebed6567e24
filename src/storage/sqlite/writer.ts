import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { FairQueue } from '../../runtime/fair-queue.ts';
import { alone, type GroupOf, type Party } from '../../runtime/party.ts';
import { COMMIT_BOUNDS, type StoreNumbers } from '../../runtime/scraped-metrics.ts';
import { openEnvelope } from '../../runtime/outbox.ts';
import { SharedCount } from '../../runtime/shared-count.ts';
import { type CallEnvelope, type CallMessage, ThreadResponder } from '../../runtime/thread-calls.ts';
import { findOperation, needsSavepoint, type Operations } from '../operations.ts';
import type { Clearing } from '../clearing.ts';
import { applicationOf } from './application-of.ts';
import type { Checkpoints } from './checkpoints.ts';
import { PageClearer } from './clear-pages.ts';
import type { SqliteDatabase } from './database.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import type { ReadNumbers } from './read-queue.ts';
import { asUnavailable, faultCode } from './store-fault.ts';
import type { StoreHold } from './store-hold.ts';

/** Milliseconds after which a commit takes no more commands, which bounds the wait of its first one. */
const MAX_COMMIT_MS = 40;
/** Part of that time that calls may use before bulk commands have their turn. */
const MAX_CALLS_MS = 20;
/** Milliseconds after a fault of the store from which on it is probed, if no command has succeeded or failed. */
const PROBE_MS = 20_000;
/** Interval in milliseconds after which the hold of the store is checked without a commit. */
const HOLD_MS = 2_000;

/**
 * Queue of a command. Calls are short and have a client waiting for each; bulk commands store the spans of many
 * senders.
 */
export type WriterQueue = 'calls' | 'bulk';

interface Queued {
  party: Party;
  responder: ThreadResponder;
  message: CallMessage;
  bytes: Uint8Array | undefined;
}

/** A thread that sends commands. */
interface Sender {
  port: MessagePort;
  queue: WriterQueue;
  responder: ThreadResponder;
  /** Name of the sender, which is the party of its bulk commands. */
  name: string;
}

export type WriterStats = Omit<StoreNumbers, keyof ReadNumbers | 'fileBytes'>;

export interface WriterOptions {
  /** Open database file in which remains of deleted rows are overwritten. */
  descriptor?: number;
  /** Commits that changed data. */
  commits?: SharedCount;
  /** Returns the organisation of an application. Default: each application is alone. */
  groupOf?: GroupOf;
  /** Watch of the store; null where nothing else can take it. */
  hold?: StoreHold | null;
  /** Called once when the store is no longer that of this process, with why. The writer acknowledges nothing from then on. */
  onLost?: (why: string) => void;
}

/** Sends the response to one command, with the charged duration of its commit. Called after the commit. */
type Settle = (commitMs: number) => void;

/**
 * Returns the duration of a commit for which its commands are to blame: its work, and of waiting for the disk (`syncMs`) at
 * most as much. Smaller commands would only wait for a slow disk more often.
 */
export function chargedCommitMs(totalMs: number, syncMs: number): number {
  const workMs = totalMs - syncMs;
  return workMs + Math.min(syncMs, workMs);
}

/**
 * The only connection that writes. Groups commits without a timer: all commands that arrived during the last commit
 * share the next one, calls before bulk commands, up to its time limit. Organisations with waiting calls take turns by
 * the time they use, as do the applications of each. Threads with bulk commands take turns as well, which contain those of several
 * organisations. Responses are sent after the commit, and only while the store is still held.
 */
export class Writer {
  private readonly database: SqliteDatabase;
  private readonly commands: Operations;
  private readonly checkpoints: Checkpoints;
  private readonly clearer: PageClearer;
  private readonly commits: SharedCount;
  private readonly hold: StoreHold | null;
  private readonly onLost: (why: string) => void;
  private readonly holdTimer: NodeJS.Timeout;
  private isLost = false;
  /** Number of rows changed since the file was opened. */
  private changes = 0;
  private readonly senders: Sender[] = [];
  private readonly queues: Record<WriterQueue, FairQueue<Queued>>;
  private scheduled: NodeJS.Immediate | null = null;
  private readonly counters = {
    commits: 0,
    commitSeconds: 0,
    longestCommitSeconds: 0,
    commitBuckets: [...COMMIT_BOUNDS, Infinity].map(() => 0),
    commands: 0,
    failedCommits: 0,
  };
  /** Code of the fault of the last commit that should have changed data; null when it succeeded. */
  private failure: string | null = null;
  /** Milliseconds that the last COMMIT took. */
  private syncMs = 0;
  /** Time of that fault, in the milliseconds of `performance.now()`. */
  private failedAt = 0;

  constructor(
    database: SqliteDatabase,
    commands: Operations,
    checkpoints: Checkpoints,
    {
      descriptor = -1,
      commits = new SharedCount(),
      groupOf = alone,
      hold = null,
      onLost = () => undefined,
    }: WriterOptions = {},
  ) {
    this.queues = { calls: new FairQueue(groupOf), bulk: new FairQueue(groupOf) };
    this.database = database;
    this.commands = commands;
    this.checkpoints = checkpoints;
    this.clearer = new PageClearer({
      connection: database.connection,
      descriptor,
      emptyLog: (mode) => checkpoints.empty(mode),
    });
    this.commits = commits;
    this.hold = hold;
    this.onLost = onLost;
    this.holdTimer = setInterval(() => this.checkHold(), HOLD_MS).unref();
    checkpoints.onRelease = () => this.schedule();
  }

  /** Accepts commands from a port. Responds to `stats` at once, ahead of the queue. */
  attach(port: MessagePort, queue: WriterQueue): void {
    const name = `thread ${this.senders.length}`;
    const sender: Sender = { port, queue, responder: new ThreadResponder(port), name };
    this.senders.push(sender);
    port.on('message', (envelope: CallEnvelope) => this.accept(envelope, sender));
  }

  /** Commits all commands that were sent, then closes the file. Never resolves when the store is another's. */
  async close(): Promise<void> {
    clearInterval(this.holdTimer);
    await this.checkpoints.close();
    for (const sender of this.senders) {
      for (let next = receiveMessageOnPort(sender.port); next; next = receiveMessageOnPort(sender.port)) {
        this.accept(next.message as CallEnvelope, sender);
      }
    }
    if (this.scheduled) clearImmediate(this.scheduled);
    while (this.queued > 0 && !this.isLost) this.commitOnce();
    // To close the connection would delete files that may be another's by now.
    if (!this.checkHold()) await new Promise(() => undefined);
    this.database.connection.close();
  }

  /** Returns true if the store is still that of this process. */
  private checkHold(): boolean {
    if (this.isLost) return false;
    const fault = this.hold?.fault() ?? null;
    if (fault === null) return true;
    this.isLost = true;
    this.onLost(fault);
    return false;
  }

  private get queued(): number {
    return this.queues.calls.size + this.queues.bulk.size;
  }

  private stats(): WriterStats {
    if (this.failure !== null && performance.now() - this.failedAt >= PROBE_MS) this.probe();
    return {
      ...this.counters,
      ...this.checkpoints.numbers,
      failure: this.failure,
      holdChecks: this.hold?.checks ?? 0,
      seesLock: this.hold?.seesLock ?? false,
      walBytes: this.checkpoints.logBytes,
      queuedWrites: this.queued,
    };
  }

  private async clearRemains({ id, args }: CallMessage, responder: ThreadResponder): Promise<void> {
    const begun = args as number | null;
    try {
      const isOpen = (await this.checkpoints.shorten()) && this.checkHold();
      const blocked: Clearing = { begun, state: 'blocked' };
      responder.answer(id, isOpen ? this.clearer.clear(begun) : blocked);
    } catch (error) {
      responder.fail(id, asUnavailable(error, 'accept data'));
    }
  }

  private accept(envelope: CallEnvelope, { queue, responder, name }: Sender): void {
    openEnvelope(envelope, (message, bytes) => {
      if (message.name === 'stats') responder.answer(message.id, this.stats());
      else if (message.name === 'clearRemains') void this.clearRemains(message, responder);
      else {
        const party = queue === 'bulk' ? name : (applicationOf(message.args) ?? 'none');
        this.queues[queue].push(party, { party, responder, message, bytes: bytes ?? undefined });
      }
    });
    // After the messages that already wait at the ports, so that they share the commit.
    this.schedule();
  }

  private readonly mayRunBulk = (_: Party, queued: Queued): boolean =>
    this.checkpoints.admitsBulk(sizeOf(queued));

  /** Schedules a commit if there is a command that need not wait for a checkpoint. */
  private schedule(): void {
    if (this.isLost) return;
    const { calls, bulk } = this.queues;
    if (calls.size > 0 || bulk.canTake(this.mayRunBulk)) this.scheduled ??= setImmediate(() => this.drain());
  }

  private drain(): void {
    this.scheduled = null;
    this.commitOnce();
    if (this.isLost) return;
    this.checkpoints.afterCommit();
    this.schedule();
  }

  /** Finds out whether a store that failed can be written again, although no client has tried. */
  private probe(): void {
    try {
      this.database.run('BEGIN IMMEDIATE');
      // Writes a page without changing it.
      this.database.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
      this.database.run('COMMIT');
      this.failure = null;
    } catch (error) {
      this.rollBack(error);
    }
  }

  private commitOnce(): void {
    const started = performance.now();
    const taken: Queued[] = [];
    let settled: Settle[];
    this.syncMs = 0;
    try {
      settled = this.runTogether(taken, started);
      this.counters.commits += 1;
    } catch (error) {
      this.rollBack(error);
      settled = this.recover(taken, error);
    }
    const milliseconds = performance.now() - started;
    const seconds = milliseconds / 1000;
    this.counters.commands += settled.length;
    this.counters.commitSeconds += seconds;
    this.counters.longestCommitSeconds = Math.max(this.counters.longestCommitSeconds, seconds);
    const { commitBuckets } = this.counters;
    const bucket = bucketOf(seconds);
    commitBuckets[bucket] = (commitBuckets[bucket] ?? 0) + 1;
    if (!this.checkHold()) return;
    const chargedMs = chargedCommitMs(milliseconds, this.syncMs);
    for (const settle of settled) settle(chargedMs);
  }

  /**
   * Runs queued commands in one transaction, up to the time limit of a commit; `taken` receives each command that was
   * begun.
   */
  private runTogether(taken: Queued[], started: number): Settle[] {
    const settled: Settle[] = [];
    const runWithin = (name: WriterQueue, milliseconds: number): void => {
      const queue = this.queues[name];
      const take = (): Queued | undefined => (name === 'bulk' ? queue.take(this.mayRunBulk) : queue.take());
      let begun = performance.now();
      const end = started + milliseconds;
      for (let queued = take(); queued; queued = begun < end ? take() : undefined) {
        taken.push(queued);
        settled.push(this.runCommand(queued));
        if (name === 'bulk') this.checkpoints.wroteBulk(sizeOf(queued));
        const now = performance.now();
        queue.charge(queued.party, now - begun);
        begun = now;
      }
    };
    this.database.run('BEGIN IMMEDIATE');
    runWithin('calls', this.queues.bulk.size > 0 ? MAX_CALLS_MS : MAX_COMMIT_MS);
    runWithin('bulk', MAX_COMMIT_MS);
    this.commit();
    return settled;
  }

  private commit(): void {
    const syncedFrom = performance.now();
    this.database.run('COMMIT');
    this.syncMs = performance.now() - syncedFrom;
    const changes = this.database.changeCount();
    if (changes !== this.changes) {
      this.commits.add(1);
      this.failure = null;
    }
    this.changes = changes;
  }

  /**
   * Recovers after a rollback. A fault of the store fails every command of the commit; a fault of one command fails
   * only that one.
   */
  private recover(taken: readonly Queued[], error: unknown): Settle[] {
    if (taken.length === 0)
      return failAll([...this.queues.calls.clear(), ...this.queues.bulk.clear()], error);
    if (taken.length === 1 || faultCode(error) !== null) return failAll(taken, error);
    return taken.flatMap((queued) => this.runAlone(queued));
  }

  private runAlone(queued: Queued): Settle[] {
    try {
      this.database.run('BEGIN IMMEDIATE');
      const settle = this.runCommand(queued);
      this.commit();
      this.counters.commits += 1;
      return [settle];
    } catch (error) {
      this.rollBack(error);
      return failAll([queued], error);
    }
  }

  private rollBack(error: unknown): void {
    if (this.database.connection.inTransaction) this.database.run('ROLLBACK');
    this.counters.failedCommits += 1;
    // SQLite counts changes that were rolled back, too.
    this.changes = this.database.changeCount();
    const code = faultCode(error);
    if (code === null) return;
    this.failure = code;
    this.failedAt = performance.now();
  }

  /** Runs a command. Throws the errors of a command without savepoint, and failures that end the transaction. */
  private runCommand({ responder, message, bytes }: Queued): Settle {
    const { connection } = this.database;
    const command = findOperation(this.commands, message.name);
    if (!command) return () => responder.fail(message.id, new Error(`unknown command ${message.name}`));
    const isGuarded = needsSavepoint(command);
    if (isGuarded) this.database.run('SAVEPOINT command');
    try {
      const value = command(this.database, message.args, bytes);
      if (isGuarded) this.database.run('RELEASE command');
      return (commitMs) => responder.answer(message.id, value, commitMs);
    } catch (error) {
      // Some failures, such as a full disk, make SQLite roll back everything.
      if (!isGuarded || !connection.inTransaction) throw error;
      this.database.run('ROLLBACK TO command');
      this.database.run('RELEASE command');
      return () => responder.fail(message.id, asUnavailable(error, 'accept data'));
    }
  }
}

/** Returns the bytes of a command; what one without bytes of its own writes is unknown. */
const sizeOf = ({ bytes }: Queued): number => bytes?.length ?? Infinity;

function failAll(taken: readonly Queued[], error: unknown): Settle[] {
  const failure = asUnavailable(error, 'accept data');
  return taken.map(
    ({ responder, message }) =>
      () =>
        responder.fail(message.id, failure),
  );
}

/** Returns the place of a duration in `commitBuckets`. */
function bucketOf(seconds: number): number {
  const bucket = COMMIT_BOUNDS.findIndex((bound) => seconds <= bound);
  return bucket === -1 ? COMMIT_BOUNDS.length : bucket;
}
