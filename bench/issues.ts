/**
 * Measures what the navigation, the home page and the list of issues read, with 1 000 000 traces, 100 000 tests and reviews, 5 000 issues and
 * 1 000 000 links. Prints the median and the longest of 20 requests each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, quantile } from './load.ts';
import { fillStore } from './read-store.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const MILLION = 1_000_000;
const ROWS: Readonly<Record<string, number>> = {
  trace: MILLION,
  trace_preview: MILLION,
  issue_link: MILLION,
  test: 100_000,
  run: 100_000,
  eval: 200_000,
  human_annotation: 100_000,
  annotation_queue_item: 100_000,
  note: 100_000,
  issue: 5_000,
  annotation_queue: 60,
  definition: 60,
};
const FEW = 1_000;
const REQUESTS = 20;
const PATHS = [
  '/v0/attention',
  '/v0/issues',
  '/v0/issues?status=OPEN&orderBy=lastSeenAt&limit=50',
  '/v0/issues?status=OPEN&orderBy=priority&limit=100',
  '/v0/issues?status=OPEN&orderBy=linkCount&limit=100',
  '/v0/issues?search=977&limit=100',
  '/v0/issues/1',
  '/v0/issues/1/occurrences',
  '/v0/issues/1/evidence',
  '/v0/issues/1/activity',
  '/v0/notes?unassigned=true&limit=100',
];

async function measure({ port, headers }: ServerProcess, url: string): Promise<number[]> {
  const head = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const request = Buffer.from([`GET ${url} HTTP/1.1`, ...head, '', ''].join('\r\n'));
  const { latencies, statuses } = await load(port, Array<Buffer>(REQUESTS).fill(request), 1);
  if (statuses['200'] !== REQUESTS) throw new Error(`${url} was answered ${JSON.stringify(statuses)}`);
  return latencies;
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-issues-'));
try {
  const empty = await startServer(folder);
  await empty.stop();
  fillStore(
    join(folder, 'touchstone.db'),
    String(empty.headers['x-application-id']),
    (table) => ROWS[table] ?? FEW,
  );
  const server = await startServer(folder);
  const rows: Record<string, object> = {};
  for (const path of PATHS) {
    const latencies = await measure(server, path);
    rows[path] = { median: quantile(latencies, 0.5).toFixed(1), longest: Math.max(...latencies).toFixed(1) };
  }
  console.table(rows);
  await server.stop();
} finally {
  rmSync(folder, { recursive: true });
}
