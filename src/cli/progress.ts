import type { Io } from './io.ts';

/** Interval between updates on a terminal, and elsewhere. */
const TERMINAL_MS = 200;
const LINE_MS = 5_000;
const CLEAR_LINE = '\r\x1b[K';

export interface Progress {
  done: number;
  /** Null if it is unknown. */
  total: number | null;
  /** Seconds since the start. */
  seconds: number;
  /** Noun for what is counted if the total is unknown. Default: bytes. */
  unit?: string;
}

/** Describes the progress, the speed, and the remaining time at that speed if the total is known. */
export function progressText({ done, total, seconds, unit = 'bytes' }: Progress): string {
  const perSecond = done / seconds;
  if (total === null) return `${grouped(done)} ${unit}, ${grouped(Math.round(perSecond))} a second`;
  const left = (total - done) / perSecond;
  return `${grouped(done)} of ${grouped(total)} (${Math.floor((100 * done) / total)} %), ${grouped(Math.round(perSecond))} a second, ${duration(left)} left`;
}

/**
 * Shows the progress of a command: on a terminal in one line that is rewritten, elsewhere in a line from time to
 * time.
 */
export class ProgressLine {
  private readonly io: Io;
  private readonly total: number | null;
  private readonly started = performance.now();
  private shownAt = this.started;
  private readonly unit: string;

  constructor(io: Io, total: number | null, unit = 'bytes') {
    this.io = io;
    this.total = total;
    this.unit = unit;
  }

  show(done: number): void {
    const now = performance.now();
    const { isTerminal } = this.io;
    if (now - this.shownAt < (isTerminal ? TERMINAL_MS : LINE_MS)) return;
    this.shownAt = now;
    const seconds = (now - this.started) / 1000;
    const text = progressText({ done, total: this.total, seconds, unit: this.unit });
    this.io.out(isTerminal ? CLEAR_LINE + text : `${text}\n`);
  }

  /** Clears the line on the terminal. */
  end(): void {
    if (this.io.isTerminal) this.io.out(CLEAR_LINE);
  }
}

/** Groups the digits of a number: 12034 becomes "12 034". */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
}
