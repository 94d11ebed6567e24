import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load, quantile } from './load.ts';
import { type ReadCase, readCases } from './read-cases.ts';
import { idOf, ROWS } from './read-rows.ts';
import { fillStore } from './read-store.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/**
 * Measures the latency of reads with 100 000 rows of each resource, one request after another: every list in each
 * order and direction and with each filter, its first page and one after 90 000 entries, single records, and reports.
 * npm run bench:read takes about four minutes; npm run bench:read -- --only /v0/evals runs only routes with this in
 * their path; npm run bench:read -- --all prints every case; npm run bench:read -- --data <folder> keeps the store in
 * this folder, or uses it again.
 */
const STORE = 'touchstone.db';
const REQUESTS = 6;
/**
 * Number of repeated requests for cases that missed their target, and the time limit in milliseconds: the machine
 * does other things too.
 */
const REQUESTS_AGAIN = 100;
const TIME_AGAIN = 1_500;
/** Milliseconds at the 99th percentile; searches look at every row, and have none. */
const TARGETS = { one: 50, list: 50, deep: 150, search: Number.POSITIVE_INFINITY };

interface Measured extends ReadCase {
  /** Milliseconds, sorted. */
  latencies: number[];
}

const isOver = ({ kind, latencies }: Measured): boolean => quantile(latencies, 0.99) > TARGETS[kind];

async function measure(server: ServerProcess, url: string, count: number): Promise<number[]> {
  const head = Object.entries({ host: 'localhost', ...server.headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const request = Buffer.from([`GET ${url} HTTP/1.1`, ...head, '', ''].join('\r\n'));
  const { latencies, statuses } = await load(server.port, Array<Buffer>(count).fill(request), 1);
  if (statuses['200'] !== count) throw new Error(`${url} was answered ${JSON.stringify(statuses)}`);
  return latencies;
}

async function measureAll(server: ServerProcess, cases: readonly ReadCase[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const read of cases) measured.push({ ...read, latencies: await measure(server, read.url, REQUESTS) });
  for (const read of measured.filter(isOver)) {
    const count = Math.ceil(TIME_AGAIN / quantile(read.latencies, 0.5));
    read.latencies = await measure(server, read.url, Math.min(count, REQUESTS_AGAIN));
  }
  return measured;
}

const shown = (milliseconds: number): string => milliseconds.toFixed(1);
const slowest = (all: readonly Measured[]): Measured | undefined =>
  all.toSorted((a, b) => quantile(b.latencies, 0.99) - quantile(a.latencies, 0.99))[0];

const KINDS = {
  one: 'one record or report',
  list: 'a page of a list',
  deep: 'after 90 000',
  search: 'a search',
};

function printKinds(measured: readonly Measured[], yardstick: number): void {
  printGroups(
    Map.groupBy(measured, ({ kind }) => KINDS[kind]),
    yardstick,
  );
}

function printRoutes(measured: readonly Measured[], yardstick: number): void {
  printGroups(
    Map.groupBy(measured, ({ route, kind }) => `${route} (${kind})`),
    yardstick,
  );
}

function printGroups(groups: ReadonlyMap<string, readonly Measured[]>, yardstick: number): void {
  console.table(
    Object.fromEntries(
      [...groups].map(([name, reads]) => {
        const latencies = reads.flatMap((read) => read.latencies).sort((a, b) => a - b);
        const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
        const over = reads.filter(isOver).length;
        const row = {
          queries: reads.length,
          p50: shown(p50),
          p99: shown(p99),
          'p50 in tags': shown(p50 / yardstick),
        };
        return [
          name,
          {
            ...row,
            over,
            slowest: slowest(reads)
              ?.url.replace(/^[^?]*\??/, '')
              .slice(0, 80),
          },
        ];
      }),
    ),
  );
}

function printCases(measured: readonly Measured[]): void {
  for (const { url, kind, latencies } of measured)
    console.log(`${shown(quantile(latencies, 0.5))}\t${shown(quantile(latencies, 0.99))}\t${kind}\t${url}`);
}

async function fill(folder: string): Promise<void> {
  const server = await startServer(folder);
  await server.stop();
  const started = performance.now();
  const bytes = fillStore(join(folder, STORE), server.headers['x-application-id'] as string);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${ROWS} rows of each resource: ${(bytes / 2 ** 20).toFixed(0)} MiB, made in ${seconds} s`);
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
});
const folder = options.data ?? mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
try {
  const cases = readCases().filter(({ route }) => route.includes(options.only));
  if (!existsSync(join(folder, STORE))) await fill(folder);
  const server = await startServer(folder);
  try {
    const tag = await measure(server, `/v0/tags/${idOf('tag', 1)}`, 500);
    const yardstick = quantile(tag, 0.5);
    console.log(
      `GET /v0/tags/{id}: p50 ${yardstick.toFixed(2)} ms, p99 ${quantile(tag, 0.99).toFixed(2)} ms\n`,
    );
    const measured = await measureAll(server, cases);
    printRoutes(measured, yardstick);
    printKinds(measured, yardstick);
    const over = measured.filter(isOver);
    printCases(options.all ? measured : over);
    console.log(`${measured.length} queries, ${over.length} over the target`);
    if (over.length > 0) process.exitCode = 1;
  } finally {
    await server.stop();
  }
} finally {
  if (options.data === undefined) rmSync(folder, { recursive: true, force: true });
}
