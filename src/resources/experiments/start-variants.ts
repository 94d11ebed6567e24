import type { jobCommands } from '../../jobs/operations.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Call } from '../../storage/operations.ts';
import { START_VARIANT } from './run-variant.ts';
import type { variantCommands } from './variant-store.ts';

/** Number of runs after which the variant continues with the tests that were started. */
const MAX_RUNS = 10;

interface StartVariantsDeps {
  write: Call<
    Pick<typeof variantCommands, 'startVariantTests' | 'endVariantStart'> &
      Pick<typeof jobCommands, 'finishJob'>
  >;
  now: () => number;
}

/** Starts the tests of variants whose request was interrupted. */
export const startVariantsKind = ({ write, now }: StartVariantsDeps): Record<string, JobKind> => ({
  [START_VARIANT]: {
    total: 2,
    perApplication: 1,
    maxAttempts: 2 * MAX_RUNS,
    run: async ({ id: jobId, application, key: id, attempt }, signal) => {
      if (attempt > MAX_RUNS) await write('endVariantStart', { application, id, at: now() });
      while ((await write('startVariantTests', { application, id, at: now() })).hasMore)
        signal.throwIfAborted();
      await write('finishJob', jobId);
    },
  },
});
