/** All that the package offers in every runtime. */
export { feedback, type FeedbackOptions, type FeedbackStats } from './feedback.ts';
export type { ExporterStats } from './span-exports.ts';
export { allSpans, llmSpans, type SpanFilter, testSpans } from './filters.ts';
export { SpanLossError, type Stats } from './loss.ts';
export type { ProcessorOptions } from './batching-processor.ts';
export { TestIdSpanProcessor } from './test-id-processor.ts';
export type { Redact } from './redact.ts';
export type { RegisterOptions, Touchstone } from './registration.ts';
export { recordTests, type Sampler } from './sampler.ts';
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
export { score, type ScoreOptions } from './score.ts';
export type { SpoolStats } from './spool.ts';
export { type ExportResult, type ReadableSpan, TEST_ID_ATTRIBUTE } from './span.ts';
export { iterateInTest } from './iterate-in-test.ts';
export { bind, testIdOf, withTest, type WithTestOptions } from './test-context.ts';
export type { WaitUntil } from './wait-until.ts';
export type { Flushable } from './webhook-flush.ts';
export type { WebhookExperiment, WebhookTest } from './webhook-payload.ts';
export type { ApiOptions } from './webhook-validation.ts';
export { createWebhookHandler, type WebhookHandler, type WebhookOptions } from './webhook.ts';
