import { AppError } from '../errors.ts';
import { type Steps, TURN_MS } from '../runtime/steps.ts';
import { threadCpuMs } from '../runtime/thread-cpu.ts';

/** Counts the processor time that masking one request has taken, and limits it. */
export class MaskingClock {
  private readonly maxMs: number;
  private usedMs = 0;
  /** Begin of the turn; null between turns. */
  private turn: { at: number; cpuMs: number } | null = null;

  constructor(maxMs: number) {
    this.maxMs = maxMs;
  }

  /** Runs work on this clock. Within other work on this clock, it continues the same turn. */
  *run<T>(work: Steps<T>): Steps<T> {
    if (this.turn !== null) return yield* work;
    this.begin();
    try {
      return yield* work;
    } finally {
      this.end();
    }
  }

  /** Reports whether the turn is over. */
  isTurnOver(): boolean {
    return this.turn !== null && performance.now() - this.turn.at > TURN_MS;
  }

  /** Gives other work its turn. Throws `too_large` when the request has taken all of its time. */
  *pause(): Steps<void> {
    this.end();
    if (this.usedMs > this.maxMs)
      throw new AppError(
        'too_large',
        `masking this request takes more than ${this.maxMs / 1_000} s; send smaller batches, or simplify the patterns`,
      );
    yield;
    this.begin();
  }

  private begin(): void {
    this.turn = { at: performance.now(), cpuMs: threadCpuMs() };
  }

  private end(): void {
    if (this.turn !== null) this.usedMs += threadCpuMs() - this.turn.cpuMs;
    this.turn = null;
  }
}
