import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';
import type { Read } from '../storage/calls.ts';
import { traceChangesSince } from './calls.ts';
import type { TraceFeed } from './trace-feed.ts';

const TICK_MS = 1_000;
/** Age of changes that may still have been waiting for their commit when it was last looked. */
const OVERLAP_MS = 15_000;

interface FollowOthersOptions {
  feed: TraceFeed;
  read: Read;
  /** True if other processes may use the same store; see `Storage`. */
  isShared: boolean;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  now: () => number;
  log: Log;
}

/**
 * Adds the traces that other processes change to the feed, while someone reads it. Traces that this process has stored itself
 * appear in it once more.
 */
export function followOthers({ feed, read, isShared, version, now, log }: FollowOthersOptions): Ticker {
  if (!isShared) return { stop: async () => undefined };
  /** Times of the last changes that are known, by application and trace. */
  let known = new Map<number, Map<string, number>>();
  let seen = '';
  const follow = async (application: number): Promise<Map<string, number>> => {
    const before = known.get(application);
    const { changes, isComplete } = await read(traceChangesSince, { application, since: now() - OVERLAP_MS });
    const after = new Map(changes.map((one) => [Buffer.from(one.traceId).toString('latin1'), one.updatedAt]));
    const news = [...after].filter(([id, updatedAt]) => before && before.get(id) !== updatedAt);
    const traceIds = Buffer.from(news.map(([id]) => id).join(''), 'latin1');
    if (news.length > 0) feed.publish(application, { traceIds, isTruncated: !isComplete });
    return after;
  };
  return startTicker(TICK_MS, async () => {
    const current = version();
    const applications = feed.applications();
    if (applications.length === 0) known = new Map();
    if (applications.length === 0 || (current === seen && applications.every((one) => known.has(one))))
      return;
    try {
      const next = new Map<number, Map<string, number>>();
      for (const application of applications) next.set(application, await follow(application));
      known = next;
      seen = current;
    } catch (error) {
      log.warn('the traces of other processes were not looked up; retrying', { error });
    }
  });
}
