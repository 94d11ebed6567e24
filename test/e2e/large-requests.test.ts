import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { readLedger, readMetric } from '../support/ledger.ts';
import { otlpRequest, type SpanSpec } from '../support/spans.ts';

/** The default batch of the OpenTelemetry Collector. */
const SPANS = 8_192;
/** Commits that two requests of so many spans take at least; how long each takes depends on the machine. */
const LEAST_COMMITS = 5;

let folder: string;
let server: ChildServer;
const presets = newPresets();
const start = async (): Promise<void> =>
  void (server = await ChildServer.start({ dataDir: folder, presets }));
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'touchstone-large-'))));
afterAll(async () => {
  await server.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** Spans of a trace each, in sessions that later requests come back to. */
const oneTraceEach = (first: number, count: number): SpanSpec[] =>
  Array.from({ length: count }, (_, i) => ({
    trace: first + i,
    id: 1,
    attributes: { 'session.id': `session ${i % 3_000}`, 'user.id': `user ${i % 50}` },
  }));

const sendTraces = (specs: readonly SpanSpec[]): Promise<Response> =>
  fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    headers: { ...server.headers, 'content-type': 'application/x-protobuf' },
    body: new Uint8Array(otlpRequest(specs)),
  });

const sendEvents = (events: unknown[], key: string): Promise<Response> =>
  fetch(`${server.url}/v0/ingest`, {
    method: 'POST',
    headers: { ...server.headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ events }),
  });

/** Reads the store of a server that is not running. */
function countIn(sql: string): number {
  const database = new Sqlite(join(folder, 'touchstone.db'));
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    return Number(database.prepare(sql).pluck().get());
  } finally {
    database.close();
  }
}

const commits = (): Promise<number> => readMetric(server, 'touchstone_store_commits_total');
/** Resolves once so many more commits than `before` were made, which a request in progress makes. */
async function commitsAfter(before: number): Promise<void> {
  await expect.poll(commits, { interval: 1 }).toBeGreaterThan(before);
}

describe('a large request', () => {
  it('gets 200 on a store of many traces, and small writes at the same time get their responses before it', async () => {
    await start();
    for (let first = 1; first < 2 * SPANS; first += SPANS) {
      expect((await sendTraces(oneTraceEach(first, SPANS))).status).toBe(200);
    }
    const small = async (): Promise<string> => {
      expect((await sendTraces([{ trace: randomUUID().replaceAll('-', ''), id: 1 }])).status).toBe(200);
      return 'small';
    };
    let [answeredBefore, largeCommits] = [0, 0];
    // By the time of the first small one, the large ones may be over; then others are sent.
    for (let turn = 0; turn < 10 && answeredBefore === 0; turn++) {
      const progress = { isAnswered: false };
      let smallCommits = 0;
      const before = await commits();
      const large = Promise.all(
        [0, 1].map((i) => sendTraces(oneTraceEach(1_000_000 + (2 * turn + i) * SPANS, SPANS))),
      ).finally(() => (progress.isAnswered = true));
      await commitsAfter(before);
      while (!progress.isAnswered) {
        await small();
        smallCommits += 1;
        if (!progress.isAnswered) answeredBefore += 1;
      }
      expect((await large).map(({ status }) => status)).toEqual([200, 200]);
      largeCommits = (await commits()) - before - smallCommits;
    }
    expect(answeredBefore).toBeGreaterThan(0);
    expect(largeCommits).toBeGreaterThanOrEqual(LEAST_COMMITS);
    const { received, stored } = await readLedger(server);
    expect(stored).toBe(received);
  });

  it('that is interrupted by kill -9 is stored once when it is sent again', async () => {
    const stored = (await readLedger(server)).stored;
    const specs = oneTraceEach(200_000, SPANS);
    const body = specs.concat(oneTraceEach(300_000, SPANS));
    const before = await commits();
    const cut = sendTraces(body).then(
      ({ status }) => status,
      () => null,
    );
    await commitsAfter(before);
    await server.stop('SIGKILL');
    await cut;
    await start();
    expect((await sendTraces(body)).status).toBe(200);
    const ledger = await readLedger(server);
    expect(ledger.stored).toBe(stored + body.length);
    expect([ledger.replaced, ledger.rejected]).toEqual([0, 0]);
    await server.stop('SIGTERM');
    expect(countIn('SELECT count(*) FROM span')).toBe(ledger.stored);
    expect(countIn('SELECT sum(span_count) FROM trace')).toBe(ledger.stored);
    expect(
      countIn(`SELECT count(*) FROM (SELECT id, first_ns, last_ns FROM session EXCEPT
        SELECT session_id, min(start_ns), max(start_ns) FROM trace GROUP BY session_id)`),
    ).toBe(0);
    await start();
  });

  it('of events with an Idempotency-Key and new traces is stored once when it is interrupted and sent again', async () => {
    const { stored } = await readLedger(server);
    const steps = Array.from({ length: 9 }, (_, i) => ({
      type: 'tool',
      timestamp: `2026-01-01T00:00:0${i}Z`,
      toolInput: 'x'.repeat(500),
    }));
    const model = { modelId: 'm', timestamp: '2026-01-01T00:00:00Z', name: 'answer' };
    const trace = [
      { type: 'trace', timestamp: '2026-01-01T00:00:00Z', input: 'q', output: 'a' },
      { ...model, type: 'llm', event: 'start', input: 'q' },
      ...steps,
      { ...model, type: 'llm', event: 'end', output: 'a' },
    ];
    const events = Array.from({ length: 800 }, () => trace).flat();
    const key = randomUUID();
    const before = await commits();
    const cut = sendEvents(events, key).catch(() => null);
    await commitsAfter(before + 1);
    await server.stop('SIGKILL');
    await cut;
    await start();

    const response = await sendEvents(events, key);
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { success: boolean; id?: string }[] };
    const ids = new Set(data.flatMap(({ id }) => id ?? []));
    expect(data.filter(({ success }) => !success)).toEqual([]);
    expect(ids.size).toBe(800);
    // Sent a third time, it gets the response that is remembered.
    expect(await (await sendEvents(events, key)).json()).toEqual({ data });
    const ledger = await readLedger(server);
    expect(ledger.stored).toBe(stored + events.length);
    expect(ledger.replaced).toBe(0);
    await server.stop('SIGTERM');
    expect(countIn('SELECT count(*) FROM trace WHERE native = 1')).toBe(800);
    expect(countIn('SELECT sum(span_count) FROM trace WHERE native = 1')).toBe(800 * 10);
    expect(countIn('SELECT count(*) FROM open_step')).toBe(0);
  });
});
