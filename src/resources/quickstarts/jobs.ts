import { AppError } from '../../errors.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Log } from '../../runtime/log.ts';
import { brokenUploads, completeQuickstart, failQuickstart } from './calls.ts';
import { COMPLETE_QUICKSTART } from './complete.ts';
import { MAX_PROCESSING_RUNS, processUploads, type QuickstartJobDeps } from './process-upload.ts';
import { dropParts } from './upload-parts.ts';
import { PROCESS_UPLOAD } from './upload-store.ts';

const GIVEN_UP = 'The service could not finish the completion; see its log for the reason.';

/** Opens the jobs of quickstarts, and removes the parts of uploads that a stop interrupted. */
export async function openQuickstarts(
  deps: QuickstartJobDeps & { log: Log; isShared: boolean },
): Promise<Readonly<Record<string, JobKind>>> {
  const { read, write, log, isShared } = deps;
  // In a shared store, uploads without an end may be in progress in another process.
  const broken = isShared ? [] : await read(brokenUploads, undefined);
  if (broken.length > 0)
    log.warn('uploads were in progress when the service stopped', { count: broken.length });
  for (const upload of broken) await dropParts(write, upload);
  return { [PROCESS_UPLOAD]: processUploads(deps), [COMPLETE_QUICKSTART]: completeQuickstarts(deps) };
}

/** Completes quickstarts step by step; an interrupted run is continued by the next one. */
const completeQuickstarts = ({ write, now }: QuickstartJobDeps): JobKind => ({
  total: 2,
  perApplication: 1,
  maxAttempts: 2 * MAX_PROCESSING_RUNS,
  run: async ({ id: jobId, application, key: id, attempt }, signal) => {
    try {
      if (attempt > MAX_PROCESSING_RUNS) throw new AppError('conflict', GIVEN_UP);
      while (!(await write(completeQuickstart, { application, id, jobId, at: now() })))
        signal.throwIfAborted();
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      await write(failQuickstart, { application, id, jobId, reason: error.message, at: now() });
    }
  },
});
