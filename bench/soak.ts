/**
 * Sends at half of the full speed for half an hour, beside small writes, reads and evaluations, and prints each minute what may
 * grow: memory, write-ahead log, latencies. At the end it prints a table and a verdict, and exits with 1 if something grew.
 *
 *   npm run soak                        thirty minutes
 *   npm run soak -- --minutes 8         shorter
 *   npm run soak -- --share 1           at full speed
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type BesideThread, openBeside } from './beside.ts';
import { send } from './ingest-row.ts';
import { ingestRows, type Row } from './ingest-rows.ts';
import { quantile } from './load.ts';
import { SpanSource } from './payloads.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { lineOf, type Minute, tableOf, verdictsOf } from './soak-report.ts';

const ROW = '8 spans, rich, 512 a request, empty';
const FULL_SPEED_SECONDS = 20;
const MINUTE_MS = 60_000;
/** Spans of one pace step; the sender pauses after each until its share of the time is used. */
const STEP_SPANS = 8_192;
const MIB = 2 ** 20;

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, share: { type: 'string', default: '0.5' } },
});
const [minutes, share] = [Number(options.minutes), Number(options.share)];
if (!Number.isInteger(minutes) || minutes < 3)
  throw new Error(`--minutes must be a whole number from 3; got ${options.minutes}.`);
if (!(share > 0 && share <= 1))
  throw new Error(`--share must be above 0 and at most 1; got ${options.share}.`);

interface Load {
  server: ServerProcess;
  source: SpanSource;
  row: Row;
  dataDir: string;
  threadsFolder: string;
  beside: BesideThread;
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-soak-'));
// The server inherits them: tests are soon complete, so that there is something to judge.
Object.assign(process.env, { TOUCHSTONE_QUIET_MS: '50', TOUCHSTONE_ORPHAN_QUIET_MS: '50' });
try {
  process.exitCode = await soak();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function soak(): Promise<number> {
  const load = await openLoad();
  const fullSpeed = await fullSpeedOf(load);
  const spansPerSecond = Math.round(fullSpeed * share);
  console.log(
    `full speed ${Math.round(fullSpeed)} spans/s; sends ${spansPerSecond} spans/s for ${minutes} minutes`,
  );
  load.beside.start();
  const measured: Minute[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    measured.push(await measureMinute(load, minute, spansPerSecond));
    console.log(lineOf(measured.at(-1) as Minute));
  }
  await load.beside.stop();
  await load.server.stop();
  console.log(`\n${tableOf(measured)}\n`);
  const verdicts = verdictsOf(measured);
  for (const { isGood, text } of verdicts) console.log(`${isGood ? '✓' : '✗'} ${text}`);
  return verdicts.every(({ isGood }) => isGood) ? 0 : 1;
}

async function openLoad(): Promise<Load> {
  const [dataDir, threadsFolder] = [join(folder, 'data'), join(folder, 'threads')];
  mkdirSync(threadsFolder);
  const row = ingestRows(false).find(({ name }) => name === ROW) as Row;
  const source = new SpanSource(row, row.format, 1);
  const server = await startServer(dataDir, 'src/main.ts', {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'thread-watch.mjs')).href}`,
    BENCH_THREADS_FOLDER: threadsFolder,
  });
  await send(server, source, row, STEP_SPANS, Number.POSITIVE_INFINITY);
  const { port, headers } = server;
  const beside = await openBeside({ port, headers, dataDir, traceId: source.lastTraceId });
  return { server, source, row, dataDir, threadsFolder, beside };
}

/** Returns the spans a second of the server alone. The sender makes its requests before, so as not to count them. */
async function fullSpeedOf({ server, source, row }: Load): Promise<number> {
  let [spans, seconds] = [0, 0];
  while (seconds < FULL_SPEED_SECONDS) {
    const sent = await send(server, source, row, row.spans, FULL_SPEED_SECONDS);
    spans += sent.spans;
    seconds += sent.result.seconds;
  }
  return spans / seconds;
}

async function measureMinute(load: Load, minute: number, spansPerSecond: number): Promise<Minute> {
  const { server, source, row, dataDir, threadsFolder, beside } = load;
  const started = performance.now();
  const before = await countersOf(server);
  let [spans, walBytes] = [0, 0];
  const acknowledged: number[] = [];
  while (performance.now() < started + MINUTE_MS) {
    const sent = await send(server, source, row, STEP_SPANS, Number.POSITIVE_INFINITY);
    spans += sent.spans;
    acknowledged.push(...sent.result.latencies);
    walBytes = Math.max(walBytes, sizeOf(join(dataDir, 'touchstone.db-wal')));
    await delay(Math.max(0, started + (spans / spansPerSecond) * 1_000 - performance.now()));
  }
  const after = await countersOf(server);
  const { writes, lists, failed, failure } = await beside.take();
  if (failure !== null) console.log(`${failed} calls failed beside the load, first: ${failure}`);
  acknowledged.sort((a, b) => a - b);
  return {
    minute,
    spansPerSecond: (spans * 1_000) / (performance.now() - started),
    residentMib: server.memory().now,
    threads: threadsIn(threadsFolder),
    walMib: walBytes / MIB,
    acknowledgeP99Ms: quantile(acknowledged, 0.99),
    writeP50Ms: quantile(writes, 0.5),
    writeP99Ms: quantile(writes, 0.99),
    listP99Ms: quantile(lists, 0.99),
    commitMs: ((after.commitSeconds - before.commitSeconds) * 1_000) / (after.commits - before.commits),
    longestCommitMs: after.longestCommitSeconds * 1_000,
    storeMib: sizeOf(join(dataDir, 'touchstone.db')) / MIB,
    failed,
  };
}

interface Counters {
  commits: number;
  commitSeconds: number;
  /** Longest commit of the server so far. */
  longestCommitSeconds: number;
}

async function countersOf({ port, headers }: ServerProcess): Promise<Counters> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^touchstone_store_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    commits: valueOf('commits_total'),
    commitSeconds: valueOf('commit_seconds_total'),
    longestCommitSeconds: valueOf('longest_commit_seconds'),
  };
}

function threadsIn(path: string): Minute['threads'] {
  return readdirSync(path)
    .filter((file) => file.endsWith('.json'))
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((file) => JSON.parse(readFileSync(join(path, file), 'utf8')) as Minute['threads'][number]);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
