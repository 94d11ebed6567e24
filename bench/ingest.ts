import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load, type LoadResult, quantile } from './load.ts';
import { mappingMicroseconds } from './mapping.ts';
import { type Format, makeRequests } from './payloads.ts';
import { plainInserts } from './plain-sqlite.ts';
import { type ServerProcess, startDiscarding, startServer } from './server-process.ts';

/**
 * How fast ingest is, how soon it answers, and what it takes of disk and memory. Each way of sending is measured
 * against two ceilings in the same run: plain SQLite inserts of the same bytes, and the same server storing nothing.
 *
 *   npm run bench:ingest                      about two minutes
 *   npm run bench:ingest -- --soak 300        five minutes at full load, memory every ten seconds
 */
interface Mode {
  name: string;
  count: number;
  spansEach: number;
  format: Format;
  gzip: boolean;
  connections: number;
}

const MODES: Mode[] = [
  {
    name: '512 spans, protobuf, gzip',
    count: 400,
    spansEach: 512,
    format: 'protobuf',
    gzip: true,
    connections: 8,
  },
  { name: '512 spans, JSON, gzip', count: 200, spansEach: 512, format: 'json', gzip: true, connections: 8 },
  {
    name: '1 span, protobuf, 64 connections',
    count: 60_000,
    spansEach: 1,
    format: 'protobuf',
    gzip: false,
    connections: 64,
  },
];

interface Measured {
  rate: number;
  result: LoadResult;
  bytes: number;
}

async function measure(server: ServerProcess, mode: Mode, count = mode.count): Promise<Measured> {
  const { requests, spans, bytes } = makeRequests({
    ...mode,
    count,
    path: '/v1/traces',
    headers: server.headers,
  });
  const result = await load(server.port, requests, mode.connections);
  const failed = result.answers - (result.statuses['200'] ?? 0);
  if (failed > 0)
    throw new Error(`${failed} requests were not answered 200: ${JSON.stringify(result.statuses)}`);
  return { rate: spans / result.seconds, result, bytes };
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareModes(): Promise<void> {
  const rows: Record<string, Record<string, string | number>> = {};
  for (const mode of MODES) {
    const warmUp = Math.ceil(mode.count / 10);
    rows[mode.name] = await withFolder(async (folder) => {
      const plain = plainInserts(join(folder, 'plain.db'), Math.min(mode.count, 5_000), mode.spansEach);
      const discarding = await startDiscarding();
      await measure(discarding, mode, warmUp);
      const nothing = await measure(discarding, mode);
      await discarding.stop();
      const server = await startServer(join(folder, 'data'));
      await measure(server, mode, warmUp);
      const stored = await measure(server, mode);
      const { peak } = server.memory();
      await server.stop();
      const spans = (mode.count + warmUp) * mode.spansEach;
      const disk = statSync(join(folder, 'data', 'touchstone.db')).size;
      return {
        'spans/s durable': Math.round(stored.rate),
        'storing nothing': Math.round(nothing.rate),
        'of that': percent(stored.rate / nothing.rate),
        'plain SQLite': Math.round(plain.rate),
        'of plain': percent(stored.rate / plain.rate),
        'ack p50 ms': quantile(stored.result.latencies, 0.5).toFixed(1),
        'ack p99 ms': quantile(stored.result.latencies, 0.99).toFixed(1),
        'B/span sent': Math.round(stored.bytes / (mode.count * mode.spansEach)),
        'B/span on disk': Math.round(disk / spans),
        'plain B/span': Math.round(plain.bytesPerSpan),
        'peak RSS MiB': Math.round(peak),
      };
    });
  }
  console.table(rows);
  const [first] = MODES as [Mode];
  shareOfMapping(first, Number(rows[first.name]?.['spans/s durable']));
}

/** Beside the time between two spans that are durable, sender included: what ingest as a whole can do on this machine. */
function shareOfMapping({ spansEach }: Mode, rate: number): void {
  const mapping = mappingMicroseconds(spansEach);
  const whole = 1e6 / rate;
  console.log(
    `mapping: ${mapping.toFixed(1)} µs a span, ${percent(mapping / whole)} of the ${whole.toFixed(1)} µs that a durable span takes\n`,
  );
}

/** How soon reads are answered, alone and while spans come in at full speed. */
async function readWhileWriting(): Promise<void> {
  await withFolder(async (folder) => {
    const server = await startServer(join(folder, 'data'));
    const [mode] = MODES as [Mode];
    await measure(server, mode, 100);
    const list = `http://127.0.0.1:${server.port}/v0/traces?limit=25`;
    const big = await traceOf(server, 200);
    const reads = {
      'list of 25': list,
      'trace of 200 spans': `http://127.0.0.1:${server.port}/v0/traces/${big}`,
    };
    const rows: Record<string, Record<string, string>> = {};
    for (const [name, url] of Object.entries(reads)) {
      const alone = await timeReads(server, url, (count) => count < 300);
      let writing = true;
      const written = measure(server, mode).finally(() => (writing = false));
      const busy = await timeReads(server, url, () => writing);
      await written;
      rows[name] = {
        'alone p50 ms': quantile(alone, 0.5).toFixed(1),
        'alone p99 ms': quantile(alone, 0.99).toFixed(1),
        'while writing p50 ms': quantile(busy, 0.5).toFixed(1),
        'while writing p99 ms': quantile(busy, 0.99).toFixed(1),
      };
    }
    console.table(rows);
    await server.stop();
  });
}

async function timeReads(
  server: ServerProcess,
  url: string,
  goOn: (count: number) => boolean,
): Promise<number[]> {
  const latencies: number[] = [];
  while (goOn(latencies.length)) {
    const started = performance.now();
    const response = await fetch(url, { headers: server.headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url} was answered ${response.status}`);
    latencies.push(performance.now() - started);
  }
  return latencies.sort((a, b) => a - b);
}

/** Stores one trace of that many spans, one request a span; its id. */
async function traceOf(server: ServerProcess, spans: number): Promise<string> {
  const traceId = randomBytes(16).toString('hex');
  const parent = randomBytes(8).toString('hex');
  const { requests } = makeRequests({
    count: spans,
    spansEach: 1,
    format: 'json',
    gzip: false,
    path: '/v1/traces',
    headers: server.headers,
  });
  const sameTrace = requests.map((request) =>
    Buffer.from(
      request
        .toString('latin1')
        .replace(/"traceId":"[0-9a-f]{32}"/, `"traceId":"${traceId}","parentSpanId":"${parent}"`),
      'latin1',
    ),
  );
  await load(server.port, sameTrace.map(withLength), 8);
  return traceId;
}

/** Puts the right Content-Length into a request whose body was changed. */
function withLength(request: Buffer): Buffer {
  const text = request.toString('latin1');
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  return Buffer.from(
    text.replace(/content-length: \d+/, `content-length: ${text.length - bodyAt}`),
    'latin1',
  );
}

/** Full load for a while: does memory stay flat, does the rate? */
async function soak(seconds: number): Promise<void> {
  await withFolder(async (folder) => {
    const server = await startServer(join(folder, 'data'));
    const mode = MODES[0] as Mode;
    const end = performance.now() + seconds * 1000;
    const rows: Record<string, string | number>[] = [];
    let spans = 0;
    const started = performance.now();
    while (performance.now() < end) {
      const { rate, result } = await measure(server, mode);
      spans += mode.count * mode.spansEach;
      rows.push({
        'after s': Math.round((performance.now() - started) / 1000),
        'spans stored': spans,
        'spans/s': Math.round(rate),
        'ack p99 ms': quantile(result.latencies, 0.99).toFixed(1),
        'RSS MiB': Math.round(server.memory().now),
        'peak RSS MiB': Math.round(server.memory().peak),
      });
      console.log(
        Object.entries(rows.at(-1) ?? {})
          .map(([name, value]) => `${name} ${value}`)
          .join('   '),
      );
    }
    await server.stop();
    const disk = statSync(join(folder, 'data', 'touchstone.db')).size;
    console.log(`${spans} spans, ${(disk / spans).toFixed(0)} bytes a span on disk`);
  });
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

const { values } = parseArgs({ options: { soak: { type: 'string' } } });
if (values.soak === undefined) {
  await compareModes();
  await readWhileWriting();
} else await soak(Number(values.soak));
