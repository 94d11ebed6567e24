import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { ChildServer, newPresets, type Presets } from '../support/child-server.ts';
import { holdsLock } from '../support/locks.ts';
import { readByOthers, startNeighbour } from '../support/neighbour.ts';
import { makeOldStore } from '../support/old-store.ts';
import { run } from '../support/process.ts';
import { newTraceId } from './otlp-sender.ts';

const root = mkdtempSync(join(tmpdir(), 'touchstone-lock-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SPANS = 'SELECT count(*) FROM span';
const TEXT = 'x'.repeat(40_000);
let folders = 0;

interface Started extends AsyncDisposable {
  server: ChildServer;
  dataDir: string;
  file: string;
  presets: Presets;
}

async function startIn(
  dataDir: string,
  presets: Presets,
  env: Record<string, string> = {},
): Promise<Started> {
  const server = await ChildServer.start({ dataDir, presets, env });
  const file = join(dataDir, 'touchstone.db');
  return {
    server,
    dataDir,
    file,
    presets,
    [Symbol.asyncDispose]: async () => void (await server.stop('SIGKILL')),
  };
}

const newFolder = (): string => join(root, String((folders += 1)));
const startNew = (env?: Record<string, string>): Promise<Started> => startIn(newFolder(), newPresets(), env);

/** Sends a trace of one span until it is acknowledged; returns false when the server has gone. */
async function sendSpan({ server }: Pick<Started, 'server'>, text = 'x'): Promise<boolean> {
  const span = {
    traceId: newTraceId(),
    spanId: '1'.repeat(16),
    name: 'work',
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601000000000',
    attributes: [{ key: 'input.value', value: { stringValue: text } }],
  };
  try {
    const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
    return (await server.call('POST', '/v1/traces', body)).status === 200;
  } catch {
    return false;
  }
}

const metric = async ({ server }: Started, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec((await server.call('GET', '/metrics')).text)?.[1]);

describe('a server has its lock', () => {
  it('after every kind of start', async () => {
    const presets = newPresets();
    const dataDir = newFolder();
    const old = newFolder();
    mkdirSync(old);
    makeOldStore(join(old, 'touchstone.db')).close();
    // Each several times: which thread opens the file first differs from start to start.
    for (const [folder, signal] of [
      [dataDir, 'SIGTERM'],
      [dataDir, 'SIGKILL'],
      [dataDir, 'SIGKILL'],
      [dataDir, 'SIGTERM'],
      [old, 'SIGKILL'],
      [old, 'SIGTERM'],
    ] as const) {
      const started = await startIn(folder, presets);
      await sendSpan(started);
      expect(holdsLock(started.server.pid, started.file)).toBe(true);
      await started.server.stop(signal);
    }
  });

  it('after checkpoints, a second reader, commands beside it and maintenance', async () => {
    await using started = await startNew();
    const { server, file, dataDir } = started;
    const hasLock = (what: string): void => expect(holdsLock(server.pid, file), what).toBe(true);
    while ((await metric(started, 'touchstone_store_checkpoints_total')) < 1)
      for (let sent = 0; sent < 40; sent++) await sendSpan(started, TEXT + sent);
    hasLock('checkpoint');
    await Promise.all(
      Array.from({ length: 60 }, () => server.call('GET', '/v0/traces?limit=100&orderBy=totalTokens')),
    );
    hasLock('second reader');
    for (const args of [
      ['backup', join(root, `${folders}.backup`)],
      ['doctor'],
      ['verify'],
      ['keys', 'list'],
      ['migrate', 'status'],
      ['applications', 'list'],
    ]) {
      await run([...args, '--data-dir', dataDir]);
      hasLock(args.join(' '));
    }
    expect((await server.call('PUT', '/v0/retention', { maxBytes: 16 * 1024 * 1024 })).status).toBe(200);
    hasLock('retention');
    const traces = await server.ok('GET', '/v0/traces?limit=50');
    for (const { id } of traces.data) await server.call('DELETE', `/v0/traces/${id}`);
    hasLock('deletions');
    const health = await server.ok('GET', '/v0/system');
    expect(health.data.store.lock).toBe('held');
    expect(await metric(started, 'touchstone_store_hold_checks_total')).toBeGreaterThan(0);
  });

  it('after a restore', async () => {
    await using first = await startNew();
    await sendSpan(first);
    const backup = join(root, 'to-restore');
    expect((await run(['backup', backup, '--data-dir', first.dataDir])).code).toBe(0);
    const dataDir = newFolder();
    expect((await run(['restore', backup, '--data-dir', dataDir])).code).toBe(0);
    await using restored = await startIn(dataDir, first.presets);
    expect(holdsLock(restored.server.pid, restored.file)).toBe(true);
  });
});

describe('what was acknowledged', () => {
  it('is seen by other programs at once, and is there after kill -9, however often they open and close the file', async () => {
    const presets = newPresets();
    const dataDir = newFolder();
    let acknowledged = 0;
    for (let start = 0; start < 3; start++) {
      const started = await startIn(dataDir, presets);
      const neighbour = startNeighbour(started.file, SPANS);
      await expect.poll(() => neighbour.rounds).toBeGreaterThan(1);
      for (let sent = 0; sent < 60; sent++) if (await sendSpan(started)) acknowledged += 1;
      const rounds = neighbour.rounds;
      await expect.poll(() => neighbour.rounds).toBeGreaterThan(rounds + 1);
      expect(Object.values(neighbour.last as object)).toEqual([acknowledged]);
      expect(new Set(await readByOthers(started.file, SPANS))).toEqual(new Set([acknowledged]));
      await started.server.stop('SIGKILL');
      await neighbour.stop();
      expect(neighbour.errors).toEqual([]);
    }
    expect(acknowledged).toBe(180);
    const store = new Sqlite(join(dataDir, 'touchstone.db'), { readonly: true });
    expect(store.prepare(SPANS).pluck().get()).toBe(acknowledged);
    store.close();
  });
});

/** Ways in which a server loses its store. */
const LOSSES: [what: string, lose: (started: Started) => void, why: RegExp][] = [
  ['its log is deleted', ({ file }) => rmSync(`${file}-wal`), /-wal was deleted/],
  ['its store is moved away', ({ file }) => renameSync(file, `${file}.old`), /touchstone\.db was deleted/],
  [
    'it closes the file',
    ({ server }) => void process.kill(server.pid, 'SIGUSR2'),
    /The lock on \S+touchstone\.db is gone/,
  ],
];

describe('a server whose store is taken from it', () => {
  const startWith = (dataDir: string, presets: Presets): Promise<Started> =>
    startIn(dataDir, presets, {
      NODE_OPTIONS: `--require=${join(import.meta.dirname, '../support/drop-lock.cjs')}`,
      DROPPED_FILE: join(dataDir, 'touchstone.db'),
    });

  it.each(LOSSES)('acknowledges nothing more and ends with one line: %s', async (_what, lose, why) => {
    const started = await startWith(newFolder(), newPresets());
    expect(await sendSpan(started)).toBe(true);
    lose(started);
    const { server } = started;
    // Nothing that it would have to know of: either it has already gone, or this commit is the first that notices.
    if (/SIGUSR2/.test(String(lose)))
      await expect.poll(() => holdsLock(server.pid, started.file)).toBe(false);
    expect(await sendSpan(started)).toBe(false);
    expect(await server.exited).toBe('SIGKILL');
    const said = server.said.filter((line) => line.includes('"level":"error"'));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/the server stops because its store was taken from it/);
    expect(said[0]).toMatch(why);
  });

  it.each(LOSSES)('ends without a request, too: %s', async (_what, lose, why) => {
    const started = await startWith(newFolder(), newPresets());
    lose(started);
    expect(await started.server.exited).toBe('SIGKILL');
    expect(started.server.said.join('\n')).toMatch(why);
  });

  it('keeps what it acknowledged when another program then deletes the log', async () => {
    const started = await startWith(newFolder(), newPresets());
    for (let sent = 0; sent < 20; sent++) expect(await sendSpan(started)).toBe(true);
    process.kill(started.server.pid, 'SIGUSR2');
    let acknowledged = 20;
    const neighbour = startNeighbour(started.file, SPANS);
    while (await sendSpan(started)) acknowledged += 1;
    expect(await started.server.exited).toBe('SIGKILL');
    await neighbour.stop();
    await using again = await startIn(started.dataDir, started.presets);
    const stored = await readByOthers(again.file, SPANS);
    for (const count of stored) expect(count).toBeGreaterThanOrEqual(acknowledged);
  });
});
