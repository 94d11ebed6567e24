import { MAX_MS_PER_MILLION } from './pattern-cost.ts';
import type { SlowPattern } from './rules.ts';

/** Milliseconds for which a slow pattern is suspended. */
const SUSPENDED_MS = 3_600_000;
/** Most applications with suspended patterns; the earliest is dropped first. */
const MAX_APPLICATIONS = 1_000;

/** An own pattern that is suspended. Texts that are too long for it are masked completely. */
export interface SuspendedPattern {
  name: string;
  /** Unix milliseconds when the suspension ends. */
  until: number;
  reason: string;
}

/**
 * Own patterns that are suspended because they are slow, in memory only. Saving the rules of an application ends its
 * suspensions.
 */
export class Suspensions {
  private readonly patterns = new Map<number, Map<string, SuspendedPattern>>();
  private readonly now: () => number;
  private saves = 0;
  /** Number of the last save of the rules of an application, so that reports on earlier rules do not count. */
  private readonly savedAt = new Map<number, number>();

  constructor(now: () => number) {
    this.now = now;
  }

  /** Distinguishes rules from those that were saved before them. */
  saveOf(application: number): number {
    return this.savedAt.get(application) ?? 0;
  }

  /** Returns the suspended patterns of an application. */
  of(application: number): SuspendedPattern[] {
    const patterns = this.patterns.get(application);
    if (!patterns) return [];
    for (const { name, until } of patterns.values()) if (until <= this.now()) patterns.delete(name);
    if (patterns.size === 0) this.patterns.delete(application);
    return [...patterns.values()];
  }

  /** Counts the suspended patterns of all applications. */
  count(): number {
    return [...this.patterns.keys()].reduce((sum, application) => sum + this.of(application).length, 0);
  }

  /** Suspends slow patterns; returns those that were not suspended before. */
  suspend(application: number, slow: readonly SlowPattern[]): SuspendedPattern[] {
    const known = new Set(this.of(application).map(({ name }) => name));
    const added = slow
      .filter(({ name }) => !known.has(name))
      .map(({ name, msPerMillion }) => ({
        name,
        until: this.now() + SUSPENDED_MS,
        reason: `It took ${msPerMillion} ms for each million characters, more than ${MAX_MS_PER_MILLION} ms.`,
      }));
    if (added.length === 0) return [];
    const patterns = this.patterns.get(application) ?? new Map<string, SuspendedPattern>();
    for (const one of added) patterns.set(one.name, one);
    this.patterns.set(application, patterns);
    const [oldest] = this.patterns.keys();
    if (this.patterns.size > MAX_APPLICATIONS && oldest !== undefined) this.patterns.delete(oldest);
    return added;
  }

  /** Ends the suspensions of an application whose rules were saved. */
  end(application: number): void {
    this.patterns.delete(application);
    this.savedAt.delete(application);
    this.savedAt.set(application, ++this.saves);
    const [oldest] = this.savedAt.keys();
    if (this.savedAt.size > MAX_APPLICATIONS && oldest !== undefined) this.savedAt.delete(oldest);
  }
}
