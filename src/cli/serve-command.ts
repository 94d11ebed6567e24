import { readFileSync, rmSync } from 'node:fs';
import { type Config, readConfig, SETTING_FLAGS } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { errorCode, StartupError } from '../errors.ts';
import { hasUsers } from '../people/calls.ts';
import { collectAfterStart } from '../runtime/garbage.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { serviceManager } from '../runtime/service-manager.ts';
import { type ShownKey, type FirstUser, welcome } from './banner.ts';
import { addressFile, setupLinkFile } from './data-folder.ts';
import { databaseOf } from './database.ts';
import { folderFailure } from './failure.ts';
import type { Io } from './io.ts';
import { StoreLostError } from '../storage/sqlite/store-hold.ts';
import { type Running, startServing } from './serve.ts';
import { removeAfterUse } from './setup-link.ts';
import { plainHttpWarning, sharedFolderWarning } from './start-warnings.ts';
import { programVersion } from './version.ts';
import { writeSecret } from './write-secret.ts';

/** Interval in which repeated signals count as one: npm and a terminal may each deliver the same signal. */
const SAME_SIGNAL_MS = 2_000;

/** Runs the server until a signal ends it. */
export async function serve(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, { values: SETTING_FLAGS });
  if (words[0] !== undefined) throw new StartupError(`serve takes no "${words[0].slice(0, 80)}".`);
  const { config, warnings } = readConfig(flags, io.env);
  const log = createLog({ level: config.logLevel, write: io.out, forPeople: io.isTerminal });
  for (const warning of warnings) log.warn(warning);
  const die = (message: string) => (error: unknown) => {
    log.error(message, { error, advice: adviceOnDeath(error) });
    process.exit(1);
  };
  const onUnexpected = die('the server stops after an unexpected error');
  process.on('uncaughtException', onUnexpected);
  const signals = nextSignal();
  let running: Running;
  try {
    running = await startServing(config, {
      log,
      env: io.env,
      onDeath: (error) =>
        error instanceof StoreLostError
          ? endAtOnce(log, error)
          : die('the server stops because one of its threads ended')(error),
    });
  } catch (error) {
    // A process that tried to serve, and does something else now, does not end by the rules of a server.
    process.off('uncaughtException', onUnexpected);
    signals.ignore();
    throw error;
  }
  const isFile = databaseOf(config) === null;
  const shared = isFile ? sharedFolderWarning(config.dataDir) : null;
  if (shared !== null) log.warn(shared);
  const address = addressFile(config.dataDir);
  const link = setupLinkFile(config.dataDir);
  try {
    if (isFile) {
      writeSecret(address, `${running.url}\n`);
      rmSync(link, { force: true });
    }
    greet(running, config, io, log);
  } catch (error) {
    // Its threads would keep the process running, without a server that is ready.
    await running.close();
    throw folderFailure(error, config.dataDir);
  }
  const linkRemoval = isFile ? removeAfterUse(link, () => running.storage.read(hasUsers, undefined)) : null;
  const exposed = plainHttpWarning(config, running.port);
  if (exposed !== null) log.warn(exposed);
  const { url, grpcPort, applicationId } = running;
  collectAfterStart();
  log.info('listening', { url, applicationId, version: programVersion(), grpcPort });
  const manager = serviceManager(io.env, log);
  manager.ready();
  manager.watch(() => running.storage.stats());

  const signal = await signals.first;
  log.info('stopping', { signal });
  manager.stopping();
  linkRemoval?.stop();
  if (isFile) rmSync(address, { force: true });
  await running.close();
  log.info('stopped');
}

/**
 * Ends the process without closing a connection, which would copy and delete the log of a store that may be another's by
 * now. Nothing is lost: what was acknowledged is in the store, and all else was not acknowledged.
 */
function endAtOnce(log: Log, { message }: StoreLostError): void {
  log.error('the server stops because its store was taken from it', {
    reason: message,
    advice:
      'Start the server again; what was acknowledged is in the store. Find out what moved, deleted or replaced files in the data folder, or opened them over a network file system without locks.',
  });
  process.kill(process.pid, 'SIGKILL');
}

/** Says what to do about the end of a thread; undefined if only its error tells. */
const adviceOnDeath = (error: unknown): string | undefined =>
  errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'Start the server again; nothing that was acknowledged is lost. If this repeats, raise its memory limit, or send smaller batches.'
    : undefined;

/**
 * Prints how to use the server: on a terminal at each start, elsewhere at the first one only, so that later logs stay
 * JSON.
 */
function greet(running: Running, config: Config, io: Io, log: Log): void {
  const { bootstrapApiKey, dataDir } = config;
  const { url, grpcPort, applicationId, isFirstStart } = running;
  if (!io.isTerminal && !isFirstStart) return;
  const isPreset = bootstrapApiKey !== null;
  const isFile = databaseOf(config) === null;
  if (!isFile && !io.isTerminal && running.setupToken !== null)
    log.info('there is no user yet; `touchstone users link` prints the link for the first one');
  const setup = isFile || io.isTerminal ? firstUser(running, dataDir, io.isTerminal) : null;
  let { keyFile } = running;
  let key: ShownKey | null = null;
  if (isFirstStart && isPreset) key = { preset: true };
  else if (isFirstStart && keyFile !== null) key = { file: keyFile };
  // On a terminal the user sees the key, so no copy is left in a file.
  if (isFirstStart && io.isTerminal && key && 'file' in key) {
    const text = readFileSync(key.file, 'utf8').trim();
    rmSync(key.file);
    [key, keyFile] = [{ text }, null];
  }
  try {
    io.out(
      welcome({
        version: programVersion(),
        url,
        grpcPort,
        applicationId,
        setup,
        key,
        keyFile,
        program: io.program,
      }),
    );
  } catch (error) {
    log.warn('the start-up information could not be printed', { error });
  }
}

/** Returns the link for the first user, or writes it to a file where no person looks at the output. */
function firstUser({ url, setupToken }: Running, dataDir: string, isTerminal: boolean): FirstUser | null {
  if (setupToken === null) return null;
  const link = `${url}/#setup=${setupToken}`;
  if (isTerminal) return { link };
  const file = setupLinkFile(dataDir);
  writeSecret(file, `${link}\n`);
  return { file };
}

/**
 * Waits for the first SIGTERM or SIGINT. A second one, unless it arrives together with the first, ends the process at
 * once.
 */
function nextSignal(): { first: Promise<NodeJS.Signals>; ignore: () => void } {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    since ??= performance.now();
    if (performance.now() - since > SAME_SIGNAL_MS) process.exit(1);
    resolve(signal);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return { first: promise, ignore: () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal) };
}
