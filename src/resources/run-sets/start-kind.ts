import { finishJob } from '../../jobs/calls.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Write } from '../../storage/calls.ts';
import { cancelRunSet, continueRunSet } from './calls.ts';
import { START_RUN_SET } from './store.ts';

/** Number of runs after which a run set that cannot be started is cancelled. */
const MAX_RUNS = 10;

interface StartRunSetDeps {
  write: Write;
  now: () => number;
}

/** Starts the tests of run sets that their first command has left, also after a restart. */
export const startRunSetKind = ({ write, now }: StartRunSetDeps): Record<string, JobKind> => ({
  [START_RUN_SET]: {
    total: 2,
    perApplication: 1,
    maxAttempts: 2 * MAX_RUNS,
    run: async ({ id: jobId, application, key: id, attempt }, signal) => {
      if (attempt > MAX_RUNS)
        // An attempt before this one may have cancelled all of it.
        while ((await write(cancelRunSet, { application, id, at: now(), isFirst: false })).hasMore)
          signal.throwIfAborted();
      while (await write(continueRunSet, { application, id, at: now() })) signal.throwIfAborted();
      await write(finishJob, jobId);
    },
  },
});
