import { monotonicMillis, onExit, writeLine } from './runtime.ts';
import type { Environment } from './settings.ts';

/** Options for lines on standard error. */
export interface ReportOptions {
  /** Writes the first loss of spans to standard error, then at most one line a minute. Default: true. */
  reportLoss?: boolean | undefined;
  /** Writes every step to standard error. Default: true if `TOUCHSTONE_DEBUG` is `1`. */
  debug?: boolean | undefined;
}

const INTERVAL_MILLIS = 60_000;

/** Times of the latest line of each kind, which all senders of the process share. */
const writtenAt = new Map<'loss' | 'notice', number>();
let lostSpans = 0;
let unreportedSpans = 0;

/** Writes to standard error what a developer must know who has set no logger for `diag`. */
export class Reporter {
  readonly #reportsLoss: boolean;
  readonly #isDebug: boolean;

  constructor({ reportLoss = true, debug }: ReportOptions, env: Environment) {
    this.#reportsLoss = reportLoss;
    this.#isDebug = debug ?? env['TOUCHSTONE_DEBUG']?.trim() === '1';
  }

  /** Reports spans that were lost, why, and what to do about it. */
  loss(spans: number, reason: string, remedy: string): void {
    if (!this.#reportsLoss) return;
    lostSpans += spans;
    unreportedSpans += spans;
    if (!isDue('loss')) {
      onExit(writeTotal);
      return;
    }
    const lost = unreportedSpans === 1 ? '1 span was lost' : `${unreportedSpans} spans were lost`;
    unreportedSpans = 0;
    write(`${lost}: ${reason}. ${remedy}`);
  }

  /** Reports that spans are not sent or belong to no test although the app wants it. */
  notice(text: string): void {
    if (this.#reportsLoss && isDue('notice')) write(text);
  }

  /** Writes a line at the end of the process. */
  last(text: string): void {
    if (this.#reportsLoss) write(text);
  }

  /** Writes one step if the debug option is on. */
  step(text: string): void {
    if (this.#isDebug) write(text);
  }
}

/** The last line: without it, the losses since the latest one would be in no line. */
function writeTotal(): void {
  if (unreportedSpans > 0) write(`${lostSpans} spans were lost since the start of the process.`);
}

function isDue(kind: 'loss' | 'notice'): boolean {
  const [now, last] = [monotonicMillis(), writtenAt.get(kind)];
  if (last !== undefined && now - last < INTERVAL_MILLIS) return false;
  writtenAt.set(kind, now);
  return true;
}

const write = (text: string): void => writeLine(`touchstone: ${text.replaceAll(/\s+/g, ' ')}`);
