import type { Log } from '../../runtime/log.ts';
import type { Ticker } from '../../runtime/ticker.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { startLookout } from '../../storage/store-watch.ts';
import { fillOutcomes, hasOutcomesToFill } from '../calls.ts';

const TICK_MS = 250;

interface OutcomeFillOptions {
  read: Read;
  write: Write;
  log: Log;
  now: () => number;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
}

/** Starts computing the outcomes that an upgrade or a changed evaluator makes due, one bounded command after another. */
export function startOutcomeFill({ read, write, log, now, version }: OutcomeFillOptions): Ticker {
  const controller = new AbortController();
  const { signal: stopping } = controller;
  const lookout = startLookout({
    version,
    now,
    everyMs: TICK_MS,
    look: async () => {
      if (!(await read(hasOutcomesToFill, null))) return null;
      for (let hasMore = true; hasMore && !stopping.aborted; )
        hasMore = await write(fillOutcomes, { now: now() });
      return null;
    },
    onError: (error) => log.warn('outcomes of tests were not computed; retrying', { error }),
  });
  return {
    stop: async () => {
      controller.abort();
      await lookout.stop();
    },
  };
}
