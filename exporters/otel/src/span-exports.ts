import { diag } from '@opentelemetry/api';
import { hideContent, isContentCaptured } from './captured-content.ts';
import { ExportError } from './failure.ts';
import type { Platform } from './platform.ts';
import { Reporter } from './reporter.ts';
import { environment, hasRequestBoundIo } from './runtime.ts';
import { type ExporterOptions, type ExporterSettings, exporterSettings, spoolSettings } from './settings.ts';
import { partsOf, type SizedSpan, sizedSpan } from './size.ts';
import type { ExportResult, ReadableSpan } from './span.ts';
import { allFailed, type Outcome } from './outcome.ts';
import { SpanSender } from './span-sender.ts';
import type { SpoolFolder, SpoolStats } from './spool.ts';

/** Numbers of spans passed to an exporter, by outcome: their sum is the number of all spans. */
export interface ExporterStats {
  /** The server has them on its disk. */
  exported: number;
  /** Number of spans that the server rejected while it accepted the rest of their batch. */
  rejected: number;
  /** Spans that were never acknowledged: the server was unreachable, too slow, or rejected the batch. */
  failed: number;
  /** Numbers of the spool; left out without `spoolDir`. */
  spool?: SpoolStats;
}

const SUCCESS = 0;
const FAILED = 1;
/** Size of a request before compression, about. A larger span is sent alone. */
export const MAX_REQUEST_BYTES = 4 * 2 ** 20;

/** Exports of spans whose sizes are known, with their counts. Never throws. */
export class SpanExports {
  readonly #settings: ExporterSettings;
  readonly #reporter: Reporter;
  readonly #sender: SpanSender;
  readonly #stats: ExporterStats = { exported: 0, rejected: 0, failed: 0 };
  readonly #isContentHidden: boolean;
  readonly #inProgress = new Set<Promise<void>>();
  #isShutDown = false;

  /** Calls `kept` when spans that are being sent are in the spool. */
  constructor(options: ExporterOptions, platform: Platform, kept: () => void = () => {}) {
    const env = environment();
    this.#settings = exporterSettings(options, env);
    this.#reporter = new Reporter(options, env);
    this.#sender = new SpanSender(this.#settings, {
      redact: options.redact,
      reporter: this.#reporter,
      http: platform.transport(env),
      folder: this.#spoolFolder(options, platform),
      kept,
      countSpooled: (outcome, isOwn) => this.#countSpooled(outcome, isOwn),
    });
    this.#isContentHidden = !isContentCaptured(env, options.captureContent);
    this.#reporter.step(`sends spans to ${this.#settings.url ?? 'no address'}`);
  }

  get settings(): ExporterSettings {
    return this.#settings;
  }

  /** Time limit of a request. */
  get timeoutMillis(): number {
    return this.#settings.timeoutMillis;
  }

  /** Sends the spans and calls back once, when they are stored or lost. */
  export(spans: readonly SizedSpan[], done: (result: ExportResult) => void): void {
    const sent = this.#sendAndCallBack(this.#isContentHidden ? this.#hidden(spans) : spans, done).finally(
      () => this.#inProgress.delete(sent),
    );
    this.#inProgress.add(sent);
  }

  /** Resolves when all spans that are being sent are stored or lost. */
  async forceFlush(): Promise<void> {
    await Promise.all(this.#inProgress);
  }

  /** Sends what waits in the spool, for at most the time limit of a request, unless a request has failed since a time. */
  async drainSpool(since: number): Promise<void> {
    await this.#sender.spool?.drain({ since, timeoutMillis: this.#settings.timeoutMillis });
  }

  /** Number of spans that are being sent and are in the spool. */
  get spooledInFlight(): number {
    return this.#sender.spool?.inFlight ?? 0;
  }

  /** Waits for the spans that are being sent. Later ones are lost, and counted. */
  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    // Where requests own their connections, none may wait for those of another.
    if (!hasRequestBoundIo()) await this.forceFlush();
    this.#sender.close();
  }

  stats(): ExporterStats {
    const spool = this.#sender.spool?.stats();
    return { ...this.#stats, ...(spool && { spool }) };
  }

  #spoolFolder(options: ExporterOptions, platform: Platform): SpoolFolder | undefined {
    const env = environment();
    if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
    const settings = spoolSettings(options, env, this.#settings.headers);
    return (
      settings &&
      platform.spoolFolder(settings, (text) => {
        diag.warn(`touchstone: ${text}`);
        this.#reporter.last(text);
      })
    );
  }

  /** Returns the spans without their content. Those that cannot be read are lost. */
  #hidden(spans: readonly SizedSpan[]): SizedSpan[] {
    const hidden = spans.flatMap(({ span }) => {
      try {
        return [sizedSpan(hideContent(span))];
      } catch {
        return [];
      }
    });
    const lost = spans.length - hidden.length;
    if (lost > 0)
      this.#count(
        allFailed(lost, new ExportError("they are no spans of OpenTelemetry's SDK", NO_SDK_REMEDY)),
      );
    return hidden;
  }

  async #sendAndCallBack(spans: readonly SizedSpan[], done: (result: ExportResult) => void): Promise<void> {
    done(
      await this.#send(spans).catch((error: unknown) => {
        // The spans of some vendors lack members of the SDK's.
        const reason = new ExportError(
          `they are no spans of OpenTelemetry's SDK (${String(error)})`,
          NO_SDK_REMEDY,
        );
        return this.#count(allFailed(spans.length, reason));
      }),
    );
  }

  async #send(spans: readonly SizedSpan[]): Promise<ExportResult> {
    if (this.#isShutDown) {
      const error = new ExportError('the exporter is shut down', 'Call shutdown() after the last span.');
      return this.#count(allFailed(spans.length, error));
    }
    const pending = pendingResources(spans);
    if (pending.length > 0) await Promise.allSettled(pending);
    let left = spans.length;
    let result: ExportResult = { code: SUCCESS };
    for (const part of partsOf(spans, MAX_REQUEST_BYTES)) {
      left -= part.length;
      const outcome = await this.#sender.send(part);
      // The other parts would only wait as long for no response.
      const isOver = !this.#sender.spool && (outcome.error?.isSilence ?? false);
      const counted = this.#count(isOver ? { ...outcome, failed: outcome.failed + left } : outcome);
      if (counted.code === FAILED) result = counted;
      if (isOver) break;
    }
    return result;
  }

  #count(outcome: Outcome): ExportResult {
    const { exported, rejected, failed } = outcome;
    this.#stats.exported += exported;
    this.#stats.rejected += rejected;
    this.#stats.failed += failed;
    return this.#report(outcome);
  }

  /** Spans of earlier processes are reported only: they are not among those that ended here. */
  #countSpooled(outcome: Outcome, isOwn: boolean): void {
    if (isOwn) this.#count(outcome);
    else this.#report(outcome);
  }

  #report({ exported, rejected, message, failed, spooled, error }: Outcome): ExportResult {
    if (exported + rejected > 0)
      this.#reporter.step(`sent a batch: ${exported} stored, ${rejected} rejected`);
    if (spooled > 0) this.#reporter.step(`keeps ${spooled} spans in the spool`);
    if (rejected > 0) {
      const text = `the server rejected ${rejected} of ${exported + rejected}`;
      diag.warn(`touchstone: ${text} spans: ${message}`);
      this.#reporter.loss(rejected, `${text} (${message})`, 'Check these spans.');
    }
    if (!error) return { code: SUCCESS };
    diag.warn(`touchstone: ${failed} spans were lost: ${error.message}. ${error.remedy}`);
    this.#reporter.loss(failed, error.message, error.remedy);
    return { code: FAILED, error };
  }
}

const NO_SDK_REMEDY =
  'Add the processor to a tracer provider of the SDK, or call register() beside the other one.';

function pendingResources(spans: readonly SizedSpan[]): Promise<void>[] {
  const resources = new Set<ReadableSpan['resource'] | undefined>(spans.map(({ span }) => span.resource));
  return [...resources].flatMap((resource) =>
    resource?.asyncAttributesPending && resource.waitForAsyncAttributes
      ? [resource.waitForAsyncAttributes()]
      : [],
  );
}
