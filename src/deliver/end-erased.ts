import { dropJob } from '../jobs/store.ts';
import type { Database } from '../storage/database.ts';
import { type Failure, TEXTS_ERASED, TRACE_DELETED } from '../tests/failures.ts';
import { tests } from '../tests/record.ts';
import { applyEvent, findTest, type TestHooks, type TestKey } from '../tests/store.ts';
import { rejectLaterSpans } from '../traces/delete.ts';
import { DELIVER } from './delivery-store.ts';

const traces = tests.pick('id', 'traceId');

/**
 * Ends a test in flight whose text was erased, so that it is neither sent nor retried. Spans that the app sends later, in the
 * trace of the delivery, are rejected.
 */
export function endErasedTest(
  database: Database,
  { at, ...key }: TestKey & { at: number },
  hooks: TestHooks,
): void {
  end(database, { ...key, at, failure: TEXTS_ERASED }, hooks);
  const test = traces.find(database, key.application, key.testId);
  if (test) rejectLaterSpans(database, { application: key.application, traceId: test.traceId, at });
}

/** Ends a test whose trace was deleted before its app has responded; one that waits for spans is checked by itself. */
export function endUnanswered(
  database: Database,
  { deletedAt: at, ...key }: TestKey & { deletedAt: number },
  hooks: TestHooks,
): true {
  const phase = findTest(database, key)?.phase;
  if (phase === 'queued' || phase === 'delivering')
    end(database, { ...key, at, failure: TRACE_DELETED }, hooks);
  return true;
}

function end(
  database: Database,
  { failure, at, ...key }: TestKey & { failure: Failure; at: number },
  hooks: TestHooks,
): void {
  const test = findTest(database, key);
  if (!test) return;
  if (applyEvent(database, { test, event: { type: 'erase', failure }, at, checkAt: null }, hooks))
    dropJob(database, { kind: DELIVER, key: key.testId });
}
