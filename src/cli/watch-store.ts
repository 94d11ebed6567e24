import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';
import type { StoreNumbers } from '../runtime/scraped-metrics.ts';
import { maxOpenFiles, openFiles } from '../runtime/open-files.ts';
import { FEW_FILES, SLOW_DISK, storeAdvice } from '../resources/system/store-advice.ts';
import { RecentCommits } from './recent-commits.ts';

const TICK_MS = 5_000;
/** Share of the file descriptors in use above which they count as used up, and below which no longer. */
const FEW_FREE = 0.95;
const ENOUGH_FREE = 0.8;
/** Mean duration of a commit above which the disk counts as slow, and below which no longer. */
const SLOW_MS = 500;
const FAST_MS = 250;

interface WatchStoreOptions {
  /** Folder of the store; null if a database server has it. */
  dataDir: string | null;
  stats: () => Promise<Pick<StoreNumbers, 'commits' | 'commitSeconds' | 'failedCommits' | 'failure'>>;
  log: Log;
  everyMs?: number;
}

export interface StoreObserver extends Ticker {
  /** Mean duration of the commits of the last minute in milliseconds; null when there was none. */
  recentCommitMs(): number | null;
}

/**
 * Logs when the store begins to reject data or to be slow, and when it works as usual again: one line each, however
 * many calls are affected.
 */
export function watchStore({ dataDir, stats, log, everyMs = TICK_MS }: WatchStoreOptions): StoreObserver {
  const recent = new RecentCommits();
  let failedBefore = 0;
  let [isFailing, isSlow, isShortOfFiles] = [false, false, false];
  const noteFaults = async (failedCommits: number, failure: string | null): Promise<void> => {
    const fails = failure !== null || failedCommits > failedBefore;
    failedBefore = failedCommits;
    if (fails && !isFailing) {
      const disk = dataDir === null ? null : await statfs(dataDir).catch(() => null);
      log.error('the store rejects data; senders get 503 and retry. Run `touchstone doctor`', {
        failure,
        advice: failure === null ? undefined : storeAdvice(failure),
        failedCommits,
        freeBytes: disk && disk.bavail * disk.bsize,
      });
    } else if (isFailing && !fails) log.info('the store accepts data again', { failedCommits });
    isFailing = fails;
  };
  const noteSpeed = (): void => {
    const commitMs = recent.meanMs ?? 0;
    if (!isSlow && commitMs >= SLOW_MS) {
      isSlow = true;
      log.warn('the disk is slow; senders wait, and get 503 when the memory budget is used up', {
        commitMs: Math.round(commitMs),
        advice: SLOW_DISK,
      });
    } else if (isSlow && commitMs < FAST_MS) {
      isSlow = false;
      log.info('the disk is as fast as usual again', { commitMs: Math.round(commitMs) });
    }
  };
  const noteFiles = (): void => {
    const [open, limit] = [openFiles(), maxOpenFiles()];
    if (open === null || limit === null) return;
    const share = open / limit;
    if (!isShortOfFiles && share >= FEW_FREE) {
      isShortOfFiles = true;
      log.warn('hardly any file descriptor is free; new connections are closed at once', {
        openFiles: open,
        maxOpenFiles: limit,
        advice: FEW_FILES,
      });
    } else if (isShortOfFiles && share < ENOUGH_FREE) {
      isShortOfFiles = false;
      log.info('enough file descriptors are free again', { openFiles: open, maxOpenFiles: limit });
    }
  };
  const ticker = startTicker(everyMs, async () => {
    const numbers = await stats().catch(() => null);
    if (!numbers) return;
    recent.add(numbers, performance.now());
    await noteFaults(numbers.failedCommits, numbers.failure);
    noteSpeed();
    noteFiles();
  });
  return { ...ticker, recentCommitMs: () => recent.meanMs };
}

/** Returns when a store last changed, in Unix milliseconds; null if it does not exist. */
export function lastChangeOf(file: string): number | null {
  const times = [file, `${file}-wal`].flatMap(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? [],
  );
  return times.length === 0 ? null : Math.max(...times);
}
