import { AppError } from '../../errors.ts';
import { finishJob } from '../../jobs/calls.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { beginUpload, endUpload, readUploadPart, takeUploadRows } from './calls.ts';
import { importBatches } from './import-rows.ts';
import { dropParts } from './upload-parts.ts';
import type { UploadWithReport } from './upload-contract.ts';

/** Number of runs after which processing fails; the remaining runs only store that. */
export const MAX_PROCESSING_RUNS = 5;
const GIVEN_UP = 'The service could not finish the file; see its log for the reason.';

export type QuickstartJobDeps = StoreCalls;

/** Creates drafts from uploads. Skips rows that an interrupted run has stored. */
export const processUploads = (deps: QuickstartJobDeps): JobKind => ({
  total: 2,
  perApplication: 1,
  maxAttempts: 2 * MAX_PROCESSING_RUNS,
  run: async ({ id: jobId, application, key: id, attempt }, signal) => {
    const { write, now } = deps;
    const upload = await write(beginUpload, { application, id, at: now() });
    if (upload.status === 'PROCESSING') {
      const fault =
        attempt > MAX_PROCESSING_RUNS ? GIVEN_UP : await takeFile(deps, application, upload, signal);
      await write(endUpload, { application, id, fault, at: now() });
    }
    await dropParts(write, { application, id }, signal);
    await write(finishJob, jobId);
  },
});

/** Imports the file; returns its fault, or null. */
async function takeFile(
  { read, write, now }: QuickstartJobDeps,
  application: number,
  { id, materialType, report }: UploadWithReport,
  signal: AbortSignal,
): Promise<string | null> {
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for (let seq = 0; ; seq++) {
      const bytes = await read(readUploadPart, { application, id, seq });
      if (!bytes) return;
      yield bytes;
    }
  };
  try {
    let skip = report.rows;
    for await (const { rows, unusedColumns } of importBatches(parts(), { materialType, skip })) {
      signal.throwIfAborted();
      await write(takeUploadRows, { application, id, skip, rows, unusedColumns, at: now() });
      skip += rows.length;
    }
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    const message = error.issues[0]?.message ?? error.message;
    return message.charAt(0).toUpperCase() + message.slice(1);
  }
}
