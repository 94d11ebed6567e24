import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFile } from '../../src/cli/data-folder.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { type CustomerApp, NOWHERE, type Received, startCustomerApp } from '../support/customer-app.ts';
import { effort } from '../support/effort.ts';
import { startNeighbour } from '../support/neighbour.ts';
import { mulberry32 } from '../support/random.ts';
import { jsonRequest, jsonSpan, newSpanId } from './otlp-sender.ts';
import { until } from '../support/until.ts';

const TESTS = effort(160);
const APPLICATIONS = 5;
const PER_TRIGGER = 10;
const KILLS = effort(6);
/** Things that happen at the app from one kill to the next, at most. */
const MAX_PROGRESS = 40;
const SETTINGS = {
  TOUCHSTONE_QUIET_MS: '200',
  TOUCHSTONE_ORPHAN_QUIET_MS: '800',
  TOUCHSTONE_TRACE_DEADLINE_MS: '5000',
};

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const random = mulberry32(seed);

interface Owner {
  headers: Readonly<Record<string, string>>;
  taskId: string;
}

/** What the app knows of a test it was sent. */
interface AppRecord {
  requests: number;
  isAnswered: boolean;
  isSpanStored: boolean;
}

interface StoredTest {
  id: string;
  status: string;
  code: string | null;
}

interface StoredDelivery {
  testId: string;
  outcome: string | null;
  sentAt: number;
  finishedAt: number;
}

/** Unix milliseconds between which a process was killed. */
interface Period {
  from: number;
  to: number;
}

let dataDir: string;
let app: CustomerApp;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  app = await startCustomerApp();
});
afterEach(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it(`ends ${TESTS} tests, each sent once and with a true reason, through ${KILLS} kills (CRASH_SEED=${seed})`, async () => {
  const presets = newPresets();
  const start = (): Promise<ChildServer> => ChildServer.start({ dataDir, presets, env: SETTINGS });
  let server = await start();
  await using neighbour = startNeighbour(storeFile(dataDir), 'SELECT count(*) FROM test', 20);
  const records = new Map<string, AppRecord>();
  const underWay = new Set<Promise<void>>();
  let progress = 0;

  /** Calls until a server answers with success, across any number of kills. */
  const insist = async (owner: Pick<Owner, 'headers'>, path: string, body: unknown): Promise<unknown> => {
    for (;;) {
      const reply = await post(server.url + path, owner.headers, body);
      if (reply !== null) return reply;
      await delay(20);
    }
  };

  const configure = (owner: Owner, url: string): Promise<unknown> => insist(owner, '/v0/webhook', { url });
  const owners: Owner[] = [];
  for (let index = 0; index < APPLICATIONS; index++) {
    const owner = await newOwner(server, insist);
    owners.push(owner);
    // Nothing listens for the last application at first: its requests are those that may be sent again.
    await configure(owner, index < APPLICATIONS - 1 ? `${app.url}/${index}` : NOWHERE);
  }
  const last = owners.at(-1) as Owner;

  app.behave((request, response) => {
    const owner = owners[Number(request.path.split('/').at(-1))] as Owner;
    const { testId } = JSON.parse(request.body) as { testId: string };
    const record = records.get(testId) ?? { requests: 0, isAnswered: false, isSpanStored: false };
    records.set(testId, record);
    record.requests += 1;
    progress += 1;
    // Every tenth test sends no span.
    const spanAt = records.size % 10 === 0 ? null : random();
    const [pauseMs, isLinked] = [pause(), random() < 0.5];
    const sendSpan = async (): Promise<void> => {
      await insist(owner, '/v1/traces', spanOf(request, isLinked ? testId : null));
      record.isSpanStored = true;
      progress += 1;
    };
    const serve = async (): Promise<void> => {
      if (pauseMs > 0) await delay(pauseMs);
      if (spanAt !== null && spanAt < 0.5) await sendSpan();
      record.isAnswered = true;
      response.writeHead(200).end();
      progress += 1;
      if (spanAt !== null && spanAt >= 0.5) await sendSpan();
    };
    const work = serve().finally(() => underWay.delete(work));
    underWay.add(work);
  });

  const acknowledged: string[] = [];
  const trigger = async (count: number): Promise<void> => {
    const { headers, taskId } = owners[count % APPLICATIONS] as Owner;
    const reply = await insist(
      { headers: { ...headers, prefer: 'return=representation' } },
      '/v0/tasks/trigger',
      { taskIds: [taskId], repeat: PER_TRIGGER },
    );
    const { data } = reply as { data: { testIds: string[] }[] };
    acknowledged.push(...data.flatMap(({ testIds }) => testIds));
  };
  // The last tests are triggered after the kills, so that some of them surely end without a span.
  const lastTrigger = TESTS / PER_TRIGGER - 1;
  const triggering = (async () => {
    for (let count = 0; count < lastTrigger; count++) await trigger(count);
  })();

  // What is in progress at a kill may never happen, so the tests may be over before the last kills.
  const isOver = (): boolean =>
    acknowledged.length === TESTS - PER_TRIGGER && underWay.size === 0 && countOpen() === 0;
  const kills: Period[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = progress + 1 + Math.floor(random() * MAX_PROGRESS);
    await until(() => progress >= enough || isOver(), Boolean, 20);
    await delay(random() * 20);
    const from = Date.now();
    expect(await server.stop('SIGKILL')).toBe('SIGKILL');
    kills.push({ from, to: Date.now() });
    server = await start();
    if (kill === 2) await configure(last, `${app.url}/${APPLICATIONS - 1}`);
  }

  await triggering;
  await trigger(lastTrigger);
  await expect.poll(() => underWay.size + countOpen(), { interval: 200, message: 'tests not over' }).toBe(0);
  // A request whose response was lost is sent again, and may start tests twice.
  const begun = neighbour.rounds;
  await expect.poll(() => neighbour.rounds).toBeGreaterThan(begun + 1);
  const seen = neighbour.last;
  expect(await server.stop('SIGTERM')).toBe(0);

  const { tests, deliveries, jobs, integrity } = readStore();
  expect(seen).toEqual({ 'count(*)': tests.length });
  expect(tests.length).toBeGreaterThanOrEqual(TESTS);
  expect(integrity).toBe('ok');
  expect(jobs).toBe(0);
  const ids = new Set(tests.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(acknowledged).size).toBe(TESTS);
  const faults = tests.flatMap((test) => {
    const own = deliveries.filter(({ testId }) => testId === test.id);
    const fault = faultOf(test, own, records.get(test.id), kills);
    return fault === null ? [] : [{ fault, ...test, record: records.get(test.id), deliveries: own }];
  });
  expect(faults).toEqual([]);

  const ends = Object.groupBy(tests, ({ status, code }) => code ?? status);
  expect(Object.keys(ends)).toEqual(expect.arrayContaining(['COMPLETED', 'trace_missing']));
  const unknown = new Set(
    deliveries.filter(({ outcome }) => outcome === 'unknown').map(({ testId }) => testId),
  );
  expect(unknown.size, 'kills cut deliveries off').toBeGreaterThan(0);
  const revived = ends['COMPLETED']?.filter(({ id }) => unknown.has(id)) ?? [];
  expect(revived.length, 'tests whose spans told that they had arrived').toBeGreaterThan(0);
}, 300_000);

/** What is wrong with the end of a test; null = nothing. */
function faultOf(
  { status, code }: StoredTest,
  deliveries: readonly StoredDelivery[],
  record: AppRecord | undefined,
  kills: readonly Period[],
): string | null {
  const isOnly = (outcome: string): boolean => deliveries.every((delivery) => delivery.outcome === outcome);
  if (record && record.requests > 1) return 'the app was sent it again';
  if (record?.isSpanStored) return status === 'COMPLETED' ? null : 'a span of it is stored';
  switch (code) {
    case 'delivery_unknown': {
      const cut = deliveries.at(-1);
      const isTruncated = kills.some(({ from, to }) => cut && cut.sentAt <= to && from <= cut.finishedAt);
      return isTruncated && cut?.outcome === 'unknown' ? null : 'no kill cut it off';
    }
    case 'trace_missing':
      return record?.isAnswered && deliveries.at(-1)?.outcome === 'answered'
        ? null
        : 'it was not answered 200';
    case 'webhook_unreachable':
      return record === undefined && deliveries.length === 3 && isOnly('not_sent')
        ? null
        : 'it was not tried in vain';
    default:
      return 'it should have ended otherwise';
  }
}

/** The JSON of a good answer; null when there was none, as from a server that is killed. */
async function post(url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([200, 201, 503], text).toContain(response.status);
    return response.status === 503 ? null : JSON.parse(text);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function newOwner(
  admin: ChildServer,
  insist: (owner: Pick<Owner, 'headers'>, path: string, body: unknown) => Promise<unknown>,
): Promise<Owner> {
  const { data, apiKey } = (await insist(admin, '/v0/applications', { title: 'App', type: 'AGENT' })) as {
    data: { id: string };
    apiKey: { key: string };
  };
  const headers = { 'x-api-key': apiKey.key, 'x-application-id': data.id };
  const body = { title: 'Capital', type: 'STATIC', inputExamples: ['Capital of France?'] };
  const { task } = (await insist({ headers }, '/v0/tasks', body)) as { task: { id: string } };
  return { headers, taskId: task.id };
}

/** A span of the app below the delivery; without test id it is linked by its trace alone. */
function spanOf({ headers }: Received, testId: string | null): unknown {
  const [, trace = '', parentSpanId] = String(headers['traceparent']).split('-');
  const attributes = testId === null ? [] : [{ key: 'service.test.id', value: { stringValue: testId } }];
  return jsonRequest(jsonSpan(trace, 'answer', { spanId: newSpanId(), parentSpanId, attributes }));
}

const pause = (): number => (random() < 0.5 ? 0 : random() * 200);

/** Tests that are not over, or about which something is still to be decided. */
function countOpen(): number {
  const database = new Sqlite(storeFile(dataDir), { readonly: true });
  try {
    return database
      .prepare(
        `SELECT (SELECT count(*) FROM test WHERE status NOT IN ('COMPLETED', 'FAILED') OR check_at IS NOT NULL)
           + (SELECT count(*) FROM test_touch)`,
      )
      .pluck()
      .get() as number;
  } finally {
    database.close();
  }
}

function readStore(): {
  tests: StoredTest[];
  deliveries: StoredDelivery[];
  jobs: number;
  integrity: unknown;
} {
  const database = new Sqlite(storeFile(dataDir), { readonly: true });
  try {
    return {
      tests: database
        .prepare(`SELECT id, status, failure ->> 'code' AS code FROM test`)
        .all() as StoredTest[],
      deliveries: database
        .prepare(
          'SELECT test_id AS testId, outcome, sent_at AS sentAt, finished_at AS finishedAt FROM delivery ORDER BY attempt',
        )
        .all() as StoredDelivery[],
      jobs: database.prepare('SELECT count(*) FROM job').pluck().get() as number,
      integrity: database.pragma('integrity_check', { simple: true }),
    };
  } finally {
    database.close();
  }
}
