export interface CallUnderWay {
  /** Milliseconds, as `performance.now()` tells them. */
  since: number;
}

/**
 * The one that is soonest free, as far as can be told: it has no calls, or its oldest call is the youngest. Calls are
 * answered in turn, and one that has taken long, as a report may, is likely to take longer still. `calls` has the oldest
 * first.
 */
export const freest = <Worker extends { calls: ReadonlySet<CallUnderWay> }>(
  workers: readonly Worker[],
): Worker =>
  workers.reduce((best, worker) => {
    const [a, b] = [oldest(worker), oldest(best)];
    return a > b || (a === b && worker.calls.size < best.calls.size) ? worker : best;
  });

const oldest = ({ calls }: { calls: ReadonlySet<CallUnderWay> }): number =>
  calls.values().next().value?.since ?? Number.POSITIVE_INFINITY;
