import type { Database } from '../storage/database.ts';
import { isTraceOfTestDeleted } from '../tests/deleted-traces.ts';
import type { Verdict } from './evaluator.ts';
import type { Target } from './target.ts';

/** Reason of evals that were not judged because the trace of their test, or the trace itself, was deleted. */
export const DELETED_REASON = 'The trace was deleted.';

/** Verdict of an eval whose evidence was deleted before it was judged. */
export const DELETED_VERDICT: Verdict = { status: 'SKIPPED', reason: DELETED_REASON };

/**
 * Reports whether what a target did is no longer known, because a trace was deleted. Its verdicts stay as they are: a verdict
 * about what is left would be about something else. A test whose trace has no output is judged: that is a fail.
 */
export const isEvidenceDeleted = (
  database: Database,
  { application, target }: { application: number; target: Target },
): boolean =>
  'testId' in target
    ? isTraceOfTestDeleted(database, { application, testId: target.testId })
    : database.get('SELECT 1 FROM trace WHERE application = :application AND trace_id = :traceId', {
        application,
        traceId: target.traceId,
      }) === undefined;
