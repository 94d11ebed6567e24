import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from './ingest-row.ts';
import { ingestRows, type Row } from './ingest-rows.ts';
import { round } from './ingest-report.ts';
import { load, quantile } from './load.ts';
import { SpanSource } from './payloads.ts';
import { cpuBetween, cpuTime } from './process-cpu.ts';
import { startServer } from './server-process.ts';

const READS = 200;
const WARM_UP = 50;
const TRACE_SPANS = 200;
/** Ways in which the trace is sent → spans in each request. */
const STORED = { 'in one request': TRACE_SPANS, 'in 200 requests': 1 } as const;

/** Reads a complete trace of 200 spans repeatedly: latency, and CPU milliseconds of the server per call. */
export async function readTrace(folder: string): Promise<Record<string, Record<string, number>>> {
  const rows: Record<string, Record<string, number>> = {};
  const [any] = ingestRows(false) as [Row];
  const server = await startServer(join(folder, 'read-trace'));
  try {
    for (const [index, [name, batch]] of Object.entries(STORED).entries()) {
      const shape = { ...any, traceSpans: TRACE_SPANS, order: 'together', isRich: true } as const;
      const source = new SpanSource(shape, 'protobuf', index + 1);
      await send(server, source, { ...shape, batch, gzip: false }, TRACE_SPANS, 60);
      await delay(1_000);
      const request = Buffer.from(
        [
          `GET /v0/traces/${source.lastTraceId} HTTP/1.1`,
          'host: 127.0.0.1',
          ...Object.entries(server.headers).map(([key, value]) => `${key}: ${value}`),
          '',
          '',
        ].join('\r\n'),
      );
      await load(server.port, Array<Buffer>(WARM_UP).fill(request), 1);
      const before = cpuTime(server.pid);
      const { latencies, statuses } = await load(server.port, Array<Buffer>(READS).fill(request), 1);
      const cpu = cpuBetween(before, cpuTime(server.pid));
      if (statuses['200'] !== READS) throw new Error(`answered ${JSON.stringify(statuses)}`);
      rows[`trace of ${TRACE_SPANS} spans, stored ${name}`] = {
        p50: round(quantile(latencies, 0.5), 1),
        p99: round(quantile(latencies, 0.99), 1),
        'CPU ms a call': round((cpu.total * 1000) / READS, 1),
      };
    }
  } finally {
    await server.stop();
  }
  return rows;
}
