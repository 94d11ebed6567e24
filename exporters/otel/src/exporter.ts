import { NODE } from './node-platform.ts';
import { PlatformSpanExporter } from './platform-exporter.ts';
import type { ExporterOptions } from './settings.ts';

/**
 * A span exporter that sends to a Touchstone server by OTLP/HTTP with JSON and gzip. It never throws; losses are
 * counted and reported by `diag`.
 */
export class TouchstoneSpanExporter extends PlatformSpanExporter {
  constructor(options: ExporterOptions = {}) {
    super(options, NODE);
  }
}
