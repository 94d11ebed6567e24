import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { encodeTracesJson } from '../../src/ingest/otlp/json-to-protobuf.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { effort } from '../support/effort.ts';
import { exportPath, framed, GrpcConnection } from '../support/grpc.ts';
import { readLedger } from '../support/ledger.ts';
import { startNeighbour } from '../support/neighbour.ts';
import { newTraceId } from './otlp-sender.ts';

/** One request that is sent until it is acknowledged, across any number of crashes. */
interface Job {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array<ArrayBuffer>;
  /** `<trace id in hex>/<span id>` of everything it carries; a native trace event has no span id. */
  carries: readonly string[];
}

const KILLS = effort(3);
const SENDERS = 6;
const GRPC_PATH = exportPath('traces');
const FIRST_SPAN_ID = 2n ** 60n;

const folder = mkdtempSync(join(tmpdir(), 'touchstone-crash-'));
const presets = newPresets();
/** Traces that many requests add to, beside those of one request. */
const longTraces = Array.from({ length: 4 }, newTraceId);
let lastSpan = FIRST_SPAN_ID;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('keeps every acknowledged span and event exactly once through kill -9 at any moment', async () => {
  const acknowledged: Job[] = [];
  const unanswered: Job[] = [];
  // Through all starts: another program that opens the file, reads and closes it.
  await using neighbour = startNeighbour(join(folder, 'touchstone.db'), 'SELECT count(*) FROM span', 20);

  for (let kill = 0; kill < KILLS; kill++) {
    const server = await ChildServer.start({ dataDir: folder, presets, env: { TOUCHSTONE_GRPC_PORT: '0' } });
    const stop = new AbortController();
    const sending = Array.from({ length: SENDERS }, async () => {
      while (!stop.signal.aborted) {
        // What an earlier crash left without an answer goes first: its spans may be stored already.
        const job = unanswered.shift() ?? newJob();
        const jobs = (await isAcknowledged(server, job)) ? acknowledged : unanswered;
        jobs.push(job);
      }
    });
    // Now at once, now in the midst of work, however slow the machine is.
    const before = acknowledged.length;
    if (kill % 2) await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 2 * SENDERS);
    await delay(randomInt(20, 400));
    const killed = server.stop('SIGKILL');
    stop.abort();
    await Promise.all([...sending, killed]);
  }

  const server = await ChildServer.start({ dataDir: folder, presets, env: { TOUCHSTONE_GRPC_PORT: '0' } });
  for (const job of unanswered.splice(0)) {
    expect(await isAcknowledged(server, job)).toBe(true);
    acknowledged.push(job);
  }
  const sent = acknowledged.flatMap(({ carries }) => carries).toSorted();
  expect(sent.length).toBeGreaterThan(KILLS * SENDERS);
  expect(await storedIn(server, new Set(sent.map((name) => name.slice(0, 32))))).toEqual(sent);
  const ledger = await readLedger(server);
  expect(ledger.stored, 'as many are called stored as there are').toBe(sent.length);
  expect([ledger.replaced, ledger.rejected]).toEqual([0, 0]);
  await expect.poll(() => neighbour.last).toEqual({ 'count(*)': sent.length });
  await neighbour.stop();
  expect(await server.stop('SIGTERM')).toBe(0);

  const database = new Sqlite(join(folder, 'touchstone.db'), { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.prepare('SELECT count(*) FROM span').pluck().get()).toBe(sent.length);
  expect(database.prepare('SELECT sum(span_count) FROM trace').pluck().get()).toBe(
    sent.filter((name) => !name.endsWith('/')).length,
  );
  database.close();
}, 300_000);

/** A crash before the answer, or on the way, is no answer. */
async function isAcknowledged(server: ChildServer, { path, headers, body }: Job): Promise<boolean> {
  if (path === GRPC_PATH) return isAcknowledgedByGrpc(server, Buffer.from(body));
  try {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { ...server.headers, ...headers },
      body,
    });
    const text = await response.text();
    expect([200, 503], text).toContain(response.status);
    return response.status === 200;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function isAcknowledgedByGrpc(server: ChildServer, message: Buffer): Promise<boolean> {
  const connection = await GrpcConnection.open(server.grpcPort as number).catch(() => null);
  if (!connection) return false;
  const { code } = await connection.call({ headers: server.headers, bytes: framed(message) });
  connection.destroy();
  expect([0, 14, null]).toContain(code);
  return code === 0;
}

function newJob(): Job {
  const kind = randomInt(4);
  if (kind === 0) return eventsJob();
  const job = otlpJob(kind !== 1);
  return kind === 2 ? { ...job, path: GRPC_PATH } : job;
}

function otlpJob(isProtobuf: boolean): Job {
  const carries: string[] = [];
  const ownTraces = [newTraceId(), newTraceId()];
  const spans = Array.from({ length: randomInt(1, 60) }, (_, i) => {
    const traceId = (i % 3 === 0 ? longTraces[randomInt(longTraces.length)] : ownTraces[i % 2]) as string;
    const spanId = (lastSpan += 1n).toString(16);
    carries.push(`${traceId}/${spanId}`);
    return {
      traceId,
      spanId,
      name: `work ${i}`,
      startTimeUnixNano: '1767225600000000000',
      endTimeUnixNano: '1767225601000000000',
      attributes: [{ key: 'input.value', value: { stringValue: 'x'.repeat(randomInt(2_000)) } }],
    };
  });
  const json = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  return {
    path: '/v1/traces',
    headers: { 'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json' },
    body: isProtobuf ? Uint8Array.from(encodeTracesJson(Buffer.from(json))) : json,
    carries,
  };
}

function eventsJob(): Job {
  const traceId = randomUUID();
  const id = (lastSpan += 1n).toString(16);
  const timestamp = '2026-01-01T00:00:00Z';
  const events = [
    { type: 'trace', traceId, timestamp, input: 'question', output: 'answer' },
    { type: 'tool', id, timestamp, toolInput: 'x', toolOutput: 'y' },
  ];
  const hex = traceId.replaceAll('-', '');
  return {
    path: '/v0/ingest',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
    carries: [`${hex}/`, `${hex}/${id}`],
  };
}

/** What the server shows of these traces, in the names of `Job.carries`. */
async function storedIn(server: ChildServer, traceIds: ReadonlySet<string>): Promise<string[]> {
  const names: string[] = [];
  for (const traceId of traceIds) {
    const { status, json } = await server.call('GET', `/v0/traces/${traceId}/spans?limit=100000`);
    expect(status).toBe(200);
    for (const span of (json as { data: { id: string }[] }).data) names.push(`${traceId}/${span.id}`);
    const trace = await server.ok('GET', `/v0/traces/${traceId}`);
    if (trace.data.otelTraceId === undefined && trace.data.output === 'answer') names.push(`${traceId}/`);
  }
  return names.toSorted();
}
