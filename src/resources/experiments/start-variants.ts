import { finishJob } from '../../jobs/calls.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Write } from '../../storage/calls.ts';
import { endVariantStart, startVariantTests } from './calls.ts';
import { START_VARIANT } from './run-variant.ts';

/** Number of runs after which the variant continues with the tests that were started. */
const MAX_RUNS = 10;

interface StartVariantsDeps {
  write: Write;
  now: () => number;
}

/** Starts the tests of variants whose request was interrupted. */
export const startVariantsKind = ({ write, now }: StartVariantsDeps): Record<string, JobKind> => ({
  [START_VARIANT]: {
    total: 2,
    perApplication: 1,
    maxAttempts: 2 * MAX_RUNS,
    run: async ({ id: jobId, application, key: id, attempt }, signal) => {
      if (attempt > MAX_RUNS) await write(endVariantStart, { application, id, at: now() });
      while ((await write(startVariantTests, { application, id, at: now() })).hasMore)
        signal.throwIfAborted();
      await write(finishJob, jobId);
    },
  },
});
