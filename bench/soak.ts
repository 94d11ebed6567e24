import { statSync } from 'node:fs';
import { join } from 'node:path';
import { send } from './ingest-row.ts';
import { ingestRows, type Row } from './ingest-rows.ts';
import { quantile } from './load.ts';
import { SpanSource } from './payloads.ts';
import { startServer } from './server-process.ts';

/** Sends at full rate for a while and prints whether memory and rate stay level. */
export async function soak(folder: string, seconds: number): Promise<void> {
  const dataDir = join(folder, 'soak');
  const row = ingestRows(false).find(({ name }) => name === '8 spans, rich, 512 a request, empty') as Row;
  const source = new SpanSource(row, row.format, 1);
  const server = await startServer(dataDir);
  const started = performance.now();
  let stored = 0;
  while (performance.now() < started + seconds * 1000) {
    const { spans, result } = await send(server, source, row, row.spans, 60);
    stored += spans;
    const { now, peak } = server.memory();
    console.log(
      [
        `after s ${Math.round((performance.now() - started) / 1000)}`,
        `spans stored ${stored}`,
        `spans/s ${Math.round(spans / result.seconds)}`,
        `ack p99 ms ${quantile(result.latencies, 0.99).toFixed(1)}`,
        `RSS MiB ${Math.round(now)}`,
        `peak RSS MiB ${Math.round(peak)}`,
      ].join('   '),
    );
  }
  await server.stop();
  const disk = statSync(join(dataDir, 'touchstone.db')).size;
  console.log(`${stored} spans, ${(disk / stored).toFixed(0)} bytes a span on disk`);
}
