import { type Context, context, createContextKey, diag, ROOT_CONTEXT } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { ExportError, failureOf } from './failure.ts';
import { type Redact, redactSpan } from './redact.ts';
import { type Rejection, RejectionWatch } from './rejections.ts';
import { Reporter } from './reporter.ts';
import { type ExporterOptions, type ExporterSettings, exporterSettings } from './settings.ts';
import type { ExportResult, ReadableSpan } from './span.ts';

/** Numbers of spans passed to an exporter, by outcome: their sum is the number of all spans. */
export interface ExporterStats {
  /** The server has them on its disk. */
  exported: number;
  /** Number of spans that the server rejected while it accepted the rest of their batch. */
  rejected: number;
  /** Spans that were never acknowledged: the server was unreachable, too slow, or rejected the batch. */
  failed: number;
}

const SUCCESS = 0;
const FAILED = 1;
// The exporter's own time limit holds for silence on the socket; an answer that comes drop by drop outlives it.
const GRACE_MILLIS = 1_000;

// The SDK's key for "start no spans here", so that instrumented HTTP clients leave the exporter alone.
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
export const UNTRACED: Context = ROOT_CONTEXT.setValue(SUPPRESS_TRACING, true);

/**
 * A span exporter that sends to a Touchstone server by OTLP/HTTP with JSON and gzip. It never throws; what is lost is
 * counted and said by `diag`.
 */
export class TouchstoneSpanExporter {
  readonly #settings: ExporterSettings;
  readonly #reporter: Reporter;
  readonly #inner: OTLPTraceExporter | undefined;
  readonly #rejections = new RejectionWatch();
  readonly #deadlineMillis: number;
  readonly #redact: Redact | undefined;
  readonly #stats: ExporterStats = { exported: 0, rejected: 0, failed: 0 };
  readonly #underWay = new Set<Promise<void>>();
  #isShutDown = false;

  constructor(options: ExporterOptions = {}) {
    this.#settings = exporterSettings(options, process.env);
    this.#reporter = new Reporter(options, process.env);
    this.#deadlineMillis = this.#settings.timeoutMillis + GRACE_MILLIS;
    this.#inner = makeExporter(this.#settings);
    this.#reporter.step(`sends spans to ${this.#settings.url ?? 'no address'}`);
    this.#redact = options.redact;
  }

  /** Sends the spans and calls back once, when they are stored or lost. */
  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const sent = new Promise<void>((settle) => {
      this.#send(spans, (result) => {
        settle();
        done(result);
      });
    }).finally(() => {
      this.#underWay.delete(sent);
    });
    this.#underWay.add(sent);
  }

  /** Resolves when all that is in progress is stored or lost: at the latest when its time is up. */
  async forceFlush(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Waits for what is in progress; what is given later is lost, and counted. */
  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    await this.forceFlush();
    this.#rejections.stop();
    // Without this, it would wait without limit for a response that is no longer needed.
    this.#inner?.shutdown().catch(() => undefined);
  }

  stats(): ExporterStats {
    return { ...this.#stats };
  }

  #send(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const rejection: Rejection = { rejectedSpans: 0, message: '', isWebPage: false };
    let isOver = false;
    const finish = (result: ExportResult): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      const checked = rejection.isWebPage ? { code: FAILED, error: new ExportError(...WEB_PAGE) } : result;
      this.#count(spans.length, rejection, checked);
      done(checked);
    };
    const fail = (error: unknown): void =>
      finish({ code: FAILED, error: error instanceof Error ? error : new Error(String(error)) });
    const timer = setTimeout(
      () =>
        fail(
          new ExportError(
            `no answer within ${this.#deadlineMillis} ms`,
            'Check the server and the network, or raise timeoutMillis.',
          ),
        ),
      this.#deadlineMillis,
    );
    const send = (): void => {
      try {
        if (!this.#inner)
          throw new ExportError(
            'the exporter has no valid url',
            'Set TOUCHSTONE_URL to the address of the server.',
          );
        if (this.#isShutDown)
          throw new ExportError('the exporter is shut down', 'Call shutdown() after the last span.');
        const [inner, redact] = [this.#inner, this.#redact];
        const sent = redact ? spans.map((span) => redactSpan(span, redact)) : spans;
        context.with(UNTRACED, () => this.#rejections.watch(rejection, () => inner.export(sent, finish)));
      } catch (error) {
        fail(error);
      }
    };
    const pending = pendingResources(spans);
    if (pending.length === 0) send();
    else void Promise.allSettled(pending).then(send);
  }

  #count(spans: number, { rejectedSpans, message }: Rejection, { code, error }: ExportResult): void {
    if (code !== SUCCESS) {
      this.#stats.failed += spans;
      diag.warn(`touchstone: ${spans} spans were lost: ${reasonOf(error)}`);
      const failure = failureOf(error, this.#settings);
      this.#reporter.loss(spans, failure.reason, failure.remedy);
      return;
    }
    const rejected = Math.min(rejectedSpans, spans);
    this.#stats.rejected += rejected;
    this.#stats.exported += spans - rejected;
    this.#reporter.step(`sent a batch: ${spans - rejected} stored, ${rejected} rejected`);
    if (rejected === 0) return;
    diag.warn(`touchstone: the server rejected ${rejected} of ${spans} spans: ${message}`);
    this.#reporter.loss(
      rejected,
      `the server rejected ${rejected} of ${spans} (${message})`,
      'Check these spans.',
    );
  }
}

const WEB_PAGE = [
  'a web page came back, so another service answers at that address',
  'Set TOUCHSTONE_URL to the address of the server.',
] as const;

function makeExporter({
  url,
  headers,
  timeoutMillis,
  compression,
}: ExporterSettings): OTLPTraceExporter | undefined {
  if (url === undefined) return undefined;
  try {
    // The option's type is an enum that a package of its own declares; its values are these texts.
    return new OTLPTraceExporter({ url, headers, timeoutMillis, compression: compression as never });
  } catch (error) {
    diag.error(`touchstone: the exporter could not be made: ${reasonOf(error)}`);
    return undefined;
  }
}

function pendingResources(spans: readonly ReadableSpan[]): Promise<void>[] {
  const resources = new Set(spans.map(({ resource }) => resource));
  return [...resources].flatMap((resource) =>
    resource.asyncAttributesPending && resource.waitForAsyncAttributes
      ? [resource.waitForAsyncAttributes()]
      : [],
  );
}

function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code === 401 || code === 403) return `HTTP ${code}, check the API key and the application id`;
  if (typeof code === 'number') return `HTTP ${code}`;
  // An error that holds several of others has no text of its own.
  const text = [message, code].find((one) => typeof one === 'string' && one !== '');
  return typeof text === 'string' ? text.slice(0, 500) : 'unknown error';
}
