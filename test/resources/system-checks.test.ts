import { expect, it } from 'vitest';
import { systemChecks } from '../../src/resources/system/checks.ts';
import type { SystemState } from '../../src/resources/system/contract.ts';

const NOW = Date.UTC(2026, 0, 31);
const GOOD: SystemState = {
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
    failure: null,
    recentCommitMs: 12,
    failedCheckpoints: 0,
    lock: 'held',
    longestCommitMs: 12,
    waitingWrites: 0,
    waitingReads: 1,
    rejectedReads: 0,
  },
  process: {
    residentBytes: 3e8,
    memoryLimitBytes: 2e9,
    openFiles: 60,
    maxOpenFiles: 1_024,
    maxConnections: 256,
    lagMs: 1,
    requests: { usedBytes: 0, limitBytes: 1e8 },
    responses: { usedBytes: 0, limitBytes: 1e8 },
  },
  jobs: [{ kind: 'deliver', waiting: 1, running: 0, dead: 0, oldestDueAt: new Date(NOW).toISOString() }],
  maintenance: { rewrites: 0, refreshes: 0, deletions: 0 },
};

const levelOf = (name: string, change: Partial<SystemState>): string =>
  systemChecks({ ...GOOD, ...change }, NOW).find((check) => check.name === name)?.level ?? '';

it('a server that is well gets no advice', () => {
  expect(systemChecks(GOOD, NOW).filter(({ level, advice }) => level !== 'ok' || advice !== null)).toEqual(
    [],
  );
});

it.each<[string, Partial<SystemState>, string]>([
  ['Disk', { store: { ...GOOD.store, diskFreeBytes: 4e9 } }, 'warning'],
  ['Disk', { store: { ...GOOD.store, daysLeft: 13.2 } }, 'warning'],
  ['Disk', { store: { ...GOOD.store, diskFreeBytes: 15e9, diskTotalBytes: 1e12 } }, 'problem'],
  ['Write-ahead log', { store: { ...GOOD.store, walBytes: 600 * 1024 * 1024 } }, 'warning'],
  ['Commits', { store: { ...GOOD.store, failedCommits: 1 } }, 'warning'],
  ['Commits', { store: { ...GOOD.store, failure: 'SQLITE_FULL' } }, 'problem'],
  ['Commits', { store: { ...GOOD.store, recentCommitMs: 800 } }, 'warning'],
  ['Commits', { store: { ...GOOD.store, recentCommitMs: 4_000 } }, 'problem'],
  ['Open files', { process: { ...GOOD.process, openFiles: 1_000 } }, 'problem'],
  ['Memory', { process: { ...GOOD.process, residentBytes: 1.7e9 } }, 'warning'],
  ['Queries and changes', { store: { ...GOOD.store, rejectedReads: 1 } }, 'warning'],
  ['Main thread', { process: { ...GOOD.process, lagMs: 1_200 } }, 'problem'],
  ['Maintenance of traces', { maintenance: { rewrites: 2_000, refreshes: 0, deletions: 0 } }, 'warning'],
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
    'warning',
  ],
  [
    'Queue deliver',
    { jobs: [{ kind: 'deliver', waiting: 0, running: 0, dead: 2, oldestDueAt: null }] },
    'warning',
  ],
])('%s: %o is %s', (name, change, level) => {
  expect(levelOf(name, change)).toBe(level);
});
