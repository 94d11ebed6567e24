import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Beside, openBeside } from './beside.ts';
import type { Row } from './ingest-rows.ts';
import { framed, loadGrpc } from './grpc-load.ts';
import { load, type LoadResult } from './load.ts';
import { compressed, requestOf, SpanSource } from './payloads.ts';
import { plainInserts } from './plain-sqlite.ts';
import { type CpuTime, cpuBetween, cpuTime } from './process-cpu.ts';
import { seedOf } from './seeded.ts';
import { type ServerProcess, startDiscarding, startServer } from './server-process.ts';

export interface Sent {
  spans: number;
  bytes: number;
  result: LoadResult;
  cpu: CpuTime;
}

export interface RowResult {
  alone: Sent;
  loaded: Sent;
  beside: Beside;
  /** Highest resident memory of the server, MiB. */
  peakMemory: number;
  /** Bytes of the database for each span stored; null when the store was not empty. */
  bytesOnDisk: number | null;
  checkpoints: CheckpointTime;
  /** Spans a second of a server that stores nothing and of plain SQLite; null when not compared. */
  compared: { nothing: number; plain: number } | null;
}

/** Checkpoints of a server since its start, and how long commits waited for all of them. */
export interface CheckpointTime {
  count: number;
  seconds: number;
}

export interface RowOptions {
  /** Data folder to run on; created if it does not exist. */
  dataDir: string;
  seed: number;
  /** No request begins after this many seconds. */
  seconds: number;
}

/** Spans that are sent before a row is measured: with fewer, V8 still compiles, a sixth of the CPU of single spans. */
const WARM_UP_SPANS = 25_600;
const PLAIN_REQUESTS = 100;

/** Measures one row: alone, and beside small writes, reads and evaluations. */
export async function measureRow(row: Row, { dataDir, seed, seconds }: RowOptions): Promise<RowResult> {
  const source = new SpanSource(row, row.format, seedOf(`${row.name} ${seed}`));
  const server = await startServer(dataDir);
  try {
    const warmUp = await send(server, source, row, Math.min(row.spans, WARM_UP_SPANS), seconds);
    // One more, whose last trace is stored however little time the warm-up had.
    await send(server, source, row, row.batch, Number.POSITIVE_INFINITY);
    const traceId = source.lastTraceId;
    const thread = await openBeside({ port: server.port, headers: server.headers, dataDir, traceId });
    const alone = await send(server, source, row, row.spans, seconds);
    thread.start();
    const loaded = await send(server, source, row, row.spans, seconds);
    const beside = await thread.stop();
    const peakMemory = server.memory().peak;
    const checkpoints = await checkpointTime(server);
    await server.stop();
    const stored = warmUp.spans + row.batch + alone.spans + loaded.spans;
    const size = statSync(join(dataDir, 'touchstone.db')).size;
    const bytesOnDisk = row.stored === 0 ? size / stored : null;
    const compared = row.isCompared ? await compare(row, source, dataDir, seconds) : null;
    return { alone, loaded, beside, peakMemory, bytesOnDisk, checkpoints, compared };
  } finally {
    await server.stop();
  }
}

async function checkpointTime({ port, headers }: ServerProcess): Promise<CheckpointTime> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^touchstone_store_${name}_total (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return { count: valueOf('checkpoints'), seconds: valueOf('checkpoint_seconds') };
}

/** Sends so many spans, or as many as there is time for; throws when one was rejected. */
export async function send(
  server: ServerProcess,
  source: SpanSource,
  row: Row,
  spans: number,
  seconds: number,
): Promise<Sent> {
  let bytes = 0;
  const isGrpc = row.transport === 'gRPC';
  const requests = Array.from({ length: Math.ceil(spans / row.batch) }, () => {
    const body = source.body(row.batch);
    bytes += body.length;
    return isGrpc ? framed(compressed(body, row.gzip), row.gzip) : requestOf(body, row, server.headers);
  });
  const before = cpuTime(server.pid);
  const deadline = performance.now() + seconds * 1000;
  const headers = { ...server.headers, ...(row.gzip ? { 'grpc-encoding': 'gzip' } : {}) };
  const result = isGrpc
    ? await loadGrpc(server.grpcPort, { messages: requests, headers }, row.connections, deadline)
    : await load(server.port, requests, row.connections, deadline);
  const cpu = cpuBetween(before, cpuTime(server.pid));
  const { statuses, sent } = result;
  if (statuses['200'] !== sent) throw new Error(`${row.name} was answered ${JSON.stringify(statuses)}`);
  return { spans: sent * row.batch, bytes: (bytes * sent) / requests.length, result, cpu };
}

/** Measures the same against a server that stores nothing and against plain SQLite; spans a second. */
async function compare(
  row: Row,
  source: SpanSource,
  dataDir: string,
  seconds: number,
): Promise<{ nothing: number; plain: number }> {
  const discarding = await startDiscarding();
  try {
    await send(discarding, source, row, Math.min(row.spans, WARM_UP_SPANS), seconds);
    const { spans, result } = await send(discarding, source, row, row.spans, seconds);
    const protobuf = new SpanSource(row, 'protobuf', seedOf(`${row.name} plain`));
    const file = join(dataDir, 'plain.db');
    const { rate } = plainInserts(
      file,
      Array.from({ length: PLAIN_REQUESTS }, () => protobuf.body(row.batch)),
    );
    rmSync(file);
    return { nothing: spans / result.seconds, plain: rate };
  } finally {
    await discarding.stop();
  }
}
