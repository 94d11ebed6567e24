import { WRITE_PROMPTS } from '../../../deliver/trigger.ts';
import { finishJob } from '../../../jobs/calls.ts';
import type { JobKind } from '../../../jobs/job-kind.ts';
import { MAX_DELIVERY_RUNS, promptNotWritten } from '../../../tests/failures.ts';
import { rejectUnwritten } from './calls.ts';
import { writePrompts, type WritingDeps } from './write-prompts.ts';

const GIVEN_UP = promptNotWritten(
  `The service did not write the prompts in ${MAX_DELIVERY_RUNS} runs; see its log for the reason.`,
);

/**
 * Returns the jobs that write the prompts of a run. A run that was interrupted continues: prompts and answers of the
 * model are stored as they arrive.
 */
export const promptWritingKinds = (deps: WritingDeps): Record<string, JobKind> => ({
  [WRITE_PROMPTS]: promptWritingKind(deps),
});

const promptWritingKind = (deps: WritingDeps): JobKind => ({
  total: 16,
  perApplication: 8,
  maxAttempts: 2 * MAX_DELIVERY_RUNS,
  run: async ({ id: jobId, application, key: runId, attempt }, signal) => {
    const { write, now } = deps;
    const run = { application, runId };
    const failure = attempt > MAX_DELIVERY_RUNS ? GIVEN_UP : await writePrompts(deps, run, signal);
    if (failure) while (await write(rejectUnwritten, { ...run, failure, at: now() })) signal.throwIfAborted();
    await write(finishJob, jobId);
  },
});
