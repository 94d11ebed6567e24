/** All that the package offers in edge runtimes and browsers. */
import { BatchingSpanProcessor, type ProcessorOptions } from './batching-processor.ts';
import { PlatformSpanExporter } from './platform-exporter.ts';
import { type RegisterOptions, registerOn, type Touchstone } from './registration.ts';
import type { ExporterOptions } from './settings.ts';
import { WEB } from './web-platform.ts';

export * from './everywhere.ts';

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
