import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolders } from './make-folders.ts';
import { hasEnded, ownProcess, type ProcessOwner } from './process-owner.ts';
import { monotonicMillis, soon, startIdleTimer } from './runtime.ts';

/** Settings of the note of unsent spans. */
export interface UnsentNoteSettings {
  /** Folder that is configured; undefined for one of the user among the temporary files. */
  dir: string | undefined;
  /** Name of the folder in it: the id of the application. */
  application: string;
}

/** A number of spans that outlives the process. Never throws or rejects. */
export interface UnsentNote {
  /** Writes the current number, at the end of this turn of the event loop or soon after. */
  update(): void;
  /** Deletes the number: the process ends in a way that can be noticed. */
  close(): void;
  /** Deletes what ended processes have left, and returns their spans; undefined if there are none. Of several processes, one gets each. */
  takeBefore(): Promise<UnsentBefore | undefined>;
}

/** Spans of processes that ended without a flush. */
export interface UnsentBefore {
  spans: number;
  processes: number;
  /** Number of the latest of these processes. */
  pid: number;
  /** Time at which it wrote its number. */
  at: Date;
}

const NAME = /^[0-9a-f]{16}\.unsent$/;
/** Width of the number at the start of the file, so that each overwrites the one before. */
const DIGITS = 10;
const MIN_INTERVAL_MILLIS = 20;
/** Time until a folder that could not be written is opened once more. */
const RETRY_MILLIS = 10_000;
/** Time after which a process of another machine counts as ended: a number above 0 changes within seconds. */
const STALE_MILLIS = 600_000;
/** Notes that one start reads. */
const MAX_NOTES = 1_000;

/**
 * Keeps the number of spans that the server has not confirmed in a small file. An end that no code can notice (SIGKILL, a crash) leaves
 * the file behind, and the next start reports it.
 */
export class NodeUnsentNote implements UnsentNote {
  readonly #folder: string;
  readonly #isShared: boolean;
  readonly #count: () => number;
  readonly #file: string;
  #descriptor: number | undefined;
  #written = 0;
  #writtenAt = -Infinity;
  #pausedUntil = -Infinity;
  #isScheduled = false;
  #isClosed = false;

  constructor({ dir, application }: UnsentNoteSettings, count: () => number) {
    // Among temporary files, each user has a folder of their own.
    this.#isShared = dir === undefined;
    this.#folder = join(dir ?? join(tmpdir(), `touchstone-${process.getuid?.() ?? 'user'}`), application);
    this.#count = count;
    this.#file = join(this.#folder, `${randomBytes(8).toString('hex')}.unsent`);
  }

  update(): void {
    if (this.#isScheduled || this.#isClosed || monotonicMillis() < this.#pausedUntil) return;
    this.#isScheduled = true;
    soon(this.#write);
  }

  close(): void {
    this.#isClosed = true;
    try {
      if (this.#descriptor === undefined) return;
      closeSync(this.#descriptor);
      this.#descriptor = undefined;
      unlinkSync(this.#file);
    } catch {
      // Another process may have deleted the folder.
    }
  }

  async takeBefore(): Promise<UnsentBefore | undefined> {
    const found: UnsentBefore = { spans: 0, processes: 0, pid: 0, at: new Date(0) };
    try {
      if (!this.#isOwnFolder()) return undefined;
      const names = (await readdir(this.#folder)).filter((name) => NAME.test(name)).slice(0, MAX_NOTES);
      for (const name of names) await takeNote(join(this.#folder, name), found);
    } catch {
      // The folder does not exist, or may not be read.
    }
    return found.processes > 0 ? found : undefined;
  }

  readonly #write = (): void => {
    const count = this.#count();
    const wait = this.#writtenAt + MIN_INTERVAL_MILLIS - monotonicMillis();
    // The first span after none, and the last one that is confirmed, are written at once.
    if (wait > 0 && count > 0 && this.#written > 0 && !this.#isClosed) {
      startIdleTimer(this.#write, wait);
      return;
    }
    this.#isScheduled = false;
    if (count === this.#written || this.#isClosed) return;
    try {
      this.#descriptor ??= this.#open();
      writeSync(this.#descriptor, String(count).padStart(DIGITS), 0);
      this.#written = count;
      this.#writtenAt = monotonicMillis();
    } catch {
      // Without a folder that can be written, nothing is noted.
      this.#pausedUntil = monotonicMillis() + RETRY_MILLIS;
    }
  };

  #open(): number {
    makeFolders(this.#folder);
    if (!this.#isOwnFolder()) throw new Error('the folder belongs to another user');
    const descriptor = openSync(this.#file, 'wx', 0o600);
    try {
      writeSync(descriptor, `${'0'.padStart(DIGITS)}\n${JSON.stringify(ownProcess())}\n`, 0);
      return descriptor;
    } catch (error) {
      // A file without its owner would stay.
      closeSync(descriptor);
      unlinkSync(this.#file);
      throw error;
    }
  }

  /** Reports whether the folder can be trusted: in a place that all users may write, another one may have created it. */
  #isOwnFolder(): boolean {
    if (!this.#isShared || !process.getuid) return true;
    const status = lstatSync(join(this.#folder, '..'));
    return status.isDirectory() && status.uid === process.getuid();
  }
}

async function takeNote(file: string, found: UnsentBefore): Promise<void> {
  try {
    const { mtime } = await stat(file);
    const [count = '', owner = ''] = (await readFile(file, 'utf8')).split('\n');
    const isOver = hasEnded(JSON.parse(owner) as ProcessOwner) ?? Date.now() - mtime.getTime() > STALE_MILLIS;
    if (!isOver) return;
    await unlink(file);
    const spans = Number(count);
    if (!(spans > 0)) return;
    found.spans += spans;
    found.processes += 1;
    if (mtime >= found.at) Object.assign(found, { pid: (JSON.parse(owner) as ProcessOwner).pid, at: mtime });
  } catch {
    // Another process has taken it, or it is being written.
  }
}
