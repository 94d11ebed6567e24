import type { ExporterStats } from './exporter.ts';

/** What became of the spans so far. `ended` is the sum of all others but `unsampledTestSpans`. */
export interface Stats extends ExporterStats {
  /** Sampled spans that ended. */
  ended: number;
  /** Left out by `shouldExport`. */
  filtered: number;
  /** Found the queue full, or ended after the shutdown. */
  dropped: number;
  /** In the queue now. */
  waiting: number;
  /** On their way now. */
  inFlight: number;
  /** Spans of tests that the app's sampler left out; none when the sampler is wrapped by `recordTests`. */
  unsampledTestSpans: number;
}

/** What strict mode rejects a flush with. */
export class SpanLossError extends Error {
  override readonly name = 'SpanLossError';
  readonly stats: Stats;

  constructor(stats: Stats) {
    const { dropped, failed, rejected, unsampledTestSpans } = stats;
    super(
      `Spans were lost: ${dropped} dropped, ${failed} not delivered, ${rejected} refused, ` +
        `${unsampledTestSpans} of tests not sampled (since the start)`,
    );
    this.stats = stats;
  }
}

export const lostSpans = ({ dropped, failed, rejected, unsampledTestSpans }: Stats): number =>
  dropped + failed + rejected + unsampledTestSpans;
