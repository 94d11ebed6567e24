/**
 * Measures what it takes to delete a fifth of a store by its limit in bytes: the time, and how long small writes wait
 * meanwhile.
 *
 *   npm run bench:retention                      a store of 1 GB
 *   npm run bench:retention -- --gigabytes 10
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantile } from './load.ts';
import { cpuBetween, cpuTime } from './process-cpu.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { makeTraceStore } from './trace-store.ts';

/** Argument of `makeTraceStore` that makes a gigabyte. */
const TRACES_PER_GB = 200_000;
const DELETED_SHARE = 0.2;
/** A run deletes until so much of the limit is used. */
const FILLED = 0.95;
const PAUSE_MS = 20;
/** Longest time in which the freed pages are given back. */
const MAX_RELEASE_MS = 60_000;
const BASELINE_MS = 5_000;
const GB = 1e9;

const { values } = parseArgs({
  options: { gigabytes: { type: 'string', default: '1' }, folder: { type: 'string' } },
});

interface Retention {
  usage: { traces: number; bytes: number; measuredAt: string | null };
  lastRun: { at: string; deletedTraces: number } | null;
}

type CallServer = <T>(method: string, path: string, body?: unknown) => Promise<T>;

const callsOf = ({ port, headers }: ServerProcess): CallServer => {
  const json = { ...headers, 'content-type': 'application/json' };
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: json,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
};

/** Changes a tag again and again; returns a function that ends it and returns the sorted milliseconds of each change. */
async function startWrites(call: CallServer): Promise<() => Promise<number[]>> {
  const { data: tag } = await call<{ data: { id: string } }>('POST', '/v0/tags', {
    name: `bench ${Date.now()}`,
  });
  const took: number[] = [];
  const stop = new AbortController();
  const writing = (async () => {
    while (!stop.signal.aborted) {
      const since = performance.now();
      await call('PUT', `/v0/tags/${tag.id}`, { name: `bench ${since}` });
      took.push(performance.now() - since);
      await sleep(PAUSE_MS);
    }
  })();
  return async () => {
    stop.abort();
    await writing;
    return took.toSorted((a, b) => a - b);
  };
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'touchstone-retention-'));
const dataDir = join(folder, 'store');
const file = join(dataDir, 'touchstone.db');
const show = (name: string, text: string): void => console.log(`${name.padEnd(44)}${text}`);
const milliseconds = (took: number[]): string =>
  [0.5, 0.99, 1].map((q) => quantile(took, q).toFixed(0)).join(' / ');
try {
  await makeTraceStore(dataDir, Number(values.gigabytes) * TRACES_PER_GB);
  const server = await startServer(dataDir, 'dist/main.js');
  const call = callsOf(server);
  const read = async (): Promise<Retention> => (await call<{ data: Retention }>('GET', '/v0/retention')).data;
  // A limit that deletes nothing has the store measured.
  await call('PUT', '/v0/retention', { maxBytes: Number.MAX_SAFE_INTEGER });
  while ((await read()).usage.measuredAt === null) await sleep(500);
  const before = await read();
  show('store', `${(statSync(file).size / GB).toFixed(2)} GB, ${before.usage.traces} traces`);
  const baseline = await startWrites(call);
  await sleep(BASELINE_MS);
  show('writes before, ms (p50 / p99 / max)', milliseconds(await baseline()));

  const writes = await startWrites(call);
  const cpu = cpuTime(server.pid);
  const since = performance.now();
  await call('PUT', '/v0/retention', {
    maxBytes: Math.round((before.usage.bytes * (1 - DELETED_SHARE)) / FILLED),
  });
  let now = await read();
  while (now.lastRun === null || now.lastRun.at === before.lastRun?.at) {
    await sleep(100);
    now = await read();
  }
  const seconds = (performance.now() - since) / 1_000;
  show('deleted', `${now.lastRun.deletedTraces} traces in ${seconds.toFixed(1)} s`);
  show('rate', `${Math.round(now.lastRun.deletedTraces / seconds)} traces a second`);
  show('processor time', `${cpuBetween(cpu, cpuTime(server.pid)).total.toFixed(1)} s`);
  const bytes = statSync(file).size;
  const deletedAt = performance.now();
  while (
    statSync(file).size > bytes * (1 - DELETED_SHARE / 2) &&
    performance.now() - deletedAt < MAX_RELEASE_MS
  )
    await sleep(100);
  show('space given back after', `${((performance.now() - deletedAt) / 1_000).toFixed(1)} s more`);
  show('writes meanwhile, ms (p50 / p99 / max)', milliseconds(await writes()));
  await server.stop();
  show('file afterwards', `${(statSync(file).size / GB).toFixed(2)} GB`);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
