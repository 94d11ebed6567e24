import type { FeedbackStats } from './feedback.ts';
import type { ExporterStats } from './span-exports.ts';
import type { SpoolStats } from './spool.ts';

/** Numbers of spans by outcome. `ended` is the sum of all others except `unsampledTestSpans`, and of `spool.waiting`. */
export interface Stats extends ExporterStats {
  /** Sampled spans that ended. */
  ended: number;
  /** Spans that `shouldExport` rejected. */
  filtered: number;
  /** Found the queue full, or ended after the shutdown. */
  dropped: number;
  /** Spans in the queue. */
  waiting: number;
  /** Spans being sent. */
  inFlight: number;
  /** Spans of tests that the app's sampler left out; none when the sampler is wrapped by `recordTests`. */
  unsampledTestSpans: number;
  /** Numbers of the spool; left out without `spoolDir`. */
  spool?: SpoolStats;
  /** Judgements of the process by `feedback()`; left out while there are none. */
  feedback?: FeedbackStats;
}

/** Error with which a flush rejects in strict mode. */
export class SpanLossError extends Error {
  override readonly name = 'SpanLossError';
  readonly stats: Stats;

  constructor(stats: Stats) {
    const { dropped, failed, rejected, unsampledTestSpans } = stats;
    super(
      `Spans were lost: ${dropped} dropped, ${failed} not delivered, ${rejected} rejected, ` +
        `${unsampledTestSpans} of tests not sampled (since the start)`,
    );
    this.stats = stats;
  }
}

export const lostSpans = ({ dropped, failed, rejected, unsampledTestSpans }: Stats): number =>
  dropped + failed + rejected + unsampledTestSpans;
