import { BatchingSpanProcessor, type ProcessorOptions } from './batching-processor.ts';
import { NODE } from './node-platform.ts';

/**
 * Stamps spans of tests, gathers ended spans and sends them to a Touchstone server. Add it to the tracer provider of
 * an app that has OpenTelemetry already. It never throws into the app and never blocks it.
 */
export class TouchstoneSpanProcessor extends BatchingSpanProcessor {
  constructor(options: ProcessorOptions = {}) {
    super(options, NODE);
  }
}
