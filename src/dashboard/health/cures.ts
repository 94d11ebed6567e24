/** Advice on how to avoid a rejection, by its reason. */
const CURES: Readonly<Record<string, string>> = {
  invalid_trace_id: 'Let the OpenTelemetry SDK make the ids, or send 16 bytes that are not all zero.',
  invalid_span_id: 'Let the OpenTelemetry SDK make the ids, or send 8 bytes that are not all zero.',
  too_deep: 'Flatten the value, or send it as JSON text.',
  too_many_attributes: 'Put lists into one attribute as JSON text, and set the attribute limits of the SDK.',
  too_many_events: 'Set the event limits of the SDK, or send log records instead.',
  too_many_links: 'Set the link limits of the SDK.',
  log_record_too_large: 'Shorten the body of the log record, or put large content into span attributes.',
  too_many_log_records: 'Raise the log level of the exporter for long traces.',
  deleted: 'The trace was deleted here. Send new work under a new trace id.',
  trace_full: 'Begin a new trace for each request or turn, and let the exporter send spans in batches.',
  too_large: 'Lower the batch size of the exporter (OTEL_BSP_MAX_EXPORT_BATCH_SIZE).',
  unsupported_media_type:
    'Send application/x-protobuf or application/json, uncompressed or by gzip, zstd, deflate, zlib, snappy or lz4.',
  invalid: 'Check the request against OTLP; the message names the place.',
  bad_request: 'Check the encoding of the request; the message names what is wrong.',
  unavailable: 'The server was busy. Exporters retry by themselves; if it continues, see disk and queues.',
  rate_limited: 'Lower the rate, or raise TOUCHSTONE_RATE_LIMIT.',
  forbidden: 'Use a key with the scope ingest.',
};

/** Returns what avoids rejections with this reason. */
export const cureOf = (reason: string): string => CURES[reason] ?? 'The message says what to change.';
