/** Apps with the real exporters: `touchstone-otel` over HTTP, and OpenTelemetry's exporter over gRPC. */
import { setTimeout as delay } from 'node:timers/promises';
import { Metadata } from '@grpc/grpc-js';
import { ROOT_CONTEXT, type Tracer, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { BasicTracerProvider, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { SpanExports } from '../../exporters/otel/src/span-exports.ts';
import type { Stats } from '../../exporters/otel/src/loss.ts';
import { TouchstoneSpanProcessor } from '../../exporters/otel/src/processor.ts';
import type { Target } from './raw-senders.ts';
import { SpanBook, spanName } from './span-book.ts';

const SUCCESS = 0;
const BATCH_MS = 12_000;
/** Few, so that outages fill the queue. */
const QUEUE_SPANS = 400;
const DELETED_SHARE = 0.05;
const MAX_CHILDREN = 8;

export interface SdkSenderOptions {
  target: Target;
  random: () => number;
  /** Pause between two traces, milliseconds. */
  pauseMs: number;
  /** Id of a deleted trace: its spans are rejected. */
  deletedTrace: string;
}

/** Reports whether no batch was acknowledged so far, as on a slow machine, although there is time left. */
const lacksSuccess = (book: SpanBook, deadline: AbortSignal): boolean =>
  book.count('acknowledged') === 0 && !deadline.aborted;

const nameOf = (span: Pick<ReadableSpan, 'spanContext'>): string =>
  spanName(span.spanContext().traceId, span.spanContext().spanId);

/** The exporter package, with what it reports of each batch written down. */
export class PackageSender {
  readonly book = new SpanBook('touchstone-otel, HTTP');
  private readonly options: SdkSenderOptions;
  private readonly processor: TouchstoneSpanProcessor;
  private readonly tracer: Tracer;

  constructor(options: SdkSenderOptions) {
    const { target } = options;
    this.options = options;
    this.processor = new TouchstoneSpanProcessor({
      url: target.url,
      apiKey: target.headers['x-api-key'],
      applicationId: target.headers['x-application-id'],
      timeoutMillis: BATCH_MS,
      maxQueueSize: QUEUE_SPANS,
      maxBatchSize: 64,
      delayMillis: 200,
      reportLoss: false,
    });
    this.tracer = tracerOf(this.book, this.processor);
  }

  async run(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    const { random, pauseMs, deletedTrace } = this.options;
    const unwatch = watchExports(this.book, deletedTrace);
    while (!stop.aborted || lacksSuccess(this.book, deadline)) {
      makeTrace(this.tracer, random, random() < DELETED_SHARE ? deletedTrace : null);
      await delay(pauseMs * (0.5 + random()));
    }
    await this.processor.shutdown();
    unwatch();
  }

  get stats(): Stats {
    return this.processor.stats();
  }
}

/** OpenTelemetry's own exporter over gRPC, which has no counters: each batch is a call of its own. */
export class GrpcExporterSender {
  readonly book = new SpanBook('OpenTelemetry exporter, gRPC');
  private readonly options: SdkSenderOptions;
  private readonly exporter: OTLPTraceExporter;
  private readonly ended: ReadableSpan[] = [];
  private readonly tracer: Tracer;

  constructor(options: SdkSenderOptions) {
    const { target } = options;
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(target.headers)) metadata.set(name, value);
    this.options = options;
    this.exporter = new OTLPTraceExporter({
      url: `http://127.0.0.1:${target.grpcPort}`,
      metadata,
      timeoutMillis: BATCH_MS,
    });
    this.tracer = tracerOf(this.book, {
      onStart: () => undefined,
      onEnd: (span) => void this.ended.push(span),
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    });
  }

  async run(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    const { random, pauseMs } = this.options;
    while (!stop.aborted || lacksSuccess(this.book, deadline)) {
      makeTrace(this.tracer, random, null);
      await this.exportEnded();
      await delay(pauseMs * (0.5 + random()));
    }
    await this.exporter.shutdown();
  }

  private async exportEnded(): Promise<void> {
    const spans = this.ended.splice(0);
    this.book.note(spans.map(nameOf), 'sent');
    const code = await new Promise<number>((resolve) => {
      this.exporter.export(spans, (result) => resolve(result.code));
    });
    if (code === SUCCESS) this.book.note(spans.map(nameOf), 'acknowledged');
  }
}

/** Returns a tracer whose spans are in the book before the processor sees them. */
function tracerOf(book: SpanBook, processor: SpanProcessor): Tracer {
  const noting: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (span) => book.note([nameOf(span)], 'made'),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  return new BasicTracerProvider({ spanProcessors: [noting, processor] }).getTracer('chaos');
}

function makeTrace(tracer: Tracer, random: () => number, deletedTrace: string | null): void {
  const remote = { traceId: deletedTrace ?? '', spanId: 'c'.repeat(16), traceFlags: TraceFlags.SAMPLED };
  const parent = deletedTrace === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
  const root = tracer.startSpan('request', { attributes: { 'input.value': 'question' } }, parent);
  const context = trace.setSpan(ROOT_CONTEXT, root);
  for (let left = Math.floor(random() * MAX_CHILDREN); left > 0; left -= 1)
    tracer.startSpan('step', { attributes: { text: 'x'.repeat(Math.floor(random() * 400)) } }, context).end();
  root.end();
}

/** Notes what the exporter of the package reports of each batch, until the returned function is called. */
function watchExports(book: SpanBook, deletedTrace: string): () => void {
  // eslint-disable-next-line typescript/unbound-method
  const original = SpanExports.prototype.export;
  SpanExports.prototype.export = function (spans, done) {
    const names = spans.map(({ span }) => nameOf(span));
    book.note(names, 'sent');
    original.call(this, spans, (result) => {
      if (result.code === SUCCESS) {
        const isDeleted = (name: string): boolean => name.startsWith(deletedTrace);
        book.note(names.filter(isDeleted), 'rejected');
        book.note(
          names.filter((name) => !isDeleted(name)),
          'acknowledged',
        );
      }
      done(result);
    });
  };
  return () => {
    SpanExports.prototype.export = original;
  };
}
