import { checkoutWarning, sealedElsewhereWarning } from './start-warnings.ts';
import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { GuardedClient } from '../deliver/guarded-client.ts';
import { createProbe } from '../deliver/probe-endpoint.ts';
import { Relay } from '../deliver/relay.ts';
import { signedPost } from '../deliver/signed-post.ts';
import { unsealSecrets, unsealWebhook } from '../deliver/webhook-seal.ts';
import { Judge } from '../evaluate/judge/judge.ts';
import { createJudges } from '../evaluate/judge/judges.ts';
import { createScore } from '../evaluate/scorer/scorers.ts';
import { type IngestReceiver, openIngest } from '../ingest/receiver.ts';
import type { commands, queries } from '../operations.ts';
import { createSetupLink, hasUsers } from '../people/setup-store.ts';
import { ExampleData } from '../example-data/service.ts';
import { Masking } from '../resources/masking/service.ts';
import type { Log } from '../runtime/log.ts';
import { createClockGuard } from '../runtime/clock-guard.ts';
import { MemoryBudget } from '../runtime/memory-budget.ts';
import { createMetrics, type Metrics } from '../runtime/metrics.ts';
import { buildServer, type BuiltServer } from '../server.ts';
import { Connections } from '../server/connections.ts';
import { createPools, type HttpPools } from '../server/pools.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts } from '../server/timeouts.ts';
import { openSqliteStorage } from '../storage/sqlite/client.ts';
import type { Storage } from '../storage/storage.ts';
import { TraceFeed } from '../traces/trace-feed.ts';
import { createPriceList } from '../traces/prices/price-list.ts';
import { type Background, startBackground } from './background.ts';
import { firstKeyFile, migrateFolder, storeFile, takeDataFolder, withStore } from './data-folder.ts';
import { ensureTenancy, type Tenancy } from './first-start.ts';
import { readJudges } from './judges-file.ts';
import { localUrl } from './local-url.ts';
import { openOutbound, type Outbound } from './outbound.ts';
import { checkPorts, listenGrpc, listenHttp } from './ports.ts';
import { readPricesFile } from './prices-file.ts';
import { outdatedNotice } from './remap.ts';
import { lastChangeOf, watchStore } from './watch-store.ts';
import { systemState, watchDaysLeft } from './system-state.ts';

/** Time in milliseconds for which requests in progress may continue once the server stops. */
const FINISH_MS = 10_000;

export interface ServeIo {
  log: Log;
  /** Called when a thread died, after which the server cannot continue. */
  onDeath: (error: Error) => void;
  /** Environment variables, which contain the API keys of judges. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Replaces some of the default HTTP timeouts. */
  timeouts?: Partial<HttpTimeouts>;
}

export interface Running {
  /** Address for clients: the public address if one is set. */
  url: string;
  port: number;
  /** Port of OTLP over gRPC; null if it is off. */
  grpcPort: number | null;
  /** Id of the first application of the store. */
  applicationId: string;
  /** True if this start created the first application and its API key. */
  isFirstStart: boolean;
  /** Token of a link by which the first user signs in; null if there are users. */
  setupToken: string | null;
  /** Path of the file with the first API key, while it exists. */
  keyFile: string | null;
  /** Finishes accepted requests, then closes everything. */
  close: () => Promise<void>;
}

/** Starts a server. Throws StartupError if it cannot start, and then leaves nothing running. */
export async function startServing(
  config: Config,
  { log, onDeath, env = {}, timeouts }: ServeIo,
): Promise<Running> {
  const { host, dataDir } = config;
  const prices = config.pricesFile === null ? {} : readPricesFile(config.pricesFile);
  const judges = readJudges(config, env, createPriceList(prices));
  await checkPorts(config);

  const running = new AsyncDisposableStack();
  try {
    running.defer(takeDataFolder(dataDir));
    const lastChangeAt = lastChangeOf(storeFile(dataDir));
    const { applicationId, isNew, setupToken } = prepareStore(config, log);
    const parts = {
      config,
      log,
      onDeath,
      prices,
      judges,
      lastChangeAt,
      timeouts: { ...HTTP_TIMEOUTS, ...timeouts },
    };
    const { app, authenticateSender, ingest } = await openServer(running, parts);
    const boundPort = await listenHttp(app, config);
    const grpc = await listenGrpc(ingest, { ...parts, authenticate: authenticateSender });
    if (grpc) running.defer(() => grpc.close(FINISH_MS));
    const keyFile = firstKeyFile(dataDir);
    let closing: Promise<void> | undefined;
    return {
      url: config.publicUrl ?? localUrl(host, boundPort),
      port: boundPort,
      grpcPort: grpc?.port ?? null,
      applicationId,
      isFirstStart: isNew,
      setupToken,
      keyFile: existsSync(keyFile) ? keyFile : null,
      close: () => (closing ??= running.disposeAsync()),
    };
  } catch (error) {
    await running.disposeAsync();
    throw error;
  }
}

/** Migrates the store, and creates the first application and its API key in an empty one. */
function prepareStore(config: Config, log: Log): Tenancy & { setupToken: string | null } {
  const { dataDir } = config;
  const migration = migrateFolder(dataDir, { snapshot: true });
  if (migration) log.info('the store was migrated', { ...migration });
  const { tenancy, outdated, setupToken } = withStore(dataDir, (database) => ({
    tenancy: ensureTenancy(database, config, firstKeyFile(dataDir)),
    outdated: outdatedNotice(database),
    setupToken: database.transaction(() =>
      hasUsers(database) ? null : createSetupLink(database, { userId: null, at: Date.now() }),
    ),
  }));
  if (tenancy.warning !== null) log.warn(tenancy.warning);
  const checkout = tenancy.isNew ? checkoutWarning(dataDir) : null;
  if (checkout !== null) log.warn(checkout);
  if (outdated !== null) log.info(outdated);
  return { ...tenancy, setupToken };
}

interface ServerParts {
  config: Config;
  log: Log;
  onDeath: ServeIo['onDeath'];
  prices: ReturnType<typeof readPricesFile>;
  judges: ReturnType<typeof readJudges>;
  /** Time when the store last changed, in Unix milliseconds; null for a new store. */
  lastChangeAt: number | null;
  timeouts: HttpTimeouts;
}

/** Opens all parts of a server. Their closing is deferred to `running`. */
async function openServer(
  running: AsyncDisposableStack,
  parts: ServerParts,
): Promise<BuiltServer & Pick<Ingestion, 'ingest'>> {
  const { config, log, judges, timeouts } = parts;
  const now = Date.now;
  const traceFeed = new TraceFeed();
  const { client, ...outbound } = openOutbound(config, log);
  const { storage, budget, pools, metrics, ingest, masking } = openIngestion(running, parts, {
    feed: traceFeed,
    secretBox: outbound.secretBox,
  });
  const { read, write } = storage;
  const stats = (): ReturnType<typeof storage.stats> => storage.stats();
  const sealed = withStore(config.dataDir, (database) => sealedElsewhereWarning(database, config));
  if (sealed !== null) log.warn(sealed);
  const stop = new AbortController();
  running.defer(() => stop.abort());
  const relay = new Relay();
  const sending = {
    clientFor: (application: number): GuardedClient => relay.clientFor(application) ?? client,
    storeSpan: ingest.storeOwn,
    masking,
  };
  const background = await openBackground(running, parts, {
    storage,
    metrics,
    client,
    ...outbound,
    ...sending,
  });
  const watch = watchStore({ dataDir: config.dataDir, stats, log });
  running.defer(() => watch.stop());
  watchDaysLeft(metrics, config.dataDir, () => background.retention.growth());
  const exampleData = new ExampleData({
    read,
    write,
    now,
    log,
    relay,
    secretBox: outbound.secretBox,
    storeSpans: ingest.storeOwn,
    webhookTimeoutMs: config.webhookTimeoutMs,
    wake: () => background.wake(),
  });
  running.defer(() => exampleData.stop());
  const connections = new Connections({ timeouts, metrics, log });
  const built = buildServer({
    config,
    pools,
    timeouts,
    connections,
    storage,
    log,
    metrics,
    now,
    relay,
    traceFeed,
    readSystem: systemState({
      dataDir: config.dataDir,
      read,
      stats,
      growth: () => background.retention.growth(),
      memory: budget,
      pools,
      now,
    }),
    ...outbound,
    ...sending,
    probeEndpoint: createProbe(client, (application) => relay.clientFor(application) !== null),
    exampleData,
    onRetentionChanged: () => background.retention.wake(),
    onErasurePending: () => background.erasures.wake(),
    registerIngest: ingest.register,
    stop: stop.signal,
    judges: new Set(judges.judges.map(({ name }) => name)),
    hasPromptModel: judges.promptModel !== null,
    onTriggered: () => background.wake(),
    onCancelled: (testId) => background.cancel(testId),
    checkInputs: background.checkInputs,
  });
  running.defer(() => closeServer(built.app, connections, log));
  return { ...built, ingest };
}

interface BackgroundParts extends Outbound, Pick<Ingestion, 'storage' | 'metrics'> {
  clientFor: (application: number) => GuardedClient;
  storeSpan: IngestReceiver['storeOwn'];
  masking: Masking;
}

/** Starts the work that no request waits for. */
async function openBackground(
  running: AsyncDisposableStack,
  { config, log, judges, lastChangeAt }: ServerParts,
  { storage, metrics, client, secretBox, clientFor, storeSpan, masking }: BackgroundParts,
): Promise<Background> {
  const { read, write, version, isShared } = storage;
  const now = Date.now;
  const secretsOf = async (application: number) => {
    const sealed = await read('webhookSecrets', { application });
    return sealed && unsealSecrets(secretBox, sealed, now());
  };
  const isClockBelieved = createClockGuard({
    now,
    elapsed: () => performance.now(),
    lastKnownAt: lastChangeAt,
    onJump: (jumpMs) =>
      log.warn('the clock jumped; nothing is deleted by age until it was stable for a day', {
        jumpDays: Math.round(jumpMs / 86_400_000),
      }),
  });
  const background = await startBackground({
    isClockBelieved,
    read,
    write,
    version,
    isShared,
    log,
    metrics,
    now,
    client,
    judges: createJudges(judges, { read, write, metrics, now }),
    score: createScore(signedPost({ secretsOf, client, now })),
    promptModel: judges.promptModel && new Judge(judges.promptModel, judges, { read, write, metrics, now }),
    hasPromptModel: judges.promptModel !== null,
    unseal: (webhook) => unsealWebhook(secretBox, webhook, now()),
    settings: config,
    clientFor,
    storeSpan,
    masking,
  });
  running.defer(() => background.stop());
  return background;
}

interface Ingestion {
  storage: Storage<typeof commands, typeof queries>;
  budget: MemoryBudget;
  pools: HttpPools;
  metrics: Metrics;
  ingest: IngestReceiver;
  masking: Masking;
}

/** Opens the store, the memory pools, the metrics and the threads of ingest. */
function openIngestion(
  running: AsyncDisposableStack,
  { config, log, onDeath, prices }: ServerParts,
  { feed, secretBox }: { feed: TraceFeed; secretBox: Outbound['secretBox'] },
): Ingestion {
  const storage: Ingestion['storage'] = openSqliteStorage(storeFile(config.dataDir), onDeath);
  running.defer(() => storage.close());
  const budget = new MemoryBudget(config.memoryBudgetBytes);
  const pools = createPools(budget);
  const metrics = createMetrics({
    storeNumbers: () => storage.stats(),
    jobNumbers: () => storage.read('jobNumbers', undefined),
    memory: budget,
    responseMemory: pools.responseMemory,
    uploads: pools.uploads,
  });
  const { read, write } = storage;
  const masking = new Masking({ read, write, secretBox, metrics, log, now: Date.now });
  const ingest = openIngest({
    connectWriter: () => storage.connectWriter(),
    read: storage.read,
    write: storage.write,
    version: storage.version,
    budget,
    bodies: pools.bodies,
    maxBodyBytes: config.maxBodyBytes,
    prices,
    metrics,
    log,
    onDeath,
    feed,
    masking,
  });
  running.defer(async () => {
    await ingest.close();
    await masking.close();
  });
  return { storage, budget, pools, metrics, ingest, masking };
}

/** Stops accepting requests, and gives those in progress some time to finish. */
async function closeServer(app: FastifyInstance, connections: Connections, log: Log): Promise<void> {
  const late = setTimeout(() => {
    log.warn('requests were aborted because they did not finish in time', { afterMs: FINISH_MS });
    connections.destroyAll();
  }, FINISH_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(late);
    connections.destroyAll();
  }
}
