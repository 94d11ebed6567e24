import type { Database } from '../storage/database.ts';
import { parseId } from '../traces/ids.ts';
import { hasDeletedTrace } from '../traces/traces-of-test.ts';
import type { TestKey } from './store.ts';

/**
 * Reports whether a trace with what the test did has been deleted, by a user, an erasure or retention. What such a test did
 * is no longer known; a test that never had a trace is another matter.
 */
export const isTraceOfTestDeleted = (database: Database, { application, testId }: TestKey): boolean =>
  database.get(
    // A mark is stored once the removal of the trace reaches its links.
    `SELECT 1 FROM test WHERE application = :application AND id = :testId
       AND (trace_deleted = 1 OR ${hasDeletedTrace(':bytes')})`,
    { application, testId, bytes: parseId(testId) },
  ) !== undefined;
