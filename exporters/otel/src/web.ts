/** All that the package offers in edge runtimes and browsers. */
import { BatchingSpanProcessor, type ProcessorOptions } from './batching-processor.ts';
import { PlatformSpanExporter } from './platform-exporter.ts';
import { type RegisterOptions, registerOn, type Touchstone } from './registration.ts';
import type { ExporterOptions } from './settings.ts';
import { WEB } from './web-platform.ts';

/** Sets up OpenTelemetry for an app that has none, as in Node. */
export const register = (options: RegisterOptions = {}): Touchstone => registerOn(WEB, options);

/** Stamps spans of tests and sends ended spans by `fetch`. */
export class TouchstoneSpanProcessor extends BatchingSpanProcessor {
  constructor(options: ProcessorOptions = {}) {
    super(options, WEB);
  }
}

/** A span exporter that sends by `fetch`. */
export class TouchstoneSpanExporter extends PlatformSpanExporter {
  constructor(options: ExporterOptions = {}) {
    super(options, WEB);
  }
}

export type { ExporterStats } from './span-exports.ts';
export { allSpans, llmSpans, type SpanFilter, testSpans } from './filters.ts';
export { SpanLossError, type Stats } from './loss.ts';
export type { ProcessorOptions } from './batching-processor.ts';
export { TestIdSpanProcessor } from './test-id-processor.ts';
export type { Redact } from './redact.ts';
export type { RegisterOptions, Touchstone } from './registration.ts';
export { recordTests, type Sampler } from './sampler.ts';
export { feedback, type FeedbackOptions, type FeedbackStats } from './feedback.ts';
export { score, type ScoreOptions } from './score.ts';
export type { SpoolStats } from './spool.ts';
export {
  currentSpanId,
  currentTraceId,
  observe,
  type ObserveOptions,
  type Observer,
  type ObservationUpdate,
  type OutputOf,
  updateObservation,
} from './observe.ts';
export type { ObservationFields, ObservationKind } from './observation-fields.ts';
export type { ReportOptions } from './reporter.ts';
export type { ExporterOptions, QueueOptions } from './settings.ts';
export { type ExportResult, type ReadableSpan, TEST_ID_ATTRIBUTE } from './span.ts';
export { iterateInTest } from './iterate-in-test.ts';
export { bind, testIdOf, withTest, type WithTestOptions } from './test-context.ts';
export type { WaitUntil } from './wait-until.ts';
export type { Flushable } from './webhook-flush.ts';
export type { WebhookExperiment, WebhookTest } from './webhook-payload.ts';
export type { ApiOptions } from './webhook-validation.ts';
export { createWebhookHandler, type WebhookHandler, type WebhookOptions } from './webhook.ts';
