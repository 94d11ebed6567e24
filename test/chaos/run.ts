import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import Sqlite from 'better-sqlite3';
import { programWith } from '../support/build.ts';
import { type Neighbour, startNeighbour } from '../support/neighbour.ts';
import { mulberry32 } from '../support/random.ts';
import { startStandInJudge } from '../support/stand-in-judge.ts';
import { Backups } from './backups.ts';
import { openDisk } from './disk.ts';
import { disturb } from './disturbances.ts';
import { Eraser } from './erasures.ts';
import { Importer } from './imports.ts';
import { callUntilDone, insist, send } from './insist.ts';
import { Person } from './person.ts';
import { RawSender, type Target } from './raw-senders.ts';
import { Reader } from './readers.ts';
import { COUNT_OF_SPANS, type Load, report, type Report } from './report.ts';
import { GrpcExporterSender, PackageSender } from './sdk-senders.ts';
import { ChaosServer } from './server.ts';
import { OPEN_TESTS } from './test-balance.ts';
import { TestedApp } from './tested-app.ts';

export interface ChaosOptions {
  /** Time in which the server is disturbed; then everything is finished and counted. */
  seconds: number;
  /** Chooses the disturbances, their order and their lengths. */
  seed: number;
  print: (line: string) => void;
}

/** Something that uses the server until it is stopped, and then finishes what it has begun. */
interface Part {
  run: (stop: AbortSignal, deadline: AbortSignal) => Promise<void>;
}

/** How long everything may take to be finished after the last disturbance: only what hangs reaches it. */
const FINISH_MS = 240_000;
const JUDGE_MS = 200;
const NEIGHBOUR_PAUSE_MS = 50;

/** Runs a server under load, disturbs it, and compares what all parties know at the end. */
export async function runChaos({ seconds, seed, print }: ChaosOptions): Promise<Report> {
  const random = mulberry32(seed);
  const started = performance.now();
  const printEvent = (text: string): void =>
    print(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-chaos-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const disk = openDisk(join(folder, 'disk'));
  cleanup.defer(() => disk.remove());
  const judge = cleanup.use(
    await startStandInJudge(() => ({
      say: { rationale: 'It is.', verdict: 'yes' },
      afterMs: Math.round(Math.random() * JUDGE_MS),
    })),
  );
  const judgesFile = join(folder, 'judges.json');
  const only = { provider: 'openai-compatible', baseUrl: judge.openAi, model: 'stand-in', concurrency: 4 };
  writeFileSync(judgesFile, JSON.stringify({ judges: { only } }));
  const server = await ChaosServer.open({ folder, disk, judgesFile });
  cleanup.defer(() => server.destroy());
  const neighbour = cleanup.use(
    startNeighbour(join(server.dataDir, 'touchstone.db'), COUNT_OF_SPANS, NEIGHBOUR_PAUSE_MS),
  );
  const onExit = (): void => {
    server.destroy();
    disk.remove();
  };
  process.on('exit', onExit);
  cleanup.defer(() => void process.off('exit', onExit));

  const stop = new AbortController();
  const deadline = new AbortController();
  const load = await startLoad(server, { folder, random: mulberry32(seed + 1) }, deadline.signal);
  cleanup.defer(() => load.app.close());
  const running = Promise.all(
    partsOf(load).map(async (part) => {
      await part.run(stop.signal, deadline.signal);
      printEvent(`${nameOf(part)} has ended`);
    }),
  );
  // Awaited below; a failure before that is not unhandled.
  running.catch(() => undefined);
  const disturbed = await disturb({ server, disk, random, print: printEvent }, seconds);
  printEvent('the load ends');
  stop.abort();
  const timer = setTimeout(() => deadline.abort(new Error('the load did not end in time')), FINISH_MS);
  await running;
  await untilTestsEnded(server, load.app);
  printEvent('all tests have ended');
  await untilSeen(server, neighbour);
  clearTimeout(timer);
  const kills = server.starts - 1;
  const how = await server.stop('SIGTERM');
  if (how !== 0) server.faults.push(`SIGTERM ended the server with ${how}`);
  // Otherwise it creates and deletes the log while the files of the folder are read.
  await neighbour.stop();
  printEvent('the server has stopped; its store is compared');
  return report({
    load,
    server,
    kills,
    disturbed,
    verification: verify(server.dataDir),
    judged: judge.requests.length,
    neighbour,
  });
}

const nameOf = (part: Part): string => (part instanceof RawSender ? part.book.sender : part.constructor.name);

const partsOf = ({
  raw,
  package: sdk,
  exporter,
  app,
  reader,
  importer,
  eraser,
  backups,
  person,
}: Load): Part[] => [...raw, sdk, exporter, app, reader, importer, eraser, backups, person];

async function startLoad(
  server: ChaosServer,
  { folder, random }: { folder: string; random: () => number },
  deadline: AbortSignal,
): Promise<Load> {
  const { url, grpcPort, dataDir } = server;
  const call = (path: string, body: unknown, headers = server.headers): Promise<unknown> =>
    callUntilDone(url + path, { headers, body, deadline });
  const newTarget = async (title: string): Promise<Target & { id: string }> => {
    const { data, apiKey } = (await call('/v0/applications', { title, type: 'AGENT' })) as {
      data: { id: string };
      apiKey: { key: string };
    };
    const headers = { 'x-api-key': apiKey.key, 'x-application-id': data.id };
    return { url, grpcPort, headers, id: data.id };
  };
  const [rawTarget, sdkTarget, appTarget, importTarget, erasedTarget] = [
    await newTarget('Raw'),
    await newTarget('Exporters'),
    await newTarget('Tests'),
    await newTarget('Imports'),
    await newTarget('Erasures'),
  ];
  const raw = (['HTTP', 'HTTP', 'gRPC', 'gRPC'] as const).map(
    (transport, index) =>
      new RawSender({
        name: `raw ${transport} ${(index % 2) + 1}`,
        transport,
        target: rawTarget,
        random,
        pauseMs: 80,
      }),
  );
  const books = raw.map(({ book }) => book);
  const deletedTrace = 'dead'.repeat(8);
  const sdk = { target: sdkTarget, random, deletedTrace };
  await deleteTrace(sdkTarget, deletedTrace, deadline);
  return {
    raw,
    package: new PackageSender({ ...sdk, pauseMs: 20 }),
    exporter: new GrpcExporterSender({ ...sdk, pauseMs: 100 }),
    app: await TestedApp.open({ url, headers: appTarget.headers, random, pauseMs: 900 }, deadline),
    reader: new Reader({ url, headers: rawTarget.headers, books, random }),
    importer: await Importer.open({ url, headers: importTarget.headers, random, pauseMs: 700 }, deadline),
    eraser: new Eraser({ url, headers: erasedTarget.headers, random, pauseMs: 400 }),
    backups: new Backups({ dataDir, folder, books, random, pauseMs: 6_000 }),
    person: await Person.open({ url, dataDir, random, pauseMs: 1_500 }, rawTarget.id, deadline),
    applications: { raw: rawTarget.id, sdk: sdkTarget.id },
    deletedSpans: 1,
  };
}

/** Stores a trace of one span and deletes it, so that its later spans are rejected. */
async function deleteTrace({ url, headers }: Target, traceId: string, deadline: AbortSignal): Promise<void> {
  const span = {
    traceId,
    spanId: 'd'.repeat(16),
    name: 'deleted',
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601000000000',
  };
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  await callUntilDone(`${url}/v1/traces`, { headers, body, deadline });
  await insist(async () => {
    const reply = await send(`${url}/v0/traces/${traceId}`, { method: 'DELETE', headers: { ...headers } });
    if (reply === null || reply.status === 503) return 'unavailable';
    if (reply.status !== 204) throw new Error(`the trace was not deleted: ${reply.status}`);
    return 'accepted';
  }, deadline);
}

/** Waits until all tests have ended, at most for `FINISH_MS`. */
async function untilTestsEnded(server: ChaosServer, app: TestedApp): Promise<void> {
  const end = performance.now() + FINISH_MS;
  const database = new Sqlite(join(server.dataDir, 'touchstone.db'), { readonly: true });
  const open = database.prepare(OPEN_TESTS).pluck();
  try {
    while ((app.inProgress > 0 || (open.get() as number) > 0) && performance.now() < end) await delay(250);
  } finally {
    database.close();
  }
}

/** Waits until another program sees what the server has stored last, at most for `FINISH_MS`. */
async function untilSeen(server: ChaosServer, neighbour: Neighbour): Promise<void> {
  const end = performance.now() + FINISH_MS;
  const database = new Sqlite(join(server.dataDir, 'touchstone.db'), { readonly: true });
  const stored = database.prepare(COUNT_OF_SPANS);
  try {
    while (!isDeepStrictEqual(neighbour.last, stored.get()) && performance.now() < end) await delay(50);
  } finally {
    database.close();
  }
}

/** Runs `touchstone verify` over the store; returns what it prints if it finds a fault. */
function verify(dataDir: string): string | null {
  try {
    execFileSync(...programWith(['verify', '--data-dir', dataDir]), { encoding: 'utf8' });
    return null;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `touchstone verify: ${stdout}${stderr}`;
  }
}
