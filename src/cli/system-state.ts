import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { memoryLimitBytes } from '../config/machine.ts';
import { jobNumbers } from '../jobs/calls.ts';
import { maxOpenFiles, openFiles } from '../runtime/open-files.ts';
import { residentBytes } from '../runtime/resident-memory.ts';
import type { RetentionService, StoreGrowth } from '../resources/retention/service.ts';
import type { SystemState } from '../resources/system/contract.ts';
import type { HttpPools } from '../server/pools.ts';
import type { Storage } from '../storage/storage.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Pool } from '../runtime/fair-share.ts';
import type { Read } from '../storage/calls.ts';
import { countDueTraces } from '../traces/calls.ts';
import { programVersion } from './version.ts';

interface SystemStateDeps {
  /** Folder of the store; null if a database server has it. */
  dataDir: string | null;
  read: Read;
  stats: Storage['stats'];
  growth: RetentionService['growth'];
  memory: Pool;
  pools: Pick<HttpPools, 'responseMemory'>;
  /** Mean duration of the commits of the last minute in milliseconds; null when there was none. */
  recentCommitMs: () => number | null;
  maxConnections: number;
  now: () => number;
}

/** Disk of a store that is not on this machine. */
const NO_DISK = { bavail: 0, bsize: 0, blocks: 0 };

/** Returns a function that reads the state of the server. */
export function systemState({
  dataDir,
  read,
  stats,
  growth,
  memory,
  pools,
  recentCommitMs,
  maxConnections,
  now,
}: SystemStateDeps): () => Promise<SystemState> {
  const startedAt = new Date(now()).toISOString();
  const running = programVersion();
  return async () => {
    const asked = performance.now();
    await turn();
    const lagMs = performance.now() - asked;
    const [store, jobs, maintenance, disk] = await Promise.all([
      stats(),
      read(jobNumbers, undefined),
      read(countDueTraces, { now: now() }),
      dataDir === null ? NO_DISK : statfs(dataDir),
    ]);
    return {
      version: running,
      startedAt,
      store: {
        fileBytes: store.fileBytes,
        walBytes: store.walBytes,
        diskFreeBytes: disk.bavail * disk.bsize,
        diskTotalBytes: disk.blocks * disk.bsize,
        ...growthOf(growth(), dataDir === null ? null : disk.bavail * disk.bsize),
        failedCommits: store.failedCommits,
        failure: store.failure,
        recentCommitMs: recentCommitMs(),
        failedCheckpoints: store.failedCheckpoints,
        lock: store.seesLock ? ('held' as const) : ('unknown' as const),
        longestCommitMs: store.longestCommitSeconds * 1000,
        waitingWrites: store.queuedWrites,
        waitingReads: store.queuedReads,
        rejectedReads: store.rejectedReads,
      },
      process: {
        residentBytes: residentBytes(),
        memoryLimitBytes: memoryLimitBytes(),
        openFiles: openFiles(),
        maxOpenFiles: maxOpenFiles(),
        maxConnections,
        lagMs,
        requests: bytesOf(memory),
        responses: bytesOf(pools.responseMemory),
      },
      jobs: jobs.map(({ oldestDueAt, ...job }) => ({
        ...job,
        oldestDueAt: oldestDueAt === null ? null : new Date(oldestDueAt).toISOString(),
      })),
      maintenance,
    };
  };
}

const SECONDS_PER_DAY = 86_400;

/** Returns the fields of the growth of the store, and how long the free space is sufficient for it. */
function growthOf(
  growth: StoreGrowth | null,
  diskFreeBytes: number | null,
): Pick<SystemState['store'], 'unusedBytes' | 'growthBytesPerDay' | 'daysLeft'> {
  const { unusedBytes = null, bytesPerDay = null } = growth ?? {};
  return {
    unusedBytes,
    growthBytesPerDay: bytesPerDay,
    daysLeft:
      growth && diskFreeBytes !== null && growth.bytesPerDay > 0
        ? (diskFreeBytes + growth.unusedBytes) / growth.bytesPerDay
        : null,
  };
}

/** Keeps the metric of the time until the disk is full. */
export function watchTimeLeft(
  metrics: Pick<Metrics, 'beforeScrape' | 'storeTimeLeft'>,
  dataDir: string | null,
  growth: RetentionService['growth'],
): void {
  metrics.beforeScrape(() => {
    const { bavail, bsize } = dataDir === null ? NO_DISK : statfsSync(dataDir);
    const { daysLeft } = growthOf(growth(), dataDir === null ? null : bavail * bsize);
    metrics.storeTimeLeft.set((daysLeft ?? Infinity) * SECONDS_PER_DAY);
  });
}

const bytesOf = ({ used, limit }: Pool): { usedBytes: number; limitBytes: number } => ({
  usedBytes: used,
  limitBytes: limit,
});
