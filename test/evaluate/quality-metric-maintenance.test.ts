import { afterEach, expect, it, vi } from 'vitest';
import { dueMetrics, type ComputedMetrics } from '../../src/evaluate/quality-metric-store.ts';
import { startMetricMaintenance } from '../../src/evaluate/quality-metric-maintenance.ts';
import { openDatabase, temporaryFolder } from '../support/storage.ts';

const NOW = 1_800_000_000_000;
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
afterEach(() => vi.restoreAllMocks());

it('the metrics that are due take turns between applications, those that wait longest first', () => {
  using folder = temporaryFolder();
  const database = openDatabase(folder.file('store.db'));
  const due = (application: number, id: string, at: number): unknown =>
    database.run(
      `INSERT INTO figure (application, kind, id, version, tests, ready_at, due_at) VALUES (?, 'task', ?, 1, 0, 0, ?)`,
      application,
      id,
      NOW + at,
    );
  for (const at of [1, 2, 3, 4]) due(1, `a${at}`, at);
  due(2, 'b', 5);
  due(3, 'c1', 0);
  due(3, 'c2', 6);
  due(3, 'later', 7);
  const ids = (limit: number) => dueMetrics(database, { now: NOW + 6, limit }).map(({ id }) => id);
  expect(ids(10)).toEqual(['c1', 'a1', 'b', 'a2', 'c2', 'a3', 'a4']);
  expect(ids(3)).toEqual(['c1', 'a1', 'b']);
  database.connection.close();
});

/** Works out metrics that take so long by a clock that only the test moves, while the wall clock is set. */
async function workOut(tookMs: readonly number[]): Promise<{ saved: ComputedMetrics[][]; at: number[] }> {
  let [elapsed, wall] = [0, NOW];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
  const [saved, at]: [ComputedMetrics[][], number[]] = [[], []];
  const left = [...tookMs];
  const read = async (name: string): Promise<unknown> => {
    if (name === 'dueMetrics')
      return saved.length > 0
        ? []
        : tookMs.map((_, id) => ({ application: 1, kind: 'task', id, version: 1 }));
    if (name === 'nextMetricsAt') return null;
    at.push(wall);
    elapsed += left.shift() ?? 0;
    // Someone sets it forward while the query runs.
    wall += 3_600_000;
    return { metrics: null, until: null };
  };
  const write = async (_name: string, { computed }: { computed: ComputedMetrics[] }): Promise<void> => {
    saved.push(computed);
  };
  const metrics = startMetricMaintenance({
    read: read as never,
    write: write as never,
    log,
    now: () => wall,
    version: () => '',
  });
  await expect.poll(() => saved.flat().length).toBe(tookMs.length);
  await metrics.stop();
  clock.mockRestore();
  return { saved, at };
}

it('metrics rest for twenty times what they took, whatever is done to the clock', async () => {
  const { saved, at } = await workOut([5, 7]);
  expect(saved.flat().map(({ readyAt }, index) => readyAt - (at[index] ?? 0))).toEqual([100, 140]);
});

it('metrics are saved while others are still computed', async () => {
  const { saved } = await workOut([100, 200, 10, 300, 1]);
  expect(saved.map((together) => together.length)).toEqual([2, 2, 1]);
});
