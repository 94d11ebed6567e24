/** Real senders lose and double nothing: in normal operation, when the server is overloaded, and when it restarts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { freePort } from '../support/free-port.ts';
import { type Asked, readMetric } from '../support/ledger.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { fillMemory, LARGE_CONTENT_BYTES, LITTLE_MEMORY } from './fill-memory.ts';
import { expectedNames, RunningSender, type Target, type Work } from './run-sender.ts';
import { SENDERS, type Sender, type Situation } from './senders.ts';
import { until } from '../support/until.ts';

const NORMAL: Work = { spans: 40, paceMs: 5, batch: 10, contentBytes: 1_000 };
/** A span in each request, for one that is too large for the rest of the memory. */
const LARGE: Work = { spans: 3, paceMs: 1, batch: 1, contentBytes: LARGE_CONTENT_BYTES };
/** Long enough for a restart between its spans. */
const SLOW: Work = { spans: 60, paceMs: 100, batch: 5, contentBytes: 100 };
/**
 * Milliseconds for which every exporter retries: those of JavaScript at most five times, the last about 10.5 s after the
 * first failure. What they send to a server that is down for longer may be lost.
 */
const RETRIED_MS = 9_000;
const SETUP_MS = 300_000;

const running = new Map<string, RunningSender>();

/** Starts all senders; each test then looks at one. */
async function startAll(senders: readonly Sender[], target: Target, work: Work): Promise<void> {
  running.clear();
  for (const sender of senders) running.set(sender.name, await RunningSender.start(sender, target, work));
}

/** Returns the names of the spans that are stored in the end. */
async function storedOf(name: string, server: Asked): Promise<string[]> {
  const sender = running.get(name) as RunningSender;
  await sender.end(server);
  return (await sender.stored(server)).toSorted();
}

const retrying = (situation: Situation): Sender[] =>
  SENDERS.filter(({ loses }) => loses?.[situation] === undefined);

const namesOf = (senders: readonly Sender[]): string[] => senders.map(({ name }) => name);

describe('in normal operation', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ config: { grpcPort: 0 } });
    await startAll(SENDERS, server, NORMAL);
  }, SETUP_MS);
  afterAll(() => server.close());

  it.each(namesOf(SENDERS))('all spans of %s are stored, once', async (name) => {
    expect(await storedOf(name, server)).toEqual(expectedNames(NORMAL));
  });
});

describe('when the server responds with 503 and Retry-After', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({
      config: { grpcPort: 0, ...LITTLE_MEMORY },
      // The unfinished requests hold their memory for as long as a sender takes to start.
      timeouts: { bodyIdleMs: 600_000, requestMs: 600_000 },
    });
  });
  afterAll(() => server.close());

  // One after another: exporters stop retrying after a few attempts, which a fast one would use up while others start.
  it.each(retrying('overload'))('all spans of $name are stored, once', async (sender) => {
    const release = await fillMemory(server);
    const rejections = () => readMetric(server, 'touchstone_rejected_total{reason="unavailable"}');
    const before = await rejections();
    await startAll([sender], server, LARGE);
    await until(async () => (await rejections()) >= before + 2);
    release();
    expect(await storedOf(sender.name, server)).toEqual(expectedNames(LARGE));
  });
});

describe('when the server restarts', () => {
  const senders = retrying('restart');
  let server: ChildServer;
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const presets = newPresets();
  let downMs: number;
  beforeAll(async () => {
    const [port, grpcPort] = [await freePort(), await freePort()];
    const start = () =>
      ChildServer.start({ dataDir, presets, port, env: { TOUCHSTONE_GRPC_PORT: String(grpcPort) } });
    server = await start();
    await startAll(senders, server, SLOW);
    for (const sender of running.values()) await sender.begin(server);
    const stoppedAt = performance.now();
    await server.stop('SIGTERM');
    server = await start();
    downMs = performance.now() - stoppedAt;
  }, SETUP_MS);
  afterAll(async () => {
    await server.stop('SIGKILL');
    rmSync(dataDir, { recursive: true });
  });

  it.each(namesOf(senders))('all spans of %s are stored, once', async (name) => {
    const stored = await storedOf(name, server);
    const expected = expectedNames(SLOW);
    // None may be stored twice, and none that was not sent, however long the server was down.
    const lost = downMs < RETRIED_MS ? [] : expected.filter((span) => !stored.includes(span));
    expect([...stored, ...lost].toSorted()).toEqual(expected);
  });
});
