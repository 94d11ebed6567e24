import type { StoreNumbers } from '../runtime/scraped-metrics.ts';

const WINDOW_MS = 60_000;
const MAX_SAMPLES = 100;

type CommitNumbers = Pick<StoreNumbers, 'commits' | 'commitSeconds'>;

/** Computes how long the commits of the last minute took. */
export class RecentCommits {
  private samples: (CommitNumbers & { at: number })[] = [];

  /** Adds the numbers of the store at a time of a monotonic clock, in milliseconds. */
  add({ commits, commitSeconds }: CommitNumbers, at: number): void {
    this.samples = [...this.samples.slice(-MAX_SAMPLES), { commits, commitSeconds, at }];
    // The newest sample before the window is its beginning.
    while (this.samples[1] && this.samples[1].at <= at - WINDOW_MS) this.samples.shift();
  }

  /** Mean duration in milliseconds; null when there was no commit. */
  get meanMs(): number | null {
    const [first] = this.samples;
    const last = this.samples.at(-1);
    if (!first || !last || last.commits === first.commits) return null;
    return ((last.commitSeconds - first.commitSeconds) * 1_000) / (last.commits - first.commits);
  }
}
