import { ExportError, isOfInvalidSpan } from './failure.ts';
import { allFailed, type Outcome } from './outcome.ts';
import type { Reporter } from './reporter.ts';
import { monotonicMillis, startTimer, stopTimer, type Timer } from './runtime.ts';
import { halvesOf } from './spool-halves.ts';
import type { HttpResponse } from './transport.ts';

/** Numbers of spans by what the spool did with them. */
export interface SpoolStats {
  /** Spans of this process that wait in the spool: a part of `ended`. */
  waiting: number;
  /** Spans that the server stored from the spool, those of earlier processes included. */
  sent: number;
  /** Spans that were lost because the spool was full or could not be written: a part of `failed`. */
  dropped: number;
  /** Spans of earlier processes that the server rejected, or whose file is damaged. */
  failed: number;
}

/** The body of a request, as it is sent. */
export interface Batch {
  body: Uint8Array;
  headers: { 'content-type': string; 'content-encoding'?: string };
  spans: number;
}

/** A file of the spool, which holds a batch. */
export interface SpoolFile {
  name: string;
  spans: number;
  /** True if this process made the batch. */
  isOwn: boolean;
}

/** A folder with batches that outlives the process. Never throws or rejects. */
export interface SpoolFolder {
  readonly path: string;
  /** Writes a batch. Returns the reason when it is not possible. */
  add(batch: Batch): Promise<SpoolFile | { reason: string; remedy: string }>;
  /** Reads a batch. A file that another process has taken over is `gone`; a damaged one is set aside. */
  read(file: SpoolFile): Promise<Batch | 'gone' | 'damaged'>;
  remove(file: SpoolFile): Promise<void>;
  /** Shows other processes that this one lives, and takes over the files of those that have ended. */
  takeOver(): Promise<SpoolFile[]>;
  /** Calls a function when the process ends; the files that are left then belong to the next process. */
  whenEnds(report: () => void): void;
  /** Leaves the files to the next process. */
  close(): void;
}

/** Functions of the sender that the spool calls. */
export interface SpoolUser {
  reporter: Reporter;
  /** Sends a batch. Returns an error when it may be accepted later. */
  deliver: (batch: Batch) => Promise<HttpResponse | ExportError>;
  outcomeOf: (response: HttpResponse, spans: number) => Outcome;
  /** Called when spans that are being sent are in the spool. */
  kept: () => void;
  /** Counts spans that waited in the spool. */
  count: (outcome: Outcome, isOwn: boolean) => void;
}

const TICK_MILLIS = 2_000;
const FIRST_PAUSE_MILLIS = 1_000;
const MAX_PAUSE_MILLIS = 30_000;

/** Keeps each batch on the disk until the server has responded to it, and sends later what it did not accept yet. */
export class Spool {
  readonly #folder: SpoolFolder;
  readonly #user: SpoolUser;
  readonly #counts: SpoolStats = { waiting: 0, sent: 0, dropped: 0, failed: 0 };
  readonly #timer: ReturnType<typeof setInterval>;
  /** Files to send, in their order. The folder has a limit. */
  readonly #files: SpoolFile[] = [];
  /** Spans whose file is written while they are being sent. */
  #inFlight = 0;
  #failures = 0;
  #failedAt = -Infinity;
  #resumesAt = -Infinity;
  #ticking: Promise<void> | undefined;
  #draining: Promise<void> | undefined;

  constructor(folder: SpoolFolder, user: SpoolUser) {
    this.#folder = folder;
    this.#user = user;
    folder.whenEnds(() => this.#reportEnd());
    this.#timer = setInterval(() => void this.#tick(), TICK_MILLIS);
    (this.#timer as { unref?: () => unknown }).unref?.();
    void this.#tick();
  }

  /** Number of spans that are being sent and would be sent by the next start. */
  get inFlight(): number {
    return this.#inFlight;
  }

  stats(): SpoolStats {
    return { ...this.#counts };
  }

  /**
   * Sends a batch and keeps it until `settle` has returned what became of it. While the server does not respond, the batch only waits
   * in the spool. Rejects with an {@link ExportError} when it can neither be sent nor kept.
   */
  async post(batch: Batch, settle: (response: HttpResponse) => Outcome | Promise<Outcome>): Promise<Outcome> {
    const file = await this.#folder.add(batch);
    if ('reason' in file) return this.#postUnkept(batch, settle, file);
    this.#inFlight += batch.spans;
    this.#user.kept();
    try {
      if (this.#isPaused()) return this.#keep(file);
      const result = await this.#user.deliver(batch);
      if (result instanceof ExportError) {
        this.#pause(result);
        return this.#keep(file);
      }
      this.#failures = 0;
      const outcome = await settle(result);
      await this.#folder.remove(file);
      return outcome;
    } finally {
      this.#inFlight -= batch.spans;
    }
  }

  /**
   * Sends what waits, until it is stored, the server does not accept it, or time is up: what others have left may be much. Does nothing
   * if a request has failed since a time.
   */
  async drain({ since, timeoutMillis }: { since: number; timeoutMillis: number }): Promise<void> {
    if (this.#failedAt >= since) return;
    let timer: Timer | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = startTimer(resolve, timeoutMillis);
    });
    await Promise.race([this.#sendAll(), timeUp]);
    stopTimer(timer);
  }

  /** Leaves what waits to the next start. */
  close(): void {
    clearInterval(this.#timer);
    this.#folder.close();
  }

  async #postUnkept(
    batch: Batch,
    settle: (response: HttpResponse) => Outcome | Promise<Outcome>,
    { reason, remedy }: { reason: string; remedy: string },
  ): Promise<Outcome> {
    const result = await this.#user.deliver(batch);
    if (!(result instanceof ExportError)) return settle(result);
    this.#counts.dropped += batch.spans;
    throw new ExportError(`${result.message}, and ${reason}`, `${result.remedy} ${remedy}`, {
      isSilence: result.isSilence,
    });
  }

  #tick(): Promise<void> {
    this.#ticking ??= this.#takeOver().finally(() => {
      this.#ticking = undefined;
    });
    return this.#ticking;
  }

  async #takeOver(): Promise<void> {
    this.#files.push(...(await this.#folder.takeOver()));
    if (this.#files.length > 0 && !this.#isPaused()) void this.#sendFilesOnce();
  }

  async #sendAll(): Promise<void> {
    await this.#ticking;
    await this.#sendFilesOnce();
  }

  #sendFilesOnce(): Promise<void> {
    this.#draining ??= this.#sendFiles().finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  async #sendFiles(): Promise<void> {
    for (let file = this.#files.shift(); file; file = this.#files.shift()) {
      if (await this.#sendFile(file)) continue;
      // At the end: a batch that fails by itself holds up no others.
      this.#files.push(file);
      return;
    }
  }

  /** Returns false if the file must be sent later. */
  async #sendFile(file: SpoolFile): Promise<boolean> {
    const batch = await this.#folder.read(file);
    // The process that has taken it over counts it.
    if (batch === 'gone') return true;
    if (batch === 'damaged') {
      const error = new ExportError(
        `the file ${file.name} in the spool is damaged`,
        `It was renamed; delete it in ${this.#folder.path}.`,
      );
      this.#settle(file, allFailed(file.spans, error));
      return true;
    }
    const result = await this.#user.deliver(batch);
    if (result instanceof ExportError) {
      this.#pause(result);
      return false;
    }
    this.#failures = 0;
    const mayContainOthers = result.status === 413 || isOfInvalidSpan(result);
    if (mayContainOthers && (await this.#divide(file, batch))) return true;
    await this.#folder.remove(file);
    this.#settle(file, this.#user.outcomeOf(result, file.spans));
    return true;
  }

  /** Replaces a file that the server found too large, or a span in it invalid, by its halves. Returns false if that is not possible. */
  async #divide(file: SpoolFile, batch: Batch): Promise<boolean> {
    const halves = await halvesOf(batch);
    if (!halves) return false;
    const files: SpoolFile[] = [];
    for (const half of halves) {
      const added = await this.#folder.add(half);
      if ('reason' in added) {
        for (const one of files) await this.#folder.remove(one);
        return false;
      }
      files.push({ ...added, isOwn: file.isOwn });
    }
    await this.#folder.remove(file);
    this.#files.unshift(...files);
    return true;
  }

  #settle({ spans, isOwn }: SpoolFile, outcome: Outcome): void {
    this.#counts.sent += outcome.exported;
    if (isOwn) this.#counts.waiting -= spans;
    else this.#counts.failed += outcome.failed + outcome.rejected;
    this.#user.count(outcome, isOwn);
  }

  #keep(file: SpoolFile): Outcome {
    this.#files.push(file);
    this.#counts.waiting += file.spans;
    return { exported: 0, rejected: 0, message: '', failed: 0, spooled: file.spans, error: undefined };
  }

  #isPaused(): boolean {
    return this.#failures > 0 && monotonicMillis() < this.#resumesAt;
  }

  #pause({ message, remedy }: ExportError): void {
    this.#failedAt = monotonicMillis();
    this.#resumesAt = this.#failedAt + Math.min(FIRST_PAUSE_MILLIS * 2 ** this.#failures, MAX_PAUSE_MILLIS);
    this.#failures += 1;
    this.#user.reporter.notice(`spans wait in the spool ${this.#folder.path}: ${message}. ${remedy}`);
  }

  #reportEnd(): void {
    const { waiting, sent, dropped, failed } = this.#counts;
    const kept = waiting + this.#inFlight;
    if (kept + sent + dropped + failed === 0) return;
    this.#user.reporter.last(
      `the spool ${this.#folder.path}: ${kept} spans wait for the next start, ${sent} were sent, ` +
        `${dropped} were lost because it was full, ${failed} of earlier processes were lost.`,
    );
  }
}
