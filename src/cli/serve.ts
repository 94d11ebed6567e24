import { sealedElsewhereWarning } from './start-warnings.ts';
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { connectionLimit, connectionWarning, memoryDefaults, memoryLimitBytes } from '../config/machine.ts';
import { maxOpenFiles } from '../runtime/open-files.ts';
import type { GuardedClient } from '../deliver/guarded-client.ts';
import { traceClient } from '../deliver/trace-client.ts';
import { createProbe } from '../deliver/probe-endpoint.ts';
import { Relay } from '../deliver/relay.ts';
import { signedPost } from '../deliver/signed-post.ts';
import { unsealSecrets, unsealWebhook } from '../deliver/webhook-seal.ts';
import { Judge } from '../evaluate/judge/judge.ts';
import { createJudges } from '../evaluate/judge/judges.ts';
import { createScore } from '../evaluate/scorer/scorers.ts';
import type { GrpcListener } from '../ingest/grpc/listen.ts';
import { type IngestReceiver, openIngest } from '../ingest/receiver.ts';
import { ExampleDataLoader } from '../example-data/service.ts';
import { jobNumbers } from '../jobs/calls.ts';
import { MaskingService } from '../resources/masking/service.ts';
import { webhookSecrets } from '../resources/validate-webhook/calls.ts';
import type { Log } from '../runtime/log.ts';
import { logUnavailableOnce } from '../runtime/log-once.ts';
import { createClockGuard } from '../runtime/clock-guard.ts';
import { MemoryBudget } from '../runtime/memory-budget.ts';
import type { Organisations } from '../runtime/organisations.ts';
import { createMetrics, type Metrics } from '../runtime/metrics.ts';
import { buildServer, type BuiltServer } from '../server.ts';
import { watchIngestLimits } from '../server/ingest-limits.ts';
import { Connections } from '../server/connections.ts';
import { OrganisationUsage } from '../server/organisation-usage.ts';
import { createPools, type HttpPools } from '../server/pools.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts } from '../server/timeouts.ts';
import { openSqliteStorage } from '../storage/sqlite/client.ts';
import type { Storage } from '../storage/storage.ts';
import { traceStorage } from '../storage/trace-storage.ts';
import { TraceFeed } from '../traces/trace-feed.ts';
import { createPriceList } from '../traces/prices/price-list.ts';
import { type Background, startBackground } from './background.ts';
import { closeServer, FINISH_MS } from './close-server.ts';
import { firstKeyFile, storeFile, takeDataFolder, withStore } from './data-folder.ts';
import { findSnapshots } from './find-snapshots.ts';
import { readJudges } from './judges-file.ts';
import { localUrl } from './local-url.ts';
import { openOutbound, type Outbound } from './outbound.ts';
import { openOwnTraces, type OpenedTraces } from './own-traces.ts';
import { checkPorts, openGrpcPort, listenHttp } from './ports.ts';
import { prepareStore } from './prepare-store.ts';
import { readPricesFile } from './prices-file.ts';
import { lastChangeOf, watchStore } from './watch-store.ts';
import { systemState, watchTimeLeft } from './system-state.ts';

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
  /** The open store. */
  storage: Ingestion['storage'];
  /** Finishes accepted requests, then closes everything. */
  close: () => Promise<void>;
}

/** Starts a server. Throws StartupError if it cannot start, and then leaves nothing running. */
export async function startServing(
  given: Config,
  { log, onDeath, env = {}, timeouts }: ServeIo,
): Promise<Running> {
  const config = withinLimits(given, log);
  const { host, dataDir } = config;
  const prices = config.pricesFile === null ? {} : readPricesFile(config.pricesFile);
  const judges = readJudges(config, env, createPriceList(prices));
  await checkPorts(config);

  const running = new AsyncDisposableStack();
  try {
    const ownTraces = await openOwnTraces(config, log);
    running.defer(() => ownTraces.close());
    running.defer(takeDataFolder(dataDir));
    const lastChangeAt = lastChangeOf(storeFile(dataDir));
    const { applicationId, isNew, setupToken, organisations } = prepareStore(config, log);
    const parts = {
      config,
      log: logUnavailableOnce(log),
      onDeath,
      prices,
      judges,
      lastChangeAt,
      ownTraces,
      organisations,
      timeouts: { ...HTTP_TIMEOUTS, ...timeouts },
    };
    const opened = await openServer(running, parts);
    const { app, authenticateSender, ingest, background, storage, stop } = opened;
    let grpc: GrpcListener | null = null;
    // Both ports at once, so that a stop takes the time of one.
    running.defer(async () => {
      await Promise.all([opened.closeHttp(), grpc?.close(FINISH_MS)]);
    });
    running.defer(() => stop.abort());
    const boundPort = await listenHttp(app, config);
    grpc = await openGrpcPort(ingest, { ...parts, authenticate: authenticateSender });
    const keyFile = firstKeyFile(dataDir);
    let closing: Promise<void> | undefined;
    const shutDown = async (): Promise<void> => {
      try {
        // Before the ports are closed: an app may answer its webhook only after this server has stored its spans.
        await background.stop();
      } finally {
        await running.disposeAsync();
      }
    };
    return {
      url: config.publicUrl ?? localUrl(host, boundPort),
      port: boundPort,
      grpcPort: grpc?.port ?? null,
      applicationId,
      isFirstStart: isNew,
      setupToken,
      keyFile: existsSync(keyFile) ? keyFile : null,
      storage,
      close: () => (closing ??= shutDown()),
    };
  } catch (error) {
    await running.disposeAsync();
    throw error;
  }
}

/** Lowers the number of connections to what the system allows, with a warning. */
function withinLimits(config: Config, log: Log): Config {
  const { maxConnections } = config;
  const files = maxOpenFiles();
  const warning = connectionWarning(maxConnections, files);
  if (warning !== null) log.warn(warning);
  return { ...config, maxConnections: connectionLimit(maxConnections, files) };
}

interface ServerParts {
  config: Config;
  log: Log;
  onDeath: ServeIo['onDeath'];
  prices: ReturnType<typeof readPricesFile>;
  judges: ReturnType<typeof readJudges>;
  /** Time when the store last changed, in Unix milliseconds; null for a new store. */
  lastChangeAt: number | null;
  ownTraces: OpenedTraces;
  organisations: Organisations;
  timeouts: HttpTimeouts;
}

interface OpenedServer extends BuiltServer, Pick<Ingestion, 'ingest' | 'storage'> {
  background: Background;
  stop: AbortController;
  closeHttp: () => Promise<void>;
}

/** Opens all parts of a server. Their closing is deferred to `running`, but for that of the ports. */
async function openServer(running: AsyncDisposableStack, parts: ServerParts): Promise<OpenedServer> {
  const { config, log, judges, timeouts } = parts;
  const { traces } = parts.ownTraces;
  const traceFeed = new TraceFeed();
  const { client: untraced, ...outbound } = openOutbound(config, log);
  const traced = (client: GuardedClient): GuardedClient =>
    traces.isOn ? traceClient(client, traces) : client;
  const client = traced(untraced);
  const ingestion = openIngestion(running, parts, { feed: traceFeed, secretBox: outbound.secretBox });
  const { storage, pools, metrics, ingest, masking } = ingestion;
  const sealed = withStore(config.dataDir, (database) => sealedElsewhereWarning(database, config));
  if (sealed !== null) log.warn(sealed);
  const stop = new AbortController();
  const relay = new Relay();
  const sending = {
    clientFor: (application: number): GuardedClient => traced(relay.clientFor(application) ?? untraced),
    storeSpan: ingest.storeOwn,
    masking,
  };
  const background = await openBackground(running, parts, { ...ingestion, client, ...outbound, ...sending });
  const readSystem = watchSystem(running, parts, ingestion, background);
  const { secretBox } = outbound;
  const wake = (): void => background.wake();
  const exampleParts = { storage, relay, secretBox, storeSpans: ingest.storeOwn, wake };
  const exampleData = openExampleData(running, parts, exampleParts);
  const connections = new Connections({ timeouts, metrics, log });
  const built = buildServer({
    config,
    organisations: parts.organisations,
    usage: ingestion.usage,
    pools,
    timeouts,
    connections,
    storage,
    log,
    metrics,
    traces,
    now: Date.now,
    relay,
    traceFeed,
    readSystem,
    ...outbound,
    ...sending,
    ...noticesTo(background),
    findSnapshots: () => findSnapshots(config.dataDir),
    probeEndpoint: createProbe(client, (application) => relay.clientFor(application) !== null),
    exampleData,
    registerIngest: ingest.register,
    stop: stop.signal,
    judges: new Set(judges.judges.map(({ name }) => name)),
    hasPromptModel: judges.promptModel !== null,
    checkInputs: background.checkInputs,
  });
  const closeHttp = (): Promise<void> => closeServer(built.app, connections, log);
  return { ...built, ingest, background, storage, stop, closeHttp };
}

/** Returns the calls by which routes report what background work must do. */
const noticesTo = (background: Background) => ({
  onEnqueued: () => background.wake(),
  onCancelled: (testId: string) => background.cancel(testId),
  onRetentionChanged: () => background.retention.wake(),
  onErasurePending: () => background.erasures.wake(),
});

/** Watches the space and the growth of the store. Returns what reads the state of the server. */
function watchSystem(
  running: AsyncDisposableStack,
  { config: { dataDir, maxConnections }, log }: ServerParts,
  { storage, metrics, budget, pools }: Ingestion,
  { retention }: Background,
): ReturnType<typeof systemState> {
  const { read } = storage;
  const stats = (): ReturnType<typeof storage.stats> => storage.stats();
  const growth = (): ReturnType<typeof retention.growth> => retention.growth();
  const watch = watchStore({ dataDir, stats, log });
  running.defer(() => watch.stop());
  watchTimeLeft(metrics, dataDir, growth);
  const recentCommitMs = (): number | null => watch.recentCommitMs();
  const readNow = { dataDir, read, stats, growth, memory: budget, pools, now: Date.now };
  return systemState({ ...readNow, recentCommitMs, maxConnections });
}

type ExampleDataParts = Pick<Ingestion, 'storage'> &
  Pick<ConstructorParameters<typeof ExampleDataLoader>[0], 'relay' | 'secretBox' | 'storeSpans' | 'wake'>;

function openExampleData(
  running: AsyncDisposableStack,
  { config: { webhookTimeoutMs }, log }: ServerParts,
  { storage: { read, write }, ...parts }: ExampleDataParts,
): ExampleDataLoader {
  const exampleData = new ExampleDataLoader({ ...parts, read, write, log, webhookTimeoutMs, now: Date.now });
  running.defer(() => exampleData.stop());
  return exampleData;
}

interface BackgroundParts extends Outbound, Pick<Ingestion, 'storage' | 'metrics' | 'usage'> {
  clientFor: (application: number) => GuardedClient;
  storeSpan: IngestReceiver['storeOwn'];
  masking: MaskingService;
}

/** Starts the work that no request waits for. */
async function openBackground(
  running: AsyncDisposableStack,
  { config, log, judges, lastChangeAt, ownTraces, organisations }: ServerParts,
  { storage, metrics, usage, client, secretBox, clientFor, storeSpan, masking }: BackgroundParts,
): Promise<Background> {
  const { read, write, version, isShared } = storage;
  const { traces } = ownTraces;
  const now = Date.now;
  const judging = {
    read,
    write,
    metrics,
    traces,
    now,
    ...usage.ofJudges,
  };
  const secretsOf = async (application: number) => {
    const sealed = await read(webhookSecrets, { application });
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
    organisations,
    read,
    write,
    emptyLog: () => storage.emptyLog(),
    findSnapshots: () => findSnapshots(config.dataDir),
    version,
    isShared,
    log,
    metrics,
    traces,
    now,
    client,
    judges: createJudges(judges, judging),
    score: createScore(signedPost({ secretsOf, client, now })),
    promptModel: judges.promptModel && new Judge(judges.promptModel, judges, judging),
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
  storage: Storage;
  budget: MemoryBudget;
  pools: HttpPools;
  metrics: Metrics;
  usage: OrganisationUsage;
  ingest: IngestReceiver;
  masking: MaskingService;
}

/** Opens the store, the memory pools, the metrics and the threads of ingest. */
function openIngestion(
  running: AsyncDisposableStack,
  { config, log, onDeath, prices, ownTraces: { traces, numbers }, organisations }: ServerParts,
  { feed, secretBox }: { feed: TraceFeed; secretBox: Outbound['secretBox'] },
): Ingestion {
  const untraced: Ingestion['storage'] = openSqliteStorage(storeFile(config.dataDir), onDeath, organisations);
  const storage = traces.isOn ? traceStorage(untraced, traces, 'sqlite') : untraced;
  running.defer(() => storage.close());
  const budget = new MemoryBudget(config.memoryBudgetBytes);
  const pools = createPools(budget, memoryDefaults(memoryLimitBytes()).responseBytes, {
    groupOf: organisations.groupOf,
    ...(config.organisationUploads !== null && { uploads: config.organisationUploads }),
  });
  const { read, write } = storage;
  const usage = new OrganisationUsage({ config, organisations, pools, read, now: Date.now });
  const metrics = createMetrics({
    storeNumbers: () => storage.stats(),
    jobNumbers: () => storage.read(jobNumbers, undefined),
    ownSpans: numbers,
    memory: budget,
    responseMemory: pools.responseMemory,
    uploads: pools.uploads,
    organisations: usage,
  });
  const masking = new MaskingService({ read, write, secretBox, metrics, log, now: Date.now });
  const watched = { config, read, write, version: storage.version, organisations, log };
  const limits = watchIngestLimits({ ...watched, decoding: usage.decoding });
  running.defer(() => limits.stop());
  const ingest = openIngest({
    connectWriter: () => storage.connectWriter(),
    read: storage.read,
    write: storage.write,
    version: storage.version,
    budget,
    bodies: pools.bodies,
    maxBodyBytes: config.maxBodyBytes,
    prepareThreads: config.prepareThreads,
    prices,
    metrics,
    traces,
    log,
    onDeath,
    feed,
    organisations,
    admit: limits.admit,
    masking,
  });
  running.defer(async () => {
    await ingest.close();
    await masking.close();
  });
  return { storage, budget, pools, metrics, usage, ingest, masking };
}
