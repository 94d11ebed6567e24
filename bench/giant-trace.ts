import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { round } from './ingest-report.ts';
import { load, quantile } from './load.ts';
import { protobufBody, requestOf } from './payloads.ts';
import { cpuBetween, cpuTime } from './process-cpu.ts';
import { seededBytes, seededRandom } from './seeded.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { makeTemplates, type SpanTemplate } from './span-templates.ts';

/**
 * CPU time of the server, and latency, of each way to read a trace of 100 002 spans: the span index and one span beside the
 * JSON of the same trace, in one run.
 *
 *   npm run bench:giant-trace                 about two minutes
 *   npm run bench:giant-trace -- --only span  only cases with this in their name
 *   npm run bench:giant-trace -- --check      fails when a goal is missed
 */
const SPANS = 100_002;
/** Children of each agent; every further agent is a child of the one before it. */
const FAN_OUT = 3_000;
const ORPHANS = 40;
const SPANS_PER_REQUEST = 2_000;
const BETWEEN_SPANS_NS = 50_000n;
const START_NS = 1_780_000_000_000_000_000n;
/** Goals in CPU milliseconds of one call. */
const GOALS: Readonly<Record<string, number>> = { 'span index': 60, 'one span': 5 };

interface Case {
  name: string;
  path: (i: number) => string;
  calls: number;
  warmUp: number;
}

interface GiantTrace {
  traceId: Buffer;
  spanIds: Buffer[];
  bodies: Buffer[];
}

function makeTrace(): GiantTrace {
  const random = seededRandom(7);
  const templates = makeTemplates('protobuf', false, 7);
  const traceId = seededBytes(random, 16);
  const spanIds = Array.from({ length: SPANS }, () => seededBytes(random, 8));
  const spans = spanIds.map((spanId, i) => {
    const agent = Math.floor(i / FAN_OUT) * FAN_OUT;
    const isAgent = i === agent;
    const parent = isAgent ? Math.max(0, agent - FAN_OUT) : agent;
    const template = isAgent ? templates.roots[0] : templates.children[i % templates.children.length];
    const parentId = i >= SPANS - ORPHANS ? seededBytes(random, 8) : (spanIds[parent] as Buffer);
    const startNs = START_NS + BigInt(i) * BETWEEN_SPANS_NS;
    // Agents below the first have parents too, which the template of a root has no place for.
    const used = isAgent && i > 0 ? templates.children[1] : template;
    return (used as SpanTemplate).encode({
      traceId,
      spanId,
      parentId,
      startNs,
      session: 0,
      user: 0,
      testId: '',
    });
  });
  const bodies: Buffer[] = [];
  for (let from = 0; from < SPANS; from += SPANS_PER_REQUEST)
    bodies.push(protobufBody(templates, spans.slice(from, from + SPANS_PER_REQUEST)));
  return { traceId, spanIds, bodies };
}

async function store(server: ServerProcess, { bodies }: GiantTrace): Promise<void> {
  const options = { format: 'protobuf', gzip: false } as const;
  const requests = bodies.map((body) => requestOf(body, options, server.headers));
  const { statuses } = await load(server.port, requests, 4);
  if (statuses['200'] !== requests.length) throw new Error(`responses: ${JSON.stringify(statuses)}`);
  await settled(server);
}

/** Waits until the blocks of the trace have been merged, which begins when it has been quiet for 30 seconds. */
async function settled({ pid }: ServerProcess): Promise<void> {
  await delay(35_000);
  for (let waits = 0; waits < 30; waits++) {
    const before = cpuTime(pid);
    await delay(2_000);
    if (cpuBetween(before, cpuTime(pid)).total < 0.1) return;
  }
}

async function measure(
  server: ServerProcess,
  { path, calls, warmUp }: Case,
): Promise<Record<string, number>> {
  const request = (i: number): Buffer => {
    const head = Object.entries({ host: 'localhost', ...server.headers }).map(
      ([key, value]) => `${key}: ${value}`,
    );
    return Buffer.from([`GET ${path(i)} HTTP/1.1`, ...head, '', ''].join('\r\n'));
  };
  const send = (count: number, first: number) =>
    load(
      server.port,
      Array.from({ length: count }, (_, i) => request(first + i)),
      1,
    );
  await send(warmUp, 0);
  const before = cpuTime(server.pid);
  const { latencies, statuses } = await send(calls, warmUp);
  const cpu = cpuBetween(before, cpuTime(server.pid));
  if (statuses['200'] !== calls) throw new Error(`responses of ${path(0)}: ${JSON.stringify(statuses)}`);
  return {
    'CPU ms a call': round((cpu.total * 1_000) / calls, 1),
    'p50 ms': round(quantile(latencies, 0.5), 1),
    'p99 ms': round(quantile(latencies, 0.99), 1),
  };
}

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-giant-'));
  const server = await startServer(join(folder, 'data'));
  try {
    const trace = makeTrace();
    await store(server, trace);
    const at = `/v0/traces/${trace.traceId.toString('hex')}`;
    const spanAt = (i: number): string =>
      `${at}/spans/${trace.spanIds[(i * 7_919) % SPANS]?.toString('hex')}`;
    const cases: Case[] = [
      { name: 'span index', path: () => `${at}/span-index`, calls: 50, warmUp: 20 },
      { name: 'one span', path: spanAt, calls: 400, warmUp: 100 },
      { name: 'trace without steps', path: () => `${at}?steps=false`, calls: 200, warmUp: 50 },
      { name: 'trace as JSON', path: () => at, calls: 5, warmUp: 1 },
      { name: 'spans as JSON', path: () => `${at}/spans?limit=100000`, calls: 5, warmUp: 1 },
    ];
    const rows: Record<string, Record<string, number>> = {};
    const only = process.argv[process.argv.indexOf('--only') + 1] ?? '';
    const chosen = cases.filter(({ name }) => !process.argv.includes('--only') || name.includes(only));
    for (const one of chosen) rows[one.name] = await measure(server, one);
    console.table(rows);
    const missed = Object.entries(GOALS).filter(
      ([name, goal]) => !((rows[name]?.['CPU ms a call'] ?? NaN) <= goal),
    );
    for (const [name, goal] of missed) console.log(`${name}: more than ${goal} ms of CPU`);
    if (process.argv.includes('--check') && missed.length > 0) process.exitCode = 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await run();
