import { type Context, diag, type Span, TraceFlags } from '@opentelemetry/api';
import { endFeedback, feedbackStats, setFeedbackDestination } from './feedback.ts';
import { allSpans, type SpanFilter } from './filters.ts';
import { lostSpans, SpanLossError, type Stats } from './loss.ts';
import { whenProcessEnds } from './process-end.ts';
import { Reporter } from './reporter.ts';
import { spansLostToSampling } from './sampling-loss.ts';
import { type ExporterOptions, type QueueOptions, queueSettings } from './settings.ts';
import { type ReadableSpan, TEST_ID_ATTRIBUTE } from './span.ts';
import { MAX_REQUEST_BYTES, SpanExports } from './span-exports.ts';
import { SpanQueue } from './span-queue.ts';
import { isUuid, isWithoutTestId, testIdOf } from './test-context.ts';
import { hasOnlyEmptyTests, noteProcessor, noteTestSpan, NO_SPANS_REMEDY } from './test-spans.ts';

export interface ProcessorOptions extends ExporterOptions, QueueOptions {
  /** Decides which spans are sent. Default: all of them. */
  shouldExport?: SpanFilter | undefined;
  /** Makes a flush reject with a {@link SpanLossError} when spans were lost since the last one. Meant for tests. */
  strict?: boolean | undefined;
  /**
   * Makes SIGTERM and SIGINT end the process only after a flush. For apps that do not handle these signals themselves: others
   * call `shutdown()` in their handler. Default: true if `TOUCHSTONE_FLUSH_ON_SIGNALS` is `1`.
   */
  flushOnSignals?: boolean | undefined;
}

/** Stamps spans that are started in a test's context with the test's id; for apps that export by other means. */
export class TestIdSpanProcessor {
  constructor() {
    noteProcessor();
  }

  onStart(span: Pick<Span, 'setAttribute'>, parentContext: Context): void {
    const testId = testIdOf(parentContext);
    if (testId === undefined) return;
    span.setAttribute(TEST_ID_ATTRIBUTE, testId);
    noteTestSpan();
  }

  onEnd(_span: ReadableSpan): void {}

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}

/**
 * Stamps spans of tests, gathers ended spans and sends them to a Touchstone server. Add it to the tracer provider of
 * an app that has OpenTelemetry already. It never throws into the app and never blocks it.
 */
export class TouchstoneSpanProcessor extends TestIdSpanProcessor {
  readonly #exports: SpanExports;
  readonly #queue: SpanQueue;
  readonly #reporter: Reporter;
  readonly #shouldExport: SpanFilter;
  readonly #isStrict: boolean;
  readonly #counts = { ended: 0, filtered: 0, late: 0, unsampled: 0 };
  /** Spans that others lost to sampling before this processor was made. */
  readonly #lostBefore = spansLostToSampling();
  readonly #forgetEnd: () => void;
  #reported = 0;
  #ending: Promise<void> | undefined;

  constructor(options: ProcessorOptions = {}) {
    super();
    this.#exports = new SpanExports(options);
    setFeedbackDestination(options);
    this.#reporter = new Reporter(options, process.env);
    this.#queue = new SpanQueue(this.#exports, queueSettings(options, process.env), MAX_REQUEST_BYTES);
    this.#shouldExport = guarded(options.shouldExport ?? allSpans);
    this.#isStrict = options.strict ?? false;
    this.#forgetEnd = whenProcessEnds({
      flush: () => this.#queue.flush(),
      pending: () => this.#pending(),
      report: () => this.#reportEnd(),
      flushOnSignals: options.flushOnSignals ?? process.env['TOUCHSTONE_FLUSH_ON_SIGNALS']?.trim() === '1',
    });
  }

  override onStart(span: Pick<Span, 'setAttribute'>, parentContext: Context): void {
    super.onStart(span, parentContext);
    if (isWithoutTestId(parentContext)) {
      this.#reporter.notice('withTest() was called without a test id, so its spans belong to no test.');
    }
    const testId = testIdOf(parentContext);
    if (testId !== undefined && !isUuid(testId)) {
      this.#reporter.notice(
        `the test id "${testId.slice(0, 64)}" is no UUID, so its spans belong to no test. ` +
          'Pass the testId of the webhook to withTest().',
      );
    }
  }

  override onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) {
      if (span.attributes[TEST_ID_ATTRIBUTE] === undefined) return;
      this.#counts.unsampled += 1;
      this.#reporter.loss(1, 'a sampler left out a span of a test', 'Wrap the sampler: recordTests().');
      return;
    }
    this.#counts.ended += 1;
    if (this.#ending) {
      this.#counts.late += 1;
      this.#reporter.loss(1, 'it ended after the shutdown', 'Call shutdown() after the last span.');
    } else if (!this.#shouldExport(span)) this.#counts.filtered += 1;
    else {
      const dropped = this.#queue.add(span);
      if (dropped > 0)
        this.#reporter.loss(
          dropped,
          'the queue is full',
          'Raise maxQueueSize or maxQueueBytes, or send fewer spans: shouldExport.',
        );
    }
  }

  /**
   * Resolves when every span that ended before is stored or lost, those in progress included. Takes at most the time
   * limit of a batch for every eight batches that wait.
   */
  override async forceFlush(): Promise<void> {
    await this.#queue.flush();
    const stats = this.stats();
    const lost = lostSpans(stats);
    const isNew = lost > this.#reported;
    this.#reported = lost;
    if (this.#isStrict && isNew) throw new SpanLossError(stats);
  }

  /** Flushes for the last time. Spans that end later are dropped and counted. */
  override shutdown(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  stats(): Stats {
    const { ended, filtered, late, unsampled } = this.#counts;
    const { dropped, ...queue } = this.#queue.stats();
    const feedback = feedbackStats();
    return {
      ended,
      filtered,
      dropped: dropped + late,
      ...queue,
      ...this.#exports.stats(),
      unsampledTestSpans: unsampled + spansLostToSampling() - this.#lostBefore,
      ...(feedback && { feedback }),
    };
  }

  async #end(): Promise<void> {
    try {
      await this.forceFlush();
    } finally {
      await endFeedback();
      await this.#exports.shutdown();
      this.#forgetEnd();
      this.#checkTests();
    }
  }

  #pending(): number {
    const { waiting, inFlight } = this.#queue.stats();
    return waiting + inFlight;
  }

  #reportEnd(): void {
    const remedy = 'Call await shutdown() before the process ends, or flush() before process.exit().';
    const pending = this.#pending();
    if (pending > 0) this.#reporter.loss(pending, 'the process ended before they were sent', remedy);
    this.#checkTests();
  }

  #checkTests(): void {
    if (hasOnlyEmptyTests())
      this.#reporter.notice(`the app started no span in its tests. ${NO_SPANS_REMEDY}`);
  }
}

/** A filter that fails keeps nothing back. */
const guarded =
  (filter: SpanFilter): SpanFilter =>
  (span) => {
    try {
      return filter(span);
    } catch {
      diag.warn('touchstone: shouldExport threw; the span is sent');
      return true;
    }
  };
