import type { Platform } from './platform.ts';
import { monotonicMillis } from './runtime.ts';
import type { ExporterOptions } from './settings.ts';
import { sizedSpan } from './size.ts';
import type { ExportResult, ReadableSpan } from './span.ts';
import { type ExporterStats, SpanExports } from './span-exports.ts';

/** A span exporter that sends by the means of a platform. */
export class PlatformSpanExporter {
  readonly #exports: SpanExports;

  constructor(options: ExporterOptions, platform: Platform) {
    this.#exports = new SpanExports(options, platform);
  }

  /** Sends the spans and calls back once, when they are stored or lost. */
  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exports.export(spans.map(sizedSpan), done);
  }

  /** Resolves when all spans that are being sent are stored or lost. */
  async forceFlush(): Promise<void> {
    const start = monotonicMillis();
    await this.#exports.forceFlush();
    await this.#exports.drainSpool(start);
  }

  /** Waits for the spans that are being sent. Later ones are lost, and counted. */
  shutdown(): Promise<void> {
    return this.#exports.shutdown();
  }

  stats(): ExporterStats {
    return this.#exports.stats();
  }
}
