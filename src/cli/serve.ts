import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { connectionLimit, connectionWarning } from '../config/machine.ts';
import { ExampleDataLoader } from '../example-data/service.ts';
import type { GrpcListener } from '../ingest/grpc/listen.ts';
import { Passwords } from '../people/passwords.ts';
import { logUnavailableOnce } from '../runtime/log-once.ts';
import type { Log } from '../runtime/log.ts';
import { maxOpenFiles } from '../runtime/open-files.ts';
import { buildServer, type BuiltServer } from '../server.ts';
import { Connections } from '../server/connections.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts } from '../server/timeouts.ts';
import type { Storage } from '../storage/storage.ts';
import { createPriceList } from '../traces/prices/price-list.ts';
import { type Background, startBackground } from './background.ts';
import { closeServer, FINISH_MS } from './close-server.ts';
import { databaseOf } from './database.ts';
import { firstKeyFile, storeFile, takeDataFolder, withStoreOf } from './data-folder.ts';
import { readJudges } from './judges-file.ts';
import { localUrl } from './local-url.ts';
import { openParts, type Parts, type Started } from './open-parts.ts';
import { openOwnTraces } from './own-traces.ts';
import { checkPorts, openGrpcPort, listenHttp } from './ports.ts';
import { prepareStore } from './prepare-store.ts';
import { readPricesFile } from './prices-file.ts';
import { sealedElsewhereWarning } from './start-warnings.ts';
import { systemState, watchTimeLeft } from './system-state.ts';
import { lastChangeOf, watchStore } from './watch-store.ts';

/** Milliseconds in which a proxy notices that one of several servers is about to end. */
const STOP_DELAY_MS = 3_000;

export interface ServeIo {
  log: Log;
  /** Called when a thread died, after which the server cannot continue. */
  onDeath: (error: Error) => void;
  /** Environment variables, which contain the API keys of judges. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Replaces some of the default HTTP timeouts. */
  timeouts?: Partial<HttpTimeouts>;
  /** Replaces the default cost of hashing a password: parameter N of scrypt. */
  passwordCost?: number;
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
  storage: Storage;
  /** Finishes accepted requests, then closes everything. */
  close: () => Promise<void>;
}

/** Starts a server. Throws StartupError if it cannot start, and then leaves nothing running. */
export async function startServing(
  given: Config,
  { log, onDeath, env = {}, timeouts, passwordCost }: ServeIo,
): Promise<Running> {
  const config = withinLimits(given, log);
  const { host, dataDir } = config;
  const prices = config.pricesFile === null ? {} : readPricesFile(config.pricesFile);
  const judgesSettings = readJudges(config, env, createPriceList({ file: prices }));
  await checkPorts(config);

  const running = new AsyncDisposableStack();
  try {
    const ownTraces = await openOwnTraces(config, log);
    running.defer(() => ownTraces.close());
    const isFile = databaseOf(config) === null;
    if (isFile) running.defer(takeDataFolder(dataDir));
    const lastChangeAt = isFile ? lastChangeOf(storeFile(dataDir)) : null;
    const { applicationId, isNew, setupToken, organisations } = prepareStore(config, log);
    const opened = await openServer(
      running,
      {
        config,
        log: logUnavailableOnce(log),
        onDeath,
        prices,
        judgesSettings,
        lastChangeAt,
        ownTraces,
        organisations,
      },
      { timeouts: { ...HTTP_TIMEOUTS, ...timeouts }, passwords: new Passwords(passwordCost) },
    );
    const { app, authenticateSender, parts, background, stop, draining } = opened;
    let grpc: GrpcListener | null = null;
    // Both ports at once, so that a stop takes the time of one.
    running.defer(async () => {
      await Promise.all([opened.closeHttp(), grpc?.close(FINISH_MS)]);
    });
    running.defer(() => stop.abort());
    const boundPort = await listenHttp(app, config);
    grpc = await openGrpcPort(parts.ingest, {
      ...parts,
      timeouts: opened.timeouts,
      authenticate: authenticateSender,
    });
    const keyFile = isFile ? firstKeyFile(dataDir) : null;
    let closing: Promise<void> | undefined;
    const stopDelayMs = config.stopDelayMs ?? (isFile ? 0 : STOP_DELAY_MS);
    const shutDown = async (): Promise<void> => {
      draining.abort();
      try {
        // Before the ports are closed: an app may answer its webhook only after this server has stored its spans.
        await Promise.all([background.stop(), sleep(stopDelayMs)]);
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
      keyFile: keyFile !== null && existsSync(keyFile) ? keyFile : null,
      storage: parts.storage,
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

interface OpenedServer extends BuiltServer {
  parts: Parts;
  timeouts: HttpTimeouts;
  background: Background;
  stop: AbortController;
  draining: AbortController;
  closeHttp: () => Promise<void>;
}

/** Opens all parts of a server. Their closing is deferred to `running`, but for that of the ports. */
async function openServer(
  running: AsyncDisposableStack,
  started: Started,
  { timeouts, passwords }: { timeouts: HttpTimeouts; passwords: Passwords },
): Promise<OpenedServer> {
  const { config, log } = started;
  const parts = openParts(running, started);
  const sealed = withStoreOf(config, (database) => sealedElsewhereWarning(database, config));
  if (sealed !== null) log.warn(sealed);
  const stop = new AbortController();
  const draining = new AbortController();
  const background = await startBackground({ ...parts, settings: config });
  running.defer(() => background.stop());
  const readSystem = watchSystem(running, parts, background);
  const exampleData = new ExampleDataLoader({
    ...parts,
    storeSpans: parts.storeSpan,
    webhookTimeoutMs: config.webhookTimeoutMs,
    wake: background.onEnqueued,
  });
  running.defer(() => exampleData.stop());
  const connections = new Connections({ timeouts, metrics: parts.metrics, log });
  const built = buildServer({
    ...parts,
    ...background,
    timeouts,
    passwords,
    connections,
    readSystem,
    exampleData,
    registerIngest: parts.ingest.register,
    stop: stop.signal,
    draining: draining.signal,
  });
  const closeHttp = (): Promise<void> => closeServer(built.app, connections, log);
  return { ...built, parts, timeouts, background, stop, draining, closeHttp };
}

/** Watches the space and the growth of the store. Returns what reads the state of the server. */
function watchSystem(
  running: AsyncDisposableStack,
  { config, log, storage: { stats }, metrics, budget, ...parts }: Parts,
  { growth }: Background,
): ReturnType<typeof systemState> {
  const { maxConnections } = config;
  const dataDir = databaseOf(config) === null ? config.dataDir : null;
  const watch = watchStore({ dataDir, stats, log });
  running.defer(() => watch.stop());
  watchTimeLeft(metrics, dataDir, growth);
  const recentCommitMs = (): number | null => watch.recentCommitMs();
  return systemState({ ...parts, dataDir, maxConnections, stats, growth, memory: budget, recentCommitMs });
}
