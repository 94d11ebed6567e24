import type { Database } from '../storage/database.ts';
import { parseId } from '../traces/ids.ts';
import type { TestKey } from './store.ts';

/**
 * Reports whether a trace that was linked to the test has been deleted, by a user, an erasure or retention. What such a test did
 * is no longer known; a test that never had a trace is another matter.
 */
export const isTraceOfTestDeleted = (database: Database, { application, testId }: TestKey): boolean =>
  database.get(
    // Links to a deleted trace remain until its removal reaches them, and marks the test.
    `SELECT 1 FROM test WHERE application = :application AND id = :testId AND (trace_deleted = 1 OR EXISTS (
       SELECT 1 FROM trace_test AS link WHERE link.application = :application AND link.test_id = :bytes
         AND NOT EXISTS (SELECT 1 FROM trace WHERE trace.tkey = link.tkey)))`,
    { application, testId, bytes: parseId(testId) },
  ) !== undefined;
