import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Ticker } from '../../runtime/ticker.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { startLookout } from '../../storage/store-watch.ts';
import { findRelapse, listResolved, reopenRelapsed } from './calls.ts';
import { type KnownDays, NO_DAYS, type ResolvedIssue } from './resolved-issue.ts';

const TICK_MS = 1_000;
/** Looking rests as many times as long as a look took, so that it uses a twentieth of the time, however many issues are resolved. */
const REST = 20;
/** Issues that one query returns. */
const PAGE = 100;
/** Most issues of which counts are kept between two looks. */
const MAX_KNOWN = 2_000;

export interface RelapseOptions {
  read: Read;
  write: Write;
  metrics: Pick<Metrics, 'issuesReopened'>;
  log: Log;
  now: () => number;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
}

/** Starts looking for resolved issues whose problem has come back, and opens them again. */
export function startIssueRelapses({ read, write, metrics, log, now, version }: RelapseOptions): Ticker {
  const controller = new AbortController();
  const { signal: stopping } = controller;
  const known = new Map<string, KnownDays>();
  let readyAt = 0;

  async function lookAt(issue: ResolvedIssue): Promise<void> {
    const found = await read(findRelapse, { issue, known: known.get(issue.id) ?? NO_DAYS, now: now() });
    known.delete(issue.id);
    if (found.known.days.length > 0) known.set(issue.id, found.known);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    const { relapse } = found;
    if (relapse === null) return;
    const { application, id, resolvedAt } = issue;
    const isReopened = await write(reopenRelapsed, { application, id, resolvedAt, relapse, at: now() });
    if (isReopened) metrics.issuesReopened.inc({ evidence: relapse.kind.toLowerCase() });
  }

  async function lookAtAll(): Promise<void> {
    for (let after: ResolvedIssue | null = null; ; ) {
      const page: ResolvedIssue[] = await read(listResolved, { after, limit: PAGE });
      for (const issue of page) {
        if (stopping.aborted) return;
        await lookAt(issue);
      }
      after = page.at(-1) ?? null;
      if (after === null || page.length < PAGE) return;
    }
  }

  const lookout = startLookout({
    version,
    now,
    everyMs: TICK_MS,
    look: async () => {
      if (performance.now() < readyAt) return now() + TICK_MS;
      const since = performance.now();
      await lookAtAll();
      const end = performance.now();
      readyAt = end + REST * (end - since);
      return null;
    },
    onError: (error) => log.warn('resolved issues were not looked at; retrying', { error }),
  });
  return {
    stop: async () => {
      controller.abort();
      await lookout.stop();
    },
  };
}
