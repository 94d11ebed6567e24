import { type Attributes, type Context, diag, type Span, TraceFlags } from '@opentelemetry/api';
import { endFeedback, feedbackStats, setFeedbackDestination } from './feedback.ts';
import { allSpans, type SpanFilter } from './filters.ts';
import { lostSpans, SpanLossError, type Stats } from './loss.ts';
import type { Platform } from './platform.ts';
import { Reporter } from './reporter.ts';
import { environment, hasRequestBoundIo, monotonicMillis } from './runtime.ts';
import { spansLostToSampling } from './sampling-loss.ts';
import { type ExporterOptions, type QueueOptions, queueSettings, unsentNoteSettings } from './settings.ts';
import { type ReadableSpan, TEST_ID_ATTRIBUTE } from './span.ts';
import { MAX_REQUEST_BYTES, SpanExports } from './span-exports.ts';
import { SpanQueue } from './span-queue.ts';
import { isUuid, isWithoutTestId, testIdOf } from './test-context.ts';
import { TestIdSpanProcessor } from './test-id-processor.ts';
import { hasOnlyEmptyTests, NO_SPANS_REMEDY } from './test-spans.ts';
import type { UnsentNote } from './unsent-note.ts';
import { waitUntilOfRequest } from './wait-until.ts';

/** Time limits of a batch after which its spans count as lost, where no end of its request can be seen. */
const SEND_TIMEOUTS = 3;

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

/** Stamps spans of tests, gathers ended spans and sends them by the means of a platform. */
export class BatchingSpanProcessor extends TestIdSpanProcessor {
  readonly #exports: SpanExports;
  readonly #queue: SpanQueue;
  readonly #reporter: Reporter;
  readonly #shouldExport: SpanFilter;
  readonly #isStrict: boolean;
  readonly #counts = { ended: 0, filtered: 0, late: 0, unsampled: 0 };
  /** Spans that others lost to sampling before this processor was made. */
  readonly #lostBefore = spansLostToSampling();
  readonly #forgetEnd: () => void;
  readonly #endRemedy: string;
  readonly #note: UnsentNote | undefined;
  #reported = 0;
  #reportedAbandoned = 0;
  #ending: Promise<void> | undefined;

  constructor(options: ProcessorOptions, platform: Platform) {
    super();
    const env = environment();
    this.#exports = new SpanExports(options, platform, () => this.#note?.update());
    setFeedbackDestination(options);
    this.#reporter = new Reporter(options, env);
    this.#queue = new SpanQueue(
      this.#exports,
      {
        ...queueSettings(options, env, platform),
        waitUntil: () => options.waitUntil ?? waitUntilOfRequest(),
        isRequestBound: hasRequestBoundIo(),
        maxSendMillis: SEND_TIMEOUTS * this.#exports.timeoutMillis,
      },
      MAX_REQUEST_BYTES,
      () => this.#note?.update(),
    );
    const note = unsentNoteSettings(options, env, this.#exports.settings.headers);
    this.#note = note && platform.unsentNote(note, () => this.#unkept());
    void this.#reportBefore();
    this.#endRemedy = platform.endRemedy;
    this.#shouldExport = guarded(options.shouldExport ?? allSpans);
    this.#isStrict = options.strict ?? false;
    this.#forgetEnd = platform.whenEnds({
      flush: () => this.#queue.flush(),
      pending: () => this.#pending(),
      report: () => this.#reportEnd(),
      flushOnSignals: options.flushOnSignals ?? env['TOUCHSTONE_FLUSH_ON_SIGNALS']?.trim() === '1',
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
      if ((span.attributes as Attributes | undefined)?.[TEST_ID_ATTRIBUTE] === undefined) return;
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
   * Resolves when every span that ended before is stored, kept in the spool or lost, those in progress included. Takes at most the time
   * limit of a batch for every eight batches that wait, and once more for a spool.
   */
  override async forceFlush(): Promise<void> {
    const start = monotonicMillis();
    await this.#queue.flush();
    await this.#exports.drainSpool(start);
    this.#reportAbandoned();
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
    const exported = this.#exports.stats();
    const feedback = feedbackStats();
    return {
      ended,
      filtered,
      dropped: dropped + late,
      ...queue,
      ...exported,
      failed: exported.failed + this.#queue.abandoned,
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
      this.#note?.close();
      this.#checkTests();
    }
  }

  #pending(): number {
    const { waiting, inFlight } = this.#queue.stats();
    return waiting + inFlight;
  }

  /** Returns the number of spans that would be lost if the process ended now. */
  #unkept(): number {
    return this.#pending() - this.#exports.spooledInFlight;
  }

  async #reportBefore(): Promise<void> {
    const before = await this.#note?.takeBefore();
    if (!before) return;
    const { spans, processes, pid, at } = before;
    const when = `at about ${at.toISOString()}`;
    const text =
      processes === 1
        ? `an earlier process (${pid}) ended ${when}, before ${spans} of its spans were confirmed`
        : `${processes} earlier processes, the last one (${pid}) ${when}, ended before ${spans} of their spans were confirmed`;
    diag.warn(`touchstone: ${text}`);
    this.#reporter.last(`${text}. Call shutdown() before the end, or set flushOnSignals or spoolDir.`);
  }

  #reportEnd(): void {
    this.#note?.close();
    const pending = this.#unkept();
    if (pending > 0) this.#reporter.loss(pending, 'the process ended before they were sent', this.#endRemedy);
    this.#checkTests();
  }

  #reportAbandoned(): void {
    const abandoned = this.#queue.abandoned - this.#reportedAbandoned;
    this.#reportedAbandoned = this.#queue.abandoned;
    if (abandoned > 0)
      this.#reporter.loss(abandoned, 'the request that sent them ended before the response', this.#endRemedy);
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
