import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFile } from '../../src/cli/data-folder.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { effort } from '../support/effort.ts';
import { getAll, memoryInUse, readLedger } from '../support/ledger.ts';
import { mulberry32 } from '../support/random.ts';
import {
  Books,
  changingSender,
  deliver,
  eventSender,
  jsonSender,
  protobufSender,
  type Sender,
} from './senders.ts';
import { until } from '../support/until.ts';

/**
 * Beside what crash.test.ts shows of spans that come once: spans that change and so have their trace rewritten, `llm`
 * starts whose end comes in another call, and requests that are sent again though their answer came.
 */
const KILLS = effort(3);
/** Each server lives until so many deliveries were begun, and then up to so many milliseconds more. */
const DELIVERIES_OF_LIFE = 60;
const MAX_LIFE_MS = 300;
/** One in so many acknowledged deliveries is sent again, the first of each sender among them. */
const RESENT = 10;

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it(`keeps the last acknowledged version of everything, once, through ${KILLS} kills (CRASH_SEED=${seed})`, async () => {
  const random = mulberry32(seed);
  const presets = newPresets();
  const start = (): Promise<ChildServer> => ChildServer.start({ dataDir, presets });
  const books = new Books();
  const senders: Sender[] = [1, 2, 3].flatMap(() => [
    protobufSender(true),
    jsonSender(),
    eventSender(),
    eventSender(),
    changingSender(),
  ]);
  let server = await start();
  const stop = new AbortController();
  let resends = 0;

  const anotherThan = (target: ChildServer): Promise<unknown> => until(() => server !== target, Boolean, 5);
  const run = async (next: Sender): Promise<void> => {
    for (let turn = 0; !stop.signal.aborted; turn++) {
      const delivery = next();
      books.deliveries.push(delivery);
      while (!delivery.acknowledged) {
        const target = server;
        const tried = await deliver(target, delivery);
        expect([200, 503, 'no answer']).toContain(tried);
        // Until another server is there, only rejected connections would come of it.
        if (tried === 'no answer') await anotherThan(target);
        if (tried !== 200) resends += 1;
      }
      // As one who missed the answer would.
      if (turn % RESENT === 0) await deliver(server, { ...delivery });
    }
  };
  const running = senders.map(run);
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = books.deliveries.length + DELIVERIES_OF_LIFE;
    await until(() => books.deliveries.length >= enough, Boolean, 1);
    await wait(random() * MAX_LIFE_MS);
    expect(await server.stop('SIGKILL')).toBe('SIGKILL');
    server = await start();
  }
  stop.abort();
  await Promise.all(running);
  expect(books.unacknowledged).toBe(0);
  expect(resends).toBeGreaterThan(0);

  const expected = books.expected();
  const traces = new Set([...expected.keys()].map((key) => key.split(' ')[0] as string));
  const found = new Map<string, string>();
  for (const trace of traces) {
    const spans = await getAll<{ id: string; name: string }>(server, `/v0/traces/${trace}/spans`, 1_000);
    for (const { id, name } of spans) {
      expect(found.has(`${trace} ${id}`), 'a span is there once').toBe(false);
      found.set(`${trace} ${id}`, name);
    }
    const { json } = await server.call('GET', `/v0/traces/${trace}`);
    const { data } = json as { data: { spanCount: number; steps: { type: string; event?: string }[] } };
    expect(data.spanCount).toBe(spans.length);
    // No more than the last `llm` of a sender may still wait for its end.
    expect(data.steps.filter(({ event }) => event === 'start').length).toBeLessThanOrEqual(1);
  }
  expect(found).toEqual(expected);
  expect(await getAll(server, '/v0/traces', 100)).toHaveLength(traces.size);

  const ledger = await readLedger(server);
  expect(ledger).toMatchObject({ stored: books.fresh, rejected: 0 });
  expect(ledger.duplicate).toBeGreaterThan(0);
  expect(ledger.replaced).toBeGreaterThan(0);
  await expect.poll(() => memoryInUse(server)).toBe(0);
  expect(await server.stop('SIGTERM')).toBe(0);

  const database = new Sqlite(storeFile(dataDir), { readonly: true });
  try {
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const directory = database
      .prepare(
        'SELECT lower(hex(trace_id)) AS trace, lower(hex(span_id)) AS id FROM span JOIN trace USING (application, tkey)',
      )
      .all() as { trace: string; id: string }[];
    const keys = new Set(directory.map(({ trace, id }) => `${trace} ${id}`));
    expect(keys.size).toBe(directory.length);
    expect([...expected.keys()].filter((key) => !keys.has(key))).toEqual([]);
    const dangling = database.prepare(
      'SELECT count(*) AS n FROM span LEFT JOIN chunk USING (application, tkey, seq) WHERE chunk.seq IS NULL',
    );
    expect(dangling.get()).toEqual({ n: 0 });
  } finally {
    database.close();
  }
}, 300_000);
