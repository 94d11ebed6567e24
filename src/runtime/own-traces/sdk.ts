import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Log } from '../log.ts';
import { boundedExport } from './bounded-export.ts';
import type { SpanNumbers } from './numbers.ts';
import {
  NO_SPAN,
  OWN_TRACES_HEADER,
  type OwnSpan,
  type OwnTraces,
  type SpanAttributes,
  type SpanStart,
} from './traces.ts';

/** Time limit of one export, with its retries. */
const EXPORT_MS = 5_000;
/** Time in which the last spans are sent when the server stops. */
const CLOSE_MS = 2_000;
/** Most children in one trace; streams and long jobs would add some without end. */
const MAX_CHILDREN = 128;
const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };

export interface SdkTracesOptions {
  endpoint: URL;
  headers: Readonly<Record<string, string>>;
  /** Share of the traces that are recorded, 0 to 1; a trace that a caller samples is always recorded. */
  ratio: number;
  serviceName: string;
  serviceVersion: string;
  /** Id of this process. */
  instanceId: string;
  log: Log;
  elapsed: () => number;
}

export interface SdkTraces {
  traces: OwnTraces;
  numbers: SpanNumbers;
  /** Sends what waits, within a time limit. */
  close: () => Promise<void>;
}

/** Opens traces that the OpenTelemetry SDK records and sends. It registers nothing globally. */
export function openSdkTraces(options: SdkTracesOptions): SdkTraces {
  const { endpoint, headers, ratio, log, elapsed } = options;
  const numbers: SpanNumbers = { exported: 0, failed: 0, dropped: 0 };
  const exporter = new OTLPTraceExporter({
    url: endpoint.href,
    headers: { ...headers, [OWN_TRACES_HEADER]: '1' },
    timeoutMillis: EXPORT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.serviceVersion,
      'service.instance.id': options.instanceId,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [boundedExport({ exporter, numbers, place: endpoint.origin, log, elapsed })],
  });
  const tracer = provider.getTracer('touchstone', options.serviceVersion);
  return {
    traces: new RecordedTraces((start, context, startTime) =>
      tracer.startSpan(
        start.name,
        {
          kind: KINDS[start.kind ?? 'internal'],
          attributes: definedOf(start.attributes ?? {}),
          ...(startTime !== undefined && { startTime }),
        },
        context,
      ),
    ),
    numbers,
    close: async () => {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MS);
      await Promise.race([provider.shutdown(), late.promise]);
      clearTimeout(timer);
    },
  };
}

type StartSpan = (start: SpanStart, context: Context, startTime?: number) => Span;

/** A span and how many children its trace may still have. */
interface Place {
  span: Span;
  trace: { childrenLeft: number };
}

class RecordedTraces implements OwnTraces {
  readonly isOn = true;
  private readonly startSpan: StartSpan;
  private readonly current = new AsyncLocalStorage<Place | undefined>();

  constructor(startSpan: StartSpan) {
    this.startSpan = startSpan;
  }

  begin(start: SpanStart, traceparent?: string): OwnSpan | null {
    const span = this.startSpan(start, remoteContext(traceparent));
    if (!span.isRecording()) return null;
    const place = { span, trace: { childrenLeft: MAX_CHILDREN } };
    return {
      set: (attributes) => span.setAttributes(definedOf(attributes)),
      run: (work) => this.current.run(place, work),
      end: (errorType) => end(span, errorType),
    };
  }

  async root<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
    const span = this.startSpan(start, ROOT_CONTEXT);
    // Without a place of its own, its children would be those of whoever started this work.
    if (!span.isRecording()) return this.current.run(undefined, work);
    return this.within({ span, trace: { childrenLeft: MAX_CHILDREN } }, work);
  }

  async child<T>(start: SpanStart, work: (span: Pick<OwnSpan, 'set'>) => Promise<T>): Promise<T> {
    const place = this.childOf(this.current.getStore(), start);
    if (!place) return work(NO_SPAN);
    const { span } = place;
    const set = (attributes: SpanAttributes): void => void span.setAttributes(definedOf(attributes));
    return this.within(place, () => work({ set }));
  }

  phases(phases: readonly { name: string; ms: number }[]): void {
    const parent = this.current.getStore();
    let at = Date.now() - phases.reduce((sum, { ms }) => sum + ms, 0);
    for (const { name, ms } of phases) {
      this.childOf(parent, { name }, at)?.span.end(at + ms);
      at += ms;
    }
  }

  private childOf(parent: Place | undefined, start: SpanStart, startTime?: number): Place | null {
    if (!parent || parent.trace.childrenLeft === 0) return null;
    parent.trace.childrenLeft -= 1;
    const context = trace.setSpan(ROOT_CONTEXT, parent.span);
    return { span: this.startSpan(start, context, startTime), trace: parent.trace };
  }

  private async within<T>(place: Place, work: () => Promise<T>): Promise<T> {
    try {
      const result = await this.current.run(place, work);
      end(place.span);
      return result;
    } catch (error) {
      end(place.span, errorTypeOf(error));
      throw error;
    }
  }
}

function end(span: Span, errorType?: string): void {
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** Returns the code of an error, or else the name of its class; a message may contain data. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

function definedOf(attributes: SpanAttributes): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** Returns the context of a W3C `traceparent` header; an invalid one begins a new trace. */
function remoteContext(traceparent = ''): Context {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
