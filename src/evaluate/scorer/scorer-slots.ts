import type { Metrics } from '../../runtime/metrics.ts';
import type { EndpointWait } from '../../runtime/endpoint-wait.ts';
import { PacedSlots } from '../../runtime/paced-slots.ts';

/** Requests to a scorer at once: in the beginning, and at most. */
const FIRST = 4;
const MOST = 32;
/** Longest time for which a scorer may reject requests as too many. */
export const MAX_WAIT_MS = 10 * 60_000;
/** Most scorers of which something is remembered. */
const MAX_KNOWN = 1_000;

/** Creates the turns at scorers, with their metrics. */
export function scorerSlots(metrics: Pick<Metrics, 'scorerRequests' | 'beforeScrape'>): ScorerSlots {
  const slots = new ScorerSlots();
  metrics.beforeScrape(() => {
    const { running, waiting } = slots.counts();
    metrics.scorerRequests.set({ state: 'running' }, running);
    metrics.scorerRequests.set({ state: 'waiting' }, waiting);
  });
  return slots;
}

/** Turns at the scorers of all applications. */
export class ScorerSlots {
  private readonly scorers = new Map<string, PacedSlots>();

  /** Returns the turns at a scorer of an application. */
  of(application: number, url: string): PacedSlots {
    const key = `${application} ${url}`;
    let slots = this.scorers.get(key);
    if (slots === undefined) {
      if (this.scorers.size >= MAX_KNOWN) this.forgetIdle();
      slots = new PacedSlots({ most: MOST, first: FIRST, maxWaitMs: MAX_WAIT_MS });
      this.scorers.set(key, slots);
    }
    return slots;
  }

  /** Returns what evals of a scorer wait for; null if none waits or it keeps up. */
  waitOf(application: number, url: string): EndpointWait | null {
    const slots = this.scorers.get(`${application} ${url}`);
    return slots !== undefined && slots.waiting > 0 ? slots.waits() : null;
  }

  /** Returns the numbers of requests in progress and of those that wait for their turn. */
  counts(): { running: number; waiting: number } {
    const all = [...this.scorers.values()];
    return {
      running: all.reduce((sum, slots) => sum + slots.state().running, 0),
      waiting: all.reduce((sum, slots) => sum + slots.waiting, 0),
    };
  }

  private forgetIdle(): void {
    for (const [key, slots] of this.scorers) if (slots.isIdle) this.scorers.delete(key);
  }
}
