import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { scanTraces } from '../src/ingest/otlp/scan.ts';
import { createPriceList } from '../src/traces/prices/price-list.ts';

/**
 * Stores the same bytes in SQLite with nothing around it: no HTTP, no decoding, one row per span, one durable
 * transaction per request, in one thread. Returns spans per second, and bytes per span on disk.
 */
export function plainInserts(
  file: string,
  bodies: readonly Buffer[],
): { rate: number; bytesPerSpan: number } {
  const batches = bodies.map((body) =>
    scanTraces(body, 0n, createPriceList()).spans.map(({ traceId, spanId, bytes }) => ({
      traceId: Buffer.from(traceId, 'latin1'),
      spanId: Buffer.from(spanId, 'latin1'),
      bytes,
    })),
  );
  const database = new Sqlite(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'CREATE TABLE span (trace_id BLOB, span_id BLOB, bytes BLOB, PRIMARY KEY (trace_id, span_id)) STRICT',
  );
  const insert = database.prepare('INSERT INTO span VALUES (?, ?, ?)');
  const store = database.transaction((batch: (typeof batches)[number]) => {
    for (const { traceId, spanId, bytes } of batch) insert.run(traceId, spanId, bytes);
  });
  const started = performance.now();
  for (const batch of batches) store(batch);
  const seconds = (performance.now() - started) / 1000;
  database.close();
  const spans = batches.reduce((sum, batch) => sum + batch.length, 0);
  return { rate: spans / seconds, bytesPerSpan: statSync(file).size / spans };
}
