import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import type { LogEnd } from './clear-pages.ts';
import type { ReadGate } from './read-gate.ts';

const MIB = 1024 * 1024;
/** Size of a database page with the header of its frame in the write-ahead log. */
const FRAME_BYTES = 4096 + 24;
/** Size of the log from which on it is copied into the database. */
const CHECKPOINT_BYTES = 64 * MIB;
/** Remaining size below which bulk commands wait, so that the rest becomes small. */
const LITTLE_BYTES = 12 * MIB;
/** Most passes of one checkpoint. Under load, the log grows during each of them. */
const MAX_PASSES = 6;
/** Remaining size that the writer itself copies and syncs: what a few small calls wrote. */
const REST_BYTES = MIB / 4;
/** Most passes for which bulk commands wait. */
const MAX_LAST_PASSES = 3;
/** Largest bulk command that does not wait, as a call does not: what a sender with a few spans at a time sends. */
const SMALL_COMMAND_BYTES = 32 * 1024;
/** Bytes of these commands for each checkpoint. They make the log several times as long. */
const SMALL_COMMANDS_BYTES = 128 * 1024;
/** Milliseconds for which a pass waits for readers of an older state. */
const READERS_MS = 20;
const IDLE_CHECKPOINT_BYTES = 4 * MIB;
const IDLE_CHECKPOINT_MS = 2_000;
/** Milliseconds without a commit after which the file of the log is truncated. */
const QUIET_MS = 60_000;
/** Milliseconds for which the writer waits for readers at the end of a checkpoint. */
const BUSY_MS = 20;
/** Size of the log above which new reads are delayed briefly, so that it can be emptied. */
const GATE_BYTES = 512 * MIB;
const GATE_BUSY_MS = 200;
/** Busy timeout that `openForWriting` sets. */
const USUAL_BUSY_MS = 5_000;

/** Result of one pass: frames in the log, and frames that are now in the database. */
export interface CheckpointPass {
  frames: number;
  copied: number;
}

/** Copies the log into the database on another connection, while commits continue. */
export interface Checkpointer {
  /** Runs one pass; null when it failed. */
  pass(): Promise<CheckpointPass | null>;
  close(): Promise<void>;
}

/**
 * Runs one pass on a connection: blocks no other connection, and keeps frames that readers still need. `sync` then writes
 * the database to the disk: SQLite itself does so only in a pass that copies the complete log, which under load is the
 * writer's own. Returns null when the file cannot be written, for example on a full disk; nothing is lost, because the
 * log remains.
 */
export function runCheckpointPass(connection: Connection, sync: () => void): CheckpointPass | null {
  try {
    const [result] = connection.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    sync();
    return { frames: result?.log ?? 0, copied: result?.checkpointed ?? 0 };
  } catch (error) {
    if (error instanceof Sqlite.SqliteError || isSystemError(error)) return null;
    throw error;
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/**
 * Keeps the write-ahead log short. A separate thread copies the log into the database while the writer continues.
 * When little is left, large bulk commands wait until that thread has copied it, and the writer copies what calls and small commands
 * wrote meanwhile and empties the log, so that none of these waits long for it.
 */
export class Checkpoints {
  private readonly connection: Connection;
  private readonly gate: ReadGate;
  private readonly start: () => Checkpointer;
  private readonly walFile: string;
  private checkpointer: Checkpointer | null = null;
  private running: Promise<void> | null = null;
  private isClosed = false;
  /** True while bulk commands must wait. */
  private holdsBulk = false;
  /** Bytes of small commands that may still be written while it is true. */
  private smallBytesLeft = 0;
  /** Called when they need no longer wait. */
  onRelease: () => void = () => undefined;
  /** Size of the log below which it is not copied. Larger than usual after readers kept it from being emptied. */
  private dueBytes = CHECKPOINT_BYTES;
  private timers: NodeJS.Timeout[] = [];
  /** Numbers for metrics; `checkpointSeconds` is the time that commits had to wait. */
  readonly numbers = { checkpoints: 0, failedCheckpoints: 0, checkpointSeconds: 0 };

  /** Creates the checkpoints; `start` is called when the first one is due. */
  constructor(connection: Connection, gate: ReadGate, start: () => Checkpointer) {
    this.connection = connection;
    this.gate = gate;
    this.start = start;
    this.walFile = `${connection.name}-wal`;
  }

  /** Bytes of the log that the database lacks or that readers need; the next commit writes behind them. */
  get logBytes(): number {
    const [state] = this.connection.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
    return state && state.checkpointed < state.log ? state.log * FRAME_BYTES : 0;
  }

  /** Returns true if a bulk command of `bytes` need not wait for a checkpoint. */
  admitsBulk(bytes: number): boolean {
    return !this.holdsBulk || bytes <= Math.min(SMALL_COMMAND_BYTES, this.smallBytesLeft);
  }

  /** Records that a bulk command of `bytes` was written. */
  wroteBulk(bytes: number): void {
    this.smallBytesLeft -= bytes;
  }

  /** Called after each commit. */
  afterCommit(): void {
    if (this.logBytes >= this.dueBytes) this.begin();
    for (const timer of this.timers) timer.refresh();
    if (this.timers.length > 0) return;
    this.timers = [
      setTimeout(() => {
        if (this.logBytes >= IDLE_CHECKPOINT_BYTES) this.begin();
      }, IDLE_CHECKPOINT_MS),
      setTimeout(() => {
        if (!this.running && this.fileBytes() > 0) this.emptyLog('TRUNCATE');
      }, QUIET_MS),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /** Waits for the checkpoint in progress and starts no other one. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.running;
    await this.checkpointer?.close();
  }

  /** Copies most of a long log; returns false once no other checkpoint may begin. */
  async shorten(): Promise<boolean> {
    if (this.logBytes > LITTLE_BYTES) this.begin();
    await this.running;
    return !this.isClosed;
  }

  /** Copies the complete log; returns false if a reader of an older state, or a fault, prevents it. */
  empty(mode: LogEnd): boolean {
    this.gate.close(BUSY_MS);
    try {
      return this.emptyLog(mode);
    } finally {
      this.gate.open();
    }
  }

  private begin(): void {
    if (this.isClosed || this.running) return;
    this.running = this.run().finally(() => (this.running = null));
  }

  private async run(): Promise<void> {
    this.checkpointer ??= this.start();
    let left = await this.copyLog(this.checkpointer, { wanted: LITTLE_BYTES, passes: MAX_PASSES });
    if (left !== null && left <= LITTLE_BYTES) {
      this.smallBytesLeft = SMALL_COMMANDS_BYTES;
      this.holdsBulk = true;
      left = await this.copyLog(this.checkpointer, { wanted: REST_BYTES, passes: MAX_LAST_PASSES });
    }
    if (left === null) this.numbers.failedCheckpoints += 1;
    else if (this.fileBytes() > GATE_BYTES) this.truncateLongLog();
    else if (left <= LITTLE_BYTES) this.emptyLog('RESTART');
    this.dueBytes = this.logBytes + CHECKPOINT_BYTES;
    this.holdsBulk = false;
    this.onRelease();
  }

  /**
   * Copies the log until no more than `wanted` bytes are left. Returns the number of bytes left; null when the database cannot
   * be written, so that the writer would fail as well.
   */
  private async copyLog(
    checkpointer: Checkpointer,
    { wanted, passes }: { wanted: number; passes: number },
  ): Promise<number | null> {
    let left = 0;
    for (let done = 0; done < passes; done++) {
      const pass = await checkpointer.pass();
      if (pass === null) return null;
      left = this.logBytes - pass.copied * FRAME_BYTES;
      if (left <= wanted) break;
      if (pass.copied < pass.frames) await delay(READERS_MS);
    }
    return left;
  }

  /** Truncates a log that reads have kept from being emptied, while new ones wait. */
  private truncateLongLog(): void {
    this.gate.close(GATE_BUSY_MS);
    try {
      this.emptyLog('TRUNCATE', GATE_BUSY_MS);
    } finally {
      this.gate.open();
    }
  }

  /**
   * Copies the rest of the log, so that the next commit overwrites it from its beginning. Under load its file keeps its size:
   * to truncate it takes a third of a second, and commits to a growing file wait for the journal of the file system, which
   * may wait for files of other programs.
   */
  private emptyLog(mode: LogEnd, busyMs = BUSY_MS): boolean {
    const started = performance.now();
    let isEmpty = false;
    this.connection.pragma(`busy_timeout = ${busyMs}`);
    try {
      const [result] = this.connection.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
      isEmpty = result?.busy === 0;
    } catch (error) {
      // Nothing is lost: the log remains, and the next checkpoint retries.
      if (!(error instanceof Sqlite.SqliteError)) throw error;
    } finally {
      this.connection.pragma(`busy_timeout = ${USUAL_BUSY_MS}`);
    }
    this.numbers.checkpoints += 1;
    this.numbers.checkpointSeconds += (performance.now() - started) / 1000;
    return isEmpty;
  }

  private fileBytes(): number {
    return statSync(this.walFile, { throwIfNoEntry: false })?.size ?? 0;
  }
}
