import { statSync } from 'node:fs';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { AppError } from '../../errors.ts';
import type { StoreNumbers } from '../../runtime/metrics.ts';
import { answerCall, answerError, type CallMessage } from '../../runtime/thread-calls.ts';
import { findOperation, type Operations } from '../operations.ts';
import type { Database } from './database.ts';
import type { ReadGate } from './read-gate.ts';

const MIB = 1024 * 1024;
/** A commit stops taking more commands after this long: it bounds the wait of the first one in it. */
const MAX_COMMIT_MS = 100;
const CHECKPOINT_BYTES = 128 * MIB;
const IDLE_CHECKPOINT_BYTES = 4 * MIB;
const IDLE_CHECKPOINT_MS = 2_000;
/** Beyond this readers are held back for a moment, so that a checkpoint can empty the log. */
const GATE_BYTES = 512 * MIB;
const GATE_BUSY_MS = 200;

interface Queued {
  port: MessagePort;
  message: CallMessage;
}

export type WriterStats = Omit<StoreNumbers, 'queuedReads' | 'fileBytes'>;

/**
 * The only connection that writes. Group commit without a timer: whatever has queued up while the last commit ran
 * goes into the next one, each command under a savepoint of its own; answers are sent after the commit.
 */
export class Writer {
  private readonly database: Database;
  private readonly commands: Operations;
  private readonly walFile: string;
  private readonly gate: ReadGate;
  private readonly ports: MessagePort[] = [];
  private queue: Queued[] = [];
  private scheduled: NodeJS.Immediate | null = null;
  private idleTimer: NodeJS.Timeout | null = null;
  private readonly counters = {
    commits: 0,
    commitSeconds: 0,
    commands: 0,
    failedCommits: 0,
    checkpoints: 0,
    checkpointSeconds: 0,
  };

  constructor(database: Database, commands: Operations, gate: ReadGate) {
    this.database = database;
    this.commands = commands;
    this.gate = gate;
    this.walFile = `${database.connection.name}-wal`;
  }

  /** Takes commands from a port; `stats` is answered at once, beside the queue. */
  attach(port: MessagePort): void {
    this.ports.push(port);
    port.on('message', (message: CallMessage) => this.take(port, message));
  }

  /** Commits what has been sent, empties the log and closes the file. */
  close(): void {
    for (const port of this.ports) {
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
        this.take(port, next.message as CallMessage);
      }
    }
    if (this.scheduled) clearImmediate(this.scheduled);
    while (this.queue.length > 0) this.commitOnce();
    if (this.idleTimer) clearTimeout(this.idleTimer);
    this.checkpoint();
    this.database.connection.close();
  }

  private stats(): WriterStats {
    return { ...this.counters, walBytes: this.walBytes(), queuedWrites: this.queue.length };
  }

  private take(port: MessagePort, message: CallMessage): void {
    if (message.name === 'stats') {
      answerCall(port, message.id, this.stats());
      return;
    }
    this.queue.push({ port, message });
    // After the messages that are already waiting on the ports, so that they share the commit.
    this.scheduled ??= setImmediate(() => this.drain());
  }

  private drain(): void {
    this.scheduled = null;
    this.commitOnce();
    if (this.walBytes() >= CHECKPOINT_BYTES) this.checkpoint();
    if (this.queue.length > 0) this.scheduled = setImmediate(() => this.drain());
    else this.checkpointWhenIdle();
  }

  private commitOnce(): void {
    const { connection } = this.database;
    const started = performance.now();
    const settled: (() => void)[] = [];
    let taken = 0;
    try {
      this.database.run('BEGIN IMMEDIATE');
      while (taken < this.queue.length && performance.now() - started < MAX_COMMIT_MS) {
        settled.push(this.runCommand(this.queue[taken++] as Queued));
      }
      this.database.run('COMMIT');
      this.counters.commits += 1;
    } catch (error) {
      if (connection.inTransaction) this.database.run('ROLLBACK');
      this.counters.failedCommits += 1;
      const failure = asUnavailable(error);
      settled.length = 0;
      for (const { port, message } of this.queue.slice(0, Math.max(taken, 1))) {
        settled.push(() => answerError(port, message.id, failure));
      }
      taken = settled.length;
    }
    this.queue = this.queue.slice(taken);
    this.counters.commands += taken;
    this.counters.commitSeconds += (performance.now() - started) / 1000;
    for (const settle of settled) settle();
  }

  /** Runs one command under a savepoint; the answer is to be sent after the commit. */
  private runCommand({ port, message }: Queued): () => void {
    const { connection } = this.database;
    const command = findOperation(this.commands, message.name);
    if (!command) return () => answerError(port, message.id, new Error(`no command ${message.name}`));
    this.database.run('SAVEPOINT command');
    try {
      const value = command(this.database, message.args);
      this.database.run('RELEASE command');
      return () => answerCall(port, message.id, value);
    } catch (error) {
      // SQLite has already rolled back everything after some failures, such as a full disk.
      if (!connection.inTransaction) throw error;
      this.database.run('ROLLBACK TO command');
      this.database.run('RELEASE command');
      return () => answerError(port, message.id, asUnavailable(error));
    }
  }

  private walBytes(): number {
    return statSync(this.walFile, { throwIfNoEntry: false })?.size ?? 0;
  }

  private checkpoint(): void {
    const started = performance.now();
    const { connection } = this.database;
    const hold = this.walBytes() > GATE_BYTES;
    if (hold) this.gate.close(GATE_BUSY_MS);
    connection.pragma(`busy_timeout = ${GATE_BUSY_MS}`);
    try {
      connection.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // Nothing is lost: the log stays and is tried again after the next commit.
      if (!(error instanceof Sqlite.SqliteError)) throw error;
    } finally {
      connection.pragma('busy_timeout = 5000');
      if (hold) this.gate.open();
    }
    this.counters.checkpoints += 1;
    this.counters.checkpointSeconds += (performance.now() - started) / 1000;
  }

  private checkpointWhenIdle(): void {
    if (this.idleTimer) this.idleTimer.refresh();
    else {
      this.idleTimer = setTimeout(() => {
        if (this.queue.length === 0 && this.walBytes() >= IDLE_CHECKPOINT_BYTES) this.checkpoint();
      }, IDLE_CHECKPOINT_MS);
      this.idleTimer.unref();
    }
  }
}

/** A fault of the store that passes is told as such: nothing was done, and the same call may be made again. */
function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  const passing = [
    'SQLITE_FULL',
    'SQLITE_BUSY',
    'SQLITE_IOERR',
    'SQLITE_NOMEM',
    'SQLITE_LOCKED',
    'SQLITE_PROTOCOL',
  ];
  return passing.some((code) => error.code.startsWith(code))
    ? new AppError('unavailable', `the store cannot take data right now (${error.code}); send again`)
    : error;
}
