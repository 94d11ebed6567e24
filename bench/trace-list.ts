/**
 * Speed of the list of traces with a million of them: the call of the API alone, and the screen of the dashboard from the click
 * until its rows are painted, in the same run.
 *
 *   npm run bench:trace-list                                 makes the store first, about four minutes
 *   npm run bench:trace-list -- --store ~/bench-stores       keeps the store, or uses it again
 *   npm run bench:trace-list -- --only cost --check          cases with this in their name; fails when the budget is missed
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../scripts/suite/needs.ts';
import { load, quantile } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { signIn } from './sign-in.ts';
import { copyFolder, makeTraceStore } from './trace-store.ts';

/** Milliseconds at the 95th percentile, of the call and of the screen. */
const BUDGET = 150;
/** A screen that shows no row until then never will. */
const LONGEST_MS = 30_000;
const CALLS = 40;
const CLICKS = 20;
/** First clicks, during which the browser compiles the code. */
const WARM_UP = 5;

interface Case {
  name: string;
  /** Query of the API, and of the screen. */
  api: string;
  screen: string;
}

const CASES: readonly Case[] = [
  { name: 'newest first', api: '', screen: '' },
  { name: 'with errors', api: 'hasErrors=true', screen: 'q=errors:yes' },
  { name: 'of a model', api: 'model=gpt-4o-2024-08-06', screen: 'q=model:gpt-4o-2024-08-06' },
  { name: 'over a second', api: 'minDurationMs=1000', screen: 'q=duration:>1s' },
  { name: 'page 200', api: 'skip=10000', screen: 'skip=10000' },
  { name: 'longest first', api: 'orderBy=durationMs', screen: 'sort=-durationMs' },
  { name: 'most expensive first', api: 'orderBy=cost', screen: 'sort=-cost' },
  { name: 'most tokens first', api: 'orderBy=totalTokens', screen: 'sort=-totalTokens' },
  {
    name: 'most expensive with errors',
    api: 'orderBy=cost&hasErrors=true',
    screen: 'sort=-cost&q=errors:yes',
  },
];

const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: '1000000' },
    store: { type: 'string' },
    only: { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));

/** Returns the milliseconds of calls one after another, sorted. */
async function callTimes(server: ServerProcess, query: string): Promise<number[]> {
  const head = Object.entries({ host: 'localhost', ...server.headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const request = Buffer.from([`GET /v0/traces?limit=50&${query} HTTP/1.1`, ...head, '', ''].join('\r\n'));
  const { latencies, statuses } = await load(server.port, Array<Buffer>(CALLS).fill(request), 1);
  if (statuses['200'] !== CALLS) throw new Error(`${query}: responses ${JSON.stringify(statuses)}`);
  return latencies;
}

/** Returns the milliseconds from a click in another screen until the rows are painted, sorted. The code is loaded before. */
async function clickTimes(page: Page, url: string, query: string): Promise<number[]> {
  const times: number[] = [];
  for (let click = 1; click <= WARM_UP + CLICKS; click += 1) {
    // The screen forgets what it has loaded.
    await page.goto(`${url}/tags`);
    await page.waitForSelector('h1');
    const time = await page.evaluate<number>(
      CLICK_TO_ROWS.replace('HREF', JSON.stringify(`/traces?live=off&${query}`)),
    );
    if (click > WARM_UP) times.push(time);
  }
  return times.toSorted((a, b) => a - b);
}

/** The router follows the history of the browser, as it does after a click on a link. */
const CLICK_TO_ROWS = `new Promise((resolve, reject) => {
  const started = performance.now();
  history.pushState({}, '', HREF);
  const look = () => {
    if (performance.now() - started > ${LONGEST_MS}) reject(new Error(HREF + ' shows no rows'));
    else if (document.querySelector('table tbody a[data-open]') === null) requestAnimationFrame(look);
    // Two frames later the rows are on the screen.
    else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - started)));
  };
  requestAnimationFrame(look);
})`;

const round = (value: number): number => Math.round(value * 10) / 10;

async function measure(server: ServerProcess, page: Page): Promise<boolean> {
  const url = `http://127.0.0.1:${server.port}`;
  await signIn(page, url, server);
  const rows: Record<string, Record<string, number>> = {};
  for (const { name, api, screen } of CASES.filter((one) => one.name.includes(values.only))) {
    const [calls, clicks] = [await callTimes(server, api), await clickTimes(page, url, screen)];
    rows[name] = {
      'call p50': round(quantile(calls, 0.5)),
      'call p95': round(quantile(calls, 0.95)),
      'screen p50': round(quantile(clicks, 0.5)),
      'screen p95': round(quantile(clicks, 0.95)),
    };
  }
  console.table(rows);
  const late = Object.entries(rows).filter(([, row]) => (row['screen p95'] ?? Number.NaN) > BUDGET);
  for (const [name] of late) console.log(`${name}: more than ${BUDGET} ms until the rows are painted`);
  return late.length === 0;
}

try {
  const original = join(values.store ?? folder, `traces-${values.traces}`);
  await makeTraceStore(original, Number(values.traces));
  const copy = join(folder, 'copy');
  copyFolder(original, copy);
  const server = await startServer(copy, 'dist/main.js');
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const isInTime = await measure(server, page);
    if (values.check && !isInTime) process.exitCode = 1;
  } finally {
    await browser.close();
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
