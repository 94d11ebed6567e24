import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';
import type { StoreNumbers } from '../runtime/scraped-metrics.ts';

const TICK_MS = 5_000;

interface WatchStoreOptions {
  dataDir: string;
  stats: () => Promise<Pick<StoreNumbers, 'commits' | 'failedCommits'>>;
  log: Log;
  everyMs?: number;
}

/** Logs when the store begins to reject commits, and when it accepts them again: one line each. */
export function watchStore({ dataDir, stats, log, everyMs = TICK_MS }: WatchStoreOptions): Ticker {
  let before = { commits: 0, failedCommits: 0 };
  let isFailing = false;
  return startTicker(everyMs, async () => {
    const numbers = await stats().catch(() => null);
    if (!numbers) return;
    const { commits, failedCommits } = numbers;
    const fails = failedCommits > before.failedCommits;
    const accepts = !fails && commits > before.commits;
    before = { commits, failedCommits };
    if (fails && !isFailing) {
      isFailing = true;
      const disk = await statfs(dataDir).catch(() => null);
      const freeBytes = disk && disk.bavail * disk.bsize;
      log.error('the store rejects data; senders get 503 and retry. Run `touchstone doctor`', {
        failedCommits,
        freeBytes,
      });
    } else if (isFailing && accepts) {
      isFailing = false;
      log.info('the store accepts data again', { failedCommits });
    }
  });
}

/** Returns when a store last changed, in Unix milliseconds; null if it does not exist. */
export function lastChangeOf(file: string): number | null {
  const times = [file, `${file}-wal`].flatMap(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? [],
  );
  return times.length === 0 ? null : Math.max(...times);
}
