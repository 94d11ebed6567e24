import { existsSync } from 'node:fs';
import { createServer, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { GuardedClient } from '../deliver/guarded-client.ts';
import { Relay } from '../deliver/relay.ts';
import { unsealWebhook } from '../deliver/webhook-seal.ts';
import { createJudges } from '../evaluate/judge/judges.ts';
import { type IngestDoor, openIngest } from '../ingest/door.ts';
import type { commands, queries } from '../operations.ts';
import type { Log } from '../runtime/log.ts';
import { MemoryBudget } from '../runtime/memory-budget.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { buildServer } from '../server.ts';
import { Connections } from '../server/connections.ts';
import { createPools } from '../server/pools.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts } from '../server/timeouts.ts';
import { openSqliteStorage } from '../storage/sqlite/client.ts';
import type { Storage } from '../storage/storage.ts';
import { createPriceList } from '../traces/prices/price-list.ts';
import { startBackground } from './background.ts';
import { firstKeyFile, migrateFolder, storeFile, takeDataFolder, withStore } from './data-folder.ts';
import { listenFailure } from './failure.ts';
import { ensureTenancy } from './first-start.ts';
import { readJudges } from './judges-file.ts';
import { openOutbound } from './outbound.ts';
import { readPricesFile } from './prices-file.ts';
import { outdatedNotice } from './remap.ts';

/** How long requests under way may take to finish once the server is asked to end. */
const FINISH_MS = 10_000;

export interface ServeIo {
  log: Log;
  /** A thread died, and with it what this process is for. */
  onDeath: (error: Error) => void;
  /** Where the keys of judges are looked for. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Replaces some of the usual timeouts of HTTP. */
  timeouts?: Partial<HttpTimeouts>;
}

export interface Running {
  /** Where others reach it: the public address, if one is set. */
  url: string;
  port: number;
  /** The first application of the store. */
  applicationId: string;
  /** Whether this start made the first application and its key. */
  isFirstStart: boolean;
  /** The file with the first key, while it is there. */
  keyFile: string | null;
  /** Finishes what was accepted, then lets go of everything. */
  close: () => Promise<void>;
}

/** Brings a whole server up. Throws StartupError, everything undone again, when something is in the way. */
export async function startServing(
  config: Config,
  { log, onDeath, env = {}, timeouts: given = {} }: ServeIo,
): Promise<Running> {
  const { host, port, dataDir } = config;
  const prices = config.pricesFile === null ? {} : readPricesFile(config.pricesFile);
  const judges = readJudges(config, env, createPriceList(prices));
  // Before anything is made: the commonest reason not to start should leave nothing behind.
  await tryToListen(host, port);

  const release = takeDataFolder(dataDir);
  const undo: (() => Promise<void> | void)[] = [release];
  const close = async (): Promise<void> => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const keyFile = firstKeyFile(dataDir);
    const migration = migrateFolder(dataDir, { snapshot: true });
    if (migration) log.info('the store was migrated', { ...migration });
    const { tenancy, outdated } = withStore(dataDir, (database) => ({
      tenancy: ensureTenancy(database, config, keyFile),
      outdated: outdatedNotice(database),
    }));
    if (tenancy.warning !== null) log.warn(tenancy.warning);
    if (outdated !== null) log.info(outdated);

    const storage: Storage<typeof commands, typeof queries> = openSqliteStorage(storeFile(dataDir), onDeath);
    undo.push(() => storage.close());
    const budget = new MemoryBudget(config.memoryBudgetBytes);
    const pools = createPools(budget);
    const metrics = createMetrics({
      storeNumbers: () => storage.stats(),
      jobNumbers: () => storage.read('jobNumbers', undefined),
      memory: budget,
      responseMemory: pools.responseMemory,
      uploads: pools.uploads,
    });
    const ingest: IngestDoor = openIngest({
      connectWriter: () => storage.connectWriter(),
      read: storage.read,
      write: storage.write,
      budget,
      bodies: pools.bodies,
      maxBodyBytes: config.maxBodyBytes,
      prices,
      metrics,
      log,
      onDeath,
    });
    undo.push(() => ingest.close());
    const { client, ...outbound } = openOutbound(config, log);
    const stop = new AbortController();
    undo.push(() => stop.abort());
    const now = Date.now;
    const relay = new Relay();
    const clientFor = (application: number): GuardedClient => relay.clientFor(application) ?? client;
    const background = await startBackground({
      read: storage.read,
      write: storage.write,
      log,
      metrics,
      now,
      client,
      judges: createJudges(judges, { read: storage.read, write: storage.write, metrics, now }),
      clientFor,
      unseal: (webhook) => unsealWebhook(outbound.secretBox, webhook, now()),
      storeSpan: ingest.storeOwn,
      settings: config,
    });
    undo.push(() => background.stop());
    const timeouts = { ...HTTP_TIMEOUTS, ...given };
    const connections = new Connections({ timeouts, metrics, log });
    const app = buildServer({
      config,
      pools,
      timeouts,
      connections,
      storage,
      log,
      metrics,
      now,
      ...outbound,
      clientFor,
      relay,
      registerIngest: ingest.register,
      storeSpan: ingest.storeOwn,
      stop: stop.signal,
      onTriggered: () => background.poke(),
      onCancelled: (testId) => background.cancel(testId),
    });
    undo.push(() => closeServer(app, connections, log));
    const boundPort = await listen(app, host, port);

    let closing: Promise<void> | undefined;
    return {
      url: config.publicUrl ?? localUrl(host, boundPort),
      port: boundPort,
      applicationId: tenancy.applicationId,
      isFirstStart: tenancy.isNew,
      keyFile: existsSync(keyFile) ? keyFile : null,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function tryToListen(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const probe = createServer().once('error', reject).listen({ host, port, exclusive: true }, resolve);
  try {
    await promise;
  } catch (error) {
    throw listenFailure(error, host, port);
  }
  await new Promise((closed) => probe.close(closed));
}

/** The port it listens on. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenFailure(error, host, port);
  }
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** Accepts nothing more, and gives requests in progress some time to finish. */
async function closeServer(app: FastifyInstance, connections: Connections, log: Log): Promise<void> {
  const late = setTimeout(() => {
    log.warn('requests were cut off: they took too long to finish', { afterMs: FINISH_MS });
    connections.destroyAll();
  }, FINISH_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(late);
    connections.destroyAll();
  }
}

/** An address for this machine; a wildcard is none. */
function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
