import { expect, it } from 'vitest';
import type { System } from '../../src/api/generated/schema.ts';
import { findingsOf } from '../../src/dashboard/health/server-findings.ts';

const NOW = Date.UTC(2026, 0, 31);
const GOOD: System = {
  version: '0.1.0',
  startedAt: new Date(NOW).toISOString(),
  store: {
    fileBytes: 1e9,
    walBytes: 1e6,
    diskFreeBytes: 50e9,
    diskTotalBytes: 100e9,
    unusedBytes: 0,
    growthBytesPerDay: 0,
    daysLeft: null,
    failedCommits: 0,
    failedCheckpoints: 0,
    longestCommitMs: 12,
    waitingWrites: 0,
    waitingReads: 1,
    rejectedReads: 0,
  },
  process: {
    residentBytes: 3e8,
    lagMs: 1,
    requests: { usedBytes: 0, limitBytes: 1e8 },
    responses: { usedBytes: 0, limitBytes: 1e8 },
  },
  jobs: [{ kind: 'deliver', waiting: 1, running: 0, dead: 0, oldestDueAt: new Date(NOW).toISOString() }],
  maintenance: { rewrites: 0, refreshes: 0, deletions: 0 },
};

const levelOf = (name: string, change: Partial<System>): string =>
  findingsOf({ ...GOOD, ...change }, NOW).find((finding) => finding.name === name)?.level ?? '';

it('a server that is well gets no advice', () => {
  expect(findingsOf(GOOD, NOW).filter(({ level, advice }) => level !== 'good' || advice !== '')).toEqual([]);
});

it.each<[string, Partial<System>, string]>([
  ['Disk', { store: { ...GOOD.store, diskFreeBytes: 4e9 } }, 'watch'],
  ['Disk', { store: { ...GOOD.store, daysLeft: 13.2 } }, 'watch'],
  ['Disk', { store: { ...GOOD.store, diskFreeBytes: 15e9, diskTotalBytes: 1e12 } }, 'bad'],
  ['Write-ahead log', { store: { ...GOOD.store, walBytes: 600 * 1024 * 1024 } }, 'watch'],
  ['Commits', { store: { ...GOOD.store, failedCommits: 1 } }, 'bad'],
  ['Queries and changes', { store: { ...GOOD.store, rejectedReads: 1 } }, 'watch'],
  ['Main thread', { process: { ...GOOD.process, lagMs: 1_200 } }, 'bad'],
  ['Maintenance of traces', { maintenance: { rewrites: 2_000, refreshes: 0, deletions: 0 } }, 'watch'],
  [
    'Queue deliver',
    {
      jobs: [
        {
          kind: 'deliver',
          waiting: 9,
          running: 1,
          dead: 0,
          oldestDueAt: new Date(NOW - 120_000).toISOString(),
        },
      ],
    },
    'watch',
  ],
  [
    'Queue deliver',
    { jobs: [{ kind: 'deliver', waiting: 0, running: 0, dead: 2, oldestDueAt: null }] },
    'watch',
  ],
])('%s: %o is %s', (name, change, level) => {
  expect(levelOf(name, change)).toBe(level);
});
