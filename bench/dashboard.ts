/**
 * Speed of the dashboard with a very large trace: time from a click in the list until its rows are painted, main-thread CPU of a
 * frame while scrolling, find, collapse and memory; beside them the list of its spans as JSON, in the same run. Then the results of a
 * run of 100 000 tests with a million evals: pages, orders, filters and lines of filters.
 *
 *   npm run bench:dashboard                    100 000 spans, about a minute
 *   npm run bench:dashboard -- --spans 20000
 *   npm run bench:dashboard -- --only results
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { findChromium } from '../scripts/suite/needs.ts';
import { otelTraceUuid } from '../src/traces/ids.ts';
import { agentTrace } from './agent-trace.ts';
import { cpuBetween, cpuTime } from './process-cpu.ts';
import { measureResultCalls } from './result-calls.ts';
import { startServer } from './server-process.ts';
import { signIn } from './sign-in.ts';

/** Milliseconds: wall time of a click until the rows are painted, and main-thread CPU of a frame. */
const BUDGETS = { paint: 250, frame: 10 };
const FRAMES = 180;
/** 14 400 pixels a second at 60 frames a second. */
const PIXELS_A_FRAME = 240;
const OPENINGS = 5;
/** Pause after which a page has loaded everything. The stream of new traces never ends, so the network is never idle. */
const QUIET_MS = 1_000;

const { values } = parseArgs({
  options: { spans: { type: 'string', default: '100000' }, only: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const server = await startServer(folder, 'dist/main.js');
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
async function send(bodies: readonly object[]): Promise<void> {
  for (const body of bodies) {
    const response = await fetch(`http://127.0.0.1:${server.port}/v1/traces`, {
      method: 'POST',
      headers: { ...server.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST /v1/traces: ${response.status} ${await response.text()}`);
  }
}

type Measurements = Record<string, string | number>;

/** Opens the trace several times from the list. The code of the screen is loaded before. */
async function measureOpening(
  page: Page,
  cdp: CDPSession,
  url: string,
  traceId: string,
): Promise<Measurements> {
  const walls: number[] = [];
  const cpus: number[] = [];
  const serverCpus: number[] = [];
  for (let run = 0; run <= OPENINGS; run++) {
    await page.goto(`${url}/traces`);
    await page.waitForSelector('a[data-open]');
    // The code of the screen loads with the first trace.
    await page.click(`a[data-open]:not([href*="${uuidOf(traceId)}"])`);
    await page.waitForSelector('[role="treegrid"] [role="row"]');
    await page.goBack();
    const link = `a[data-open][href*="${uuidOf(traceId)}"]`;
    await page.waitForSelector(link);
    await page.waitForTimeout(QUIET_MS);
    const before = { server: cpuTime(server.pid), page: await taskMs(cdp) };
    const wall = await page.evaluate<number>(CLICK_TO_PAINT.replace('LINK', JSON.stringify(link)));
    const cpu = (await taskMs(cdp)) - before.page;
    await page.waitForTimeout(QUIET_MS);
    // The first opening compiles code.
    if (run === 0) continue;
    walls.push(wall);
    cpus.push(cpu);
    serverCpus.push(cpuBetween(before.server, cpuTime(server.pid)).total * 1_000);
  }
  return {
    [`click to paint, ms, best (budget ${BUDGETS.paint})`]: round(Math.min(...walls)),
    'click to paint, ms, median': round(median(walls)),
    'browser CPU to paint, ms, median': round(median(cpus)),
    'server CPU of an opening, ms, median': round(median(serverCpus)),
  };
}

const CLICK_TO_PAINT = `new Promise((resolve) => {
  const started = performance.now();
  document.querySelector(LINK).click();
  const look = () => {
    if (document.querySelector('[role="treegrid"] [role="row"]') === null) requestAnimationFrame(look);
    // Two frames later the rows are on the screen.
    else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - started)));
  };
  requestAnimationFrame(look);
})`;

async function measureUse(page: Page, cdp: CDPSession): Promise<Measurements> {
  await page.waitForTimeout(500);
  const scrollBefore = await taskMs(cdp);
  const seconds = await page.evaluate<number>(`new Promise((resolve) => {
    const scroller = document.querySelector('[role="treegrid"]');
    const started = performance.now();
    let frame = 0;
    const step = () => {
      scroller.scrollTop += ${PIXELS_A_FRAME};
      frame += 1;
      if (frame < ${FRAMES}) requestAnimationFrame(step);
      else resolve((performance.now() - started) / 1000);
    };
    requestAnimationFrame(step);
  })`);
  const frame = ((await taskMs(cdp)) - scrollBefore) / FRAMES;
  const find = await cpuOf(cdp, async () => {
    await page.fill('input[type="search"]', 'middleware 5');
    await page.waitForURL(/find=/);
  });
  await page.focus('[role="treegrid"]');
  await page.keyboard.press('Home');
  await page.waitForTimeout(300);
  const collapse = await cpuOf(cdp, () => page.keyboard.press('ArrowLeft'));
  await cdp.send('HeapProfiler.collectGarbage');
  const heap = (await metric(cdp, 'JSHeapUsedSize')) / 1e6;
  return {
    [`main-thread CPU of a frame while scrolling, ms (budget ${BUDGETS.frame})`]: round(frame),
    'frames a second while scrolling': round(FRAMES / seconds),
    'find, CPU ms': round(find),
    'collapse, CPU ms': round(collapse),
    'JS heap, MB': round(heap),
  };
}

/** The same trace as a browser would get it without the span index. */
async function measureJson(page: Page, traceId: string): Promise<Measurements> {
  const before = cpuTime(server.pid);
  const { ms, bytes } = await page.evaluate<{ ms: number; bytes: number }>(`(async () => {
    const started = performance.now();
    const headers = {
      'x-csrf': localStorage.getItem('touchstone.csrf'),
      'x-application-id': ${JSON.stringify(server.headers['x-application-id'])},
    };
    const response = await fetch('/v0/traces/${traceId}/spans?limit=100000', { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    JSON.parse(text);
    return { ms: performance.now() - started, bytes: text.length };
  })()`);
  return {
    'as JSON: call and parsing, ms': round(ms),
    'as JSON: MB': round(bytes / 1e6),
    'as JSON: server CPU, ms': round(cpuBetween(before, cpuTime(server.pid)).total * 1_000),
  };
}

async function cpuOf(cdp: CDPSession, run: () => Promise<unknown>): Promise<number> {
  const before = await taskMs(cdp);
  await run();
  await new Promise((resolve) => setTimeout(resolve, 300));
  return (await taskMs(cdp)) - before;
}

const taskMs = async (cdp: CDPSession): Promise<number> => (await metric(cdp, 'TaskDuration')) * 1_000;

async function metric(cdp: CDPSession, name: string): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
}

const uuidOf = (hex: string): string => otelTraceUuid(Buffer.from(hex, 'hex'));
const round = (value: number): number => Math.round(value * 10) / 10;
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Measures the page of a large trace. */
async function measureTrace(): Promise<Measurements> {
  const url = `http://127.0.0.1:${server.port}`;
  await send(agentTrace({ spans: 200, seed: 2, at: Date.now() - 60_000_000, orphans: 0 }).requests());
  const large = agentTrace({ spans: Number(values.spans), at: Date.now() - 30_000_000 });
  await send(large.requests());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signIn(page, url, server);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    ...(await measureOpening(page, cdp, url, large.otelTraceId)),
    ...(await measureUse(page, cdp)),
    ...(await measureJson(page, large.otelTraceId)),
  };
}

try {
  const rows = {
    ...(values.only === 'results' ? {} : await measureTrace()),
    ...(await measureResultCalls(server, folder)),
  };
  console.table(Object.fromEntries(Object.entries(rows).map(([name, value]) => [name, { value }])));
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
