import { ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Log } from '../log.ts';
import type { SpanNumbers } from './numbers.ts';

/** Most finished spans in memory, those of the request in progress included; further ones are dropped. */
const MAX_WAITING = 2_048;
const MAX_BATCH = 512;
const BATCH_MS = 2_000;
/** Milliseconds for which nothing is sent after a request failed. */
const PAUSE_MS = 30_000;

export interface BoundedExportOptions {
  exporter: SpanExporter;
  numbers: SpanNumbers;
  /** Place of the endpoint for the log, without credentials. */
  place: string;
  log: Log;
  /** Returns the milliseconds of a monotonic clock. */
  elapsed: () => number;
}

/** Creates a processor that sends spans in batches, never holds more than a fixed number, and counts what it drops. */
export function boundedExport(options: BoundedExportOptions): SpanProcessor {
  const { numbers } = options;
  const waiting = { spans: 0 };
  const batches = new BatchSpanProcessor(pausingExporter(options, waiting), {
    // The processor drops without counting, so its own limit is never reached.
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: MAX_BATCH,
    scheduledDelayMillis: BATCH_MS,
  });
  return {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd: (span) => {
      if (waiting.spans >= MAX_WAITING) {
        numbers.dropped += 1;
        return;
      }
      waiting.spans += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

type Done = Parameters<SpanExporter['export']>[1];

/** Wraps an exporter: it counts results, reports the first of several failures, and pauses after each. */
function pausingExporter(
  { exporter, numbers, place, log, elapsed }: BoundedExportOptions,
  waiting: { spans: number },
): SpanExporter {
  let resumesAt = -Infinity;
  let isFailing = false;
  const fail = (count: number, error: Error | undefined): void => {
    numbers.failed += count;
    resumesAt = elapsed() + PAUSE_MS;
    if (isFailing) return;
    isFailing = true;
    log.warn('traces of the server itself cannot be sent; they are dropped until the endpoint accepts them', {
      endpoint: place,
      reason: reasonOf(error),
      pauseSeconds: PAUSE_MS / 1000,
    });
  };
  const succeed = (count: number): void => {
    numbers.exported += count;
    if (isFailing) log.info('traces of the server itself are sent again', { endpoint: place });
    isFailing = false;
  };
  return {
    export: (spans: ReadableSpan[], done: Done) => {
      if (elapsed() < resumesAt) {
        waiting.spans -= spans.length;
        numbers.failed += spans.length;
        done({ code: ExportResultCode.SUCCESS });
        return;
      }
      exporter.export(spans, (result) => {
        waiting.spans -= spans.length;
        if (result.code === ExportResultCode.SUCCESS) succeed(spans.length);
        else fail(spans.length, result.error);
        // The failure is reported here; the SDK would report it again.
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  const { code, message = '' } = error ?? {};
  const known = typeof code === 'number' || typeof code === 'string' ? `${code} ` : '';
  return `${known}${message}`.trim().slice(0, 200) || 'unknown';
}
