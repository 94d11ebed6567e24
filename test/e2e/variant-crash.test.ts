import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFile } from '../../src/cli/data-folder.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { until } from '../support/until.ts';

const TASKS = 40;
const REPEAT = 100;
/** Tests that are started when the process is killed: those of two commands. */
const STARTED = 1_000;
/** Milliseconds in which all tests end. */
const MAX_END_MS = 220_000;

interface VariantState {
  status: string;
  progress: { completed: number; total: number };
}

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function withDatabase<T>(use: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(storeFile(dataDir));
  try {
    return use(database);
  } finally {
    database.close();
  }
}
const count = (sql: string): number =>
  withDatabase((database) => database.prepare(sql).pluck().get() as number);

it('a variant gets all its tests though the process is killed while it starts them', async () => {
  const presets = newPresets();
  let server = await ChildServer.start({ dataDir, presets });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const reply = await server.call(method, path, body);
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
    return reply.json;
  };
  const make = async (path: string, body: object): Promise<string> => {
    const { data, task } = (await call('POST', path, body)) as Record<string, { id: string }>;
    return (data ?? task)?.id ?? '';
  };
  const taskIds = await Promise.all(
    Array.from({ length: TASKS }, () =>
      make('/v0/tasks', { title: 'Task', type: 'STATIC', inputExamples: ['Hello?'] }),
    ),
  );
  const experiment = `/v0/experiments/${await make('/v0/experiments', { title: 'Experiment', taskIds })}`;
  const variant = `${experiment}/variants/${await make(`${experiment}/variants`, { title: 'Variant', configPatch: {} })}`;

  // The next command counts pairs of pairs of tests without end, so the start is in progress until the kill.
  withDatabase((database) =>
    database.exec(`CREATE TRIGGER midway BEFORE INSERT ON test WHEN (SELECT count(*) FROM test) >= ${STARTED}
                   BEGIN SELECT count(*) FROM test a, test b, test c, test d; END`),
  );
  const running = call('POST', `${variant}/run`, { repeat: REPEAT }).catch(() => 'cut off');
  await until(() => count('SELECT count(*) FROM test') === STARTED);
  expect(await server.stop('SIGKILL')).toBe('SIGKILL');
  expect(await running).toBe('cut off');
  withDatabase((database) => database.exec('DROP TRIGGER midway'));
  expect(count('SELECT count(*) FROM test')).toBe(STARTED);
  expect(count('SELECT count(*) FROM variant_start')).toBe(1);

  // Otherwise the job waits for a minute, as the request might still be at it.
  withDatabase((database) =>
    database.prepare(`UPDATE job SET due_at = 0 WHERE kind = 'start-variant'`).run(),
  );
  server = await ChildServer.start({ dataDir, presets });
  // Without a webhook every test fails.
  const state = async (): Promise<VariantState> => {
    const { data } = (await call('GET', variant)) as { data: VariantState };
    return { status: data.status, progress: data.progress };
  };
  const total = TASKS * REPEAT;
  const { status, progress } = await state();
  expect(progress.total).toBe(total);
  if (progress.completed < total) expect(status).toBe('RUNNING');
  await expect
    .poll(state, { interval: 250, timeout: MAX_END_MS })
    .toEqual({ status: 'FAILED', progress: { completed: total, total } });
  expect(count('SELECT count(*) FROM test')).toBe(total);
  expect(await server.stop('SIGTERM')).toBe(0);
}, 300_000);
