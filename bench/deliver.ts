import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { answerTo } from './answer-span.ts';
import { callOf, closeCalls } from './judged-tests.ts';
import { quantile } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/**
 * Measures how many tests go through the complete loop, from the trigger to COMPLETED, how soon they are sent, and
 * how much the tests of an unreachable endpoint slow down those of another application. The app shares the processors
 * with the server: it sends one span of OTLP/JSON, waits until that is stored, and responds. `npm run bench:deliver`
 * takes about two minutes.
 */
const APPLICATIONS = [1, 16, 128];
const TESTS = 2_048;
/** Tests of one task that one call may start. */
const MAX_REPEAT = 100;
const SINGLES = 200;
const DEAD_TESTS = 1_000;
/** Measured so many times with and without the dead endpoint, in turns. */
const ROUNDS = 3;
const SETTINGS = { TOUCHSTONE_QUIET_MS: '50', TOUCHSTONE_ORPHAN_QUIET_MS: '50' };

interface Owner {
  headers: Record<string, string>;
  taskId: string;
}

interface App {
  url: string;
  /** Time of arrival of each test: id → `performance.now()`. */
  arrivals: Map<string, number>;
  close: () => void;
}

async function newOwner({ port, headers: admin }: ServerProcess, url: string): Promise<Owner> {
  const { data, apiKey } = (await callOf({ port, headers: admin }, 'POST', '/v0/applications', {
    title: 'Bench',
    type: 'AGENT',
  })) as { data: { id: string }; apiKey: { key: string } };
  const headers = { 'x-api-key': apiKey.key, 'x-application-id': data.id };
  await callOf({ port, headers }, 'POST', '/v0/webhook', { url, timeoutMs: 900_000 });
  const { task } = (await callOf({ port, headers }, 'POST', '/v0/tasks', {
    title: 'Capital',
    type: 'STATIC',
    inputExamples: ['Capital of France?'],
  })) as { task: { id: string } };
  return { headers, taskId: task.id };
}

/** Starts that many tests; their ids. */
async function trigger(
  { port }: ServerProcess,
  { headers, taskId }: Owner,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const body = { taskIds: [taskId], repeat: Math.min(count - ids.length, MAX_REPEAT) };
    const { data } = (await callOf({ port, headers }, 'POST', '/v0/tasks/trigger', body)) as {
      data: { testIds: string[] }[];
    };
    ids.push(...data.flatMap(({ testIds }) => testIds));
  }
  return ids;
}

/** An app that sends its span, then answers; which application it is of, the path of the webhook tells. */
async function startApp(server: ServerProcess, owners: readonly Owner[]): Promise<App> {
  const arrivals = new Map<string, number>();
  const app = createServer((incoming, response) => {
    const serve = async (): Promise<void> => {
      const at = performance.now();
      const { testId, body } = await answerTo(incoming, 'Paris');
      arrivals.set(testId, at);
      const { headers } = owners[Number(incoming.url?.slice(1))] as Owner;
      await callOf({ port: server.port, headers }, 'POST', '/v1/traces', body);
      response.end();
    };
    void serve();
  });
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  return { url, arrivals, close: () => app.close() };
}

/** Accepts and never answers. */
async function startDeadApp(): Promise<{ url: string; close: () => void }> {
  const app = createServer(() => undefined);
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  const { port } = app.address() as AddressInfo;
  const close = (): void => {
    app.close();
    app.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Tests a second, from the first trigger until the last of them is complete. */
async function rateOf(
  store: Sqlite.Database,
  server: ServerProcess,
  owners: readonly Owner[],
): Promise<number> {
  const startedAt = Date.now();
  await Promise.all(owners.map((owner) => trigger(server, owner, TESTS / owners.length)));
  const sql = `SELECT sum(status = 'COMPLETED') AS done, sum(status = 'FAILED') AS failed, max(modified_at) AS at
    FROM test WHERE created_at >= ?`;
  for (;;) {
    const { done, failed, at } = store.prepare(sql).get(startedAt) as Record<string, number>;
    if (failed) throw new Error(`${failed} tests failed`);
    if (done === TESTS) return (TESTS * 1_000) / ((at as number) - startedAt);
    await delay(100);
  }
}

/** Milliseconds from a trigger, sent alone, to the arrival of its test at the app; sorted. */
async function latenciesOf(server: ServerProcess, app: App, owners: readonly Owner[]): Promise<number[]> {
  const latencies: number[] = [];
  for (let count = 0; count < SINGLES; count++) {
    const sentAt = performance.now();
    const [id = ''] = await trigger(server, owners[count % owners.length] as Owner, 1);
    while (!app.arrivals.has(id)) await delay(1);
    latencies.push((app.arrivals.get(id) as number) - sentAt);
  }
  return latencies.sort((a, b) => a - b);
}

interface Bench {
  store: Sqlite.Database;
  server: ServerProcess;
  app: App;
  owners: Owner[];
}

/** A server over an empty store, with that many applications of one app. */
async function withApplications(count: number, use: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const server = await startServer(folder);
  const owners: Owner[] = [];
  const app = await startApp(server, owners);
  const store = new Sqlite(join(folder, 'touchstone.db'), { readonly: true });
  try {
    for (let index = 0; index < count; index++) owners.push(await newOwner(server, `${app.url}/${index}`));
    await use({ store, server, app, owners });
  } finally {
    store.close();
    app.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const latencyColumns = (latencies: readonly number[]): Record<string, string> => ({
  'trigger to POST p50 ms': quantile(latencies, 0.5).toFixed(1),
  'p99 ms': quantile(latencies, 0.99).toFixed(1),
});

async function wholeLoop(): Promise<void> {
  const rows: Record<string, Record<string, string>> = {};
  for (const count of APPLICATIONS) {
    await withApplications(count, async ({ store, server, app, owners }) => {
      await rateOf(store, server, owners);
      const rate = await rateOf(store, server, owners);
      const latencies = await latenciesOf(server, app, owners);
      rows[`${count} applications`] = { 'tests/s': rate.toFixed(0), ...latencyColumns(latencies) };
    });
  }
  console.table(rows);
}

/**
 * Measures that tests of an unreachable endpoint, which occupy the slots of their application, do not delay other
 * applications.
 */
async function deadNeighbour(): Promise<void> {
  await withApplications(1, async ({ store, server, app, owners }) => {
    const dead = await startDeadApp();
    const neighbour = await newOwner(server, dead.url);
    await rateOf(store, server, owners);
    const rates: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] };
    const latencies: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] };
    const measure = async (when: 'alone' | 'beside'): Promise<void> => {
      rates[when].push(await rateOf(store, server, owners));
      latencies[when].push(...(await latenciesOf(server, app, owners)));
    };
    for (let round = 0; round < ROUNDS; round++) {
      await measure('alone');
      const ids = await trigger(server, neighbour, DEAD_TESTS);
      await measure('beside');
      for (const id of ids)
        await callOf({ port: server.port, headers: neighbour.headers }, 'POST', `/v0/tests/${id}/cancel`);
    }
    dead.close();
    const rows = Object.fromEntries(
      (['alone', 'beside'] as const).map((when) => {
        const sorted = latencies[when].toSorted((a, b) => a - b);
        return [when, { 'tests/s': medianOf(rates[when]).toFixed(0), ...latencyColumns(sorted) }];
      }),
    );
    console.table(rows);
    const ratio = medianOf(rates.beside) / medianOf(rates.alone);
    const slower = medianOf(latencies.beside) / medianOf(latencies.alone);
    console.log(
      `beside ${DEAD_TESTS} tests of a dead endpoint: ${ratio.toFixed(2)} of the rate (target: 0.90 or more), ${slower.toFixed(2)} of the latency (target: 1.10 or less)`,
    );
  });
}

const medianOf = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

// The server inherits them.
Object.assign(process.env, SETTINGS);
console.log(
  `Tests are complete ${SETTINGS.TOUCHSTONE_QUIET_MS} ms after answer and last span instead of 2 s, so that waiting for silence limits nothing; each has one span.`,
);
await wholeLoop();
await deadNeighbour();
closeCalls();
