import type { Log } from '../../runtime/log.ts';
import type { Ticker } from '../../runtime/ticker.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { startLookout } from '../../storage/store-watch.ts';
import { storeVerifiedJudges } from '../../tests/calls.ts';
import { changedJudges } from './calls.ts';

const TICK_MS = 2_000;
/** Fraction of time that the computation may use, as 1/n. */
const REST = 20;

interface VerifiedJudgesOptions {
  read: Read;
  write: Write;
  log: Log;
  now: () => number;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
}

/** Starts keeping which judges are blocking: verdicts of people verify them, and time, people or another model end that. */
export function startVerifiedJudges({ read, write, log, now, version }: VerifiedJudgesOptions): Ticker {
  let readyAt = 0;
  return startLookout({
    version,
    now,
    everyMs: TICK_MS,
    look: async () => {
      if (performance.now() < readyAt) return now() + TICK_MS;
      const since = performance.now();
      const changed = await read(changedJudges, { now: now() });
      const end = performance.now();
      readyAt = end + REST * (end - since);
      for (const one of changed) await write(storeVerifiedJudges, one);
      return null;
    },
    onError: (error) => log.warn('the blocking judges were not looked up; retrying', { error }),
  });
}
