import { expect, it } from 'vitest';
import { Pace } from '../../src/ingest/pace.ts';
import { chargedCommitMs } from '../../src/storage/sqlite/writer.ts';

it.each<[disk: string, workMsPerWeight: number, syncMs: number, least: number]>([
  ['a fast disk', 0.01, 8, 2_000],
  ['a disk that syncs slowly', 0.01, 300, 1_500],
  ['a disk that syncs very slowly', 0.01, 3_000, 1_500],
])('%s gets commands of much work', (_disk, workMsPerWeight, syncMs, least) => {
  const pace = new Pace();
  for (let i = 0; i < 50; i += 1) {
    const workMs = pace.maxWeight * workMsPerWeight;
    pace.record(pace.maxWeight, chargedCommitMs(workMs + syncMs, syncMs));
  }
  expect(pace.maxWeight).toBeGreaterThan(least);
});

it('commands whose own work takes long become small', () => {
  const pace = new Pace();
  for (let i = 0; i < 50; i += 1) {
    const workMs = pace.maxWeight * 0.1;
    pace.record(pace.maxWeight, chargedCommitMs(workMs + 5, 5));
  }
  expect(pace.maxWeight).toBe(400);
});
