import { threadCpuMs } from '../runtime/thread-cpu.ts';

/** Milliseconds for each million characters above which a pattern is slow: a usual one takes about five. */
export const MAX_MS_PER_MILLION = 100;
/** Milliseconds of searching after which the speed of a pattern is judged. */
const JUDGED_AFTER_MS = 50;
/** Characters after which a pattern that was not slow is not expected to become slow. */
const PROVEN_AFTER = 1_000_000;
/** Cost of each search and each match in addition to the characters, in characters. */
const SEARCH_CHARACTERS = 64;

/** A clock in milliseconds, of which only differences matter. */
export type Clock = () => number;

/**
 * Measures how fast a pattern is. Usually by the time of day, which costs little; a pattern that seems slow is measured
 * again by processor time, so that a busy machine makes none slow.
 */
export class PatternCost {
  /** True once the pattern was found to be slow. */
  isSlow: boolean;
  /** Milliseconds for each million characters when the pattern was found to be slow; null before. */
  measured: number | null = null;
  private readonly cpuMs: Clock;
  private isWatched = false;
  private spentMs = 0;
  private characters = 0;
  /** True once the pattern has searched much without being slow. */
  isProven = false;

  constructor(isSlow = false, cpuMs: Clock = threadCpuMs) {
    this.isSlow = isSlow;
    this.cpuMs = cpuMs;
  }

  /** Runs a search, which looks at `characters` that none has looked at before, and returns its matches. */
  measure<T>(characters: number, search: () => readonly T[]): readonly T[] {
    const clock = this.isWatched ? this.cpuMs : now;
    const since = clock();
    const matches = search();
    this.spentMs += clock() - since;
    this.characters += characters + (matches.length + 1) * SEARCH_CHARACTERS;
    if (this.spentMs >= JUDGED_AFTER_MS || (!this.isProven && this.characters >= PROVEN_AFTER)) this.judge();
    return matches;
  }

  private judge(): void {
    const speed = (this.spentMs / this.characters) * 1_000_000;
    if (speed > MAX_MS_PER_MILLION && this.isWatched) {
      this.isSlow = true;
      this.measured = Math.round(speed);
    }
    this.isWatched = speed > MAX_MS_PER_MILLION;
    this.isProven = !this.isWatched && (this.isProven || this.characters >= PROVEN_AFTER);
    [this.spentMs, this.characters] = [0, 0];
  }
}

const now: Clock = () => performance.now();
