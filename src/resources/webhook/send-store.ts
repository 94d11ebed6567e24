import { deliveries, type FinishedDelivery, type NewDelivery } from '../../deliver/delivery-record.ts';
import {
  closeDelivery,
  countDeliveries,
  findWebhook,
  hasNoBody,
  insertDelivery,
  type SealedWebhook,
} from '../../deliver/delivery-store.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { withHooks } from '../../storage/operations.ts';
import { applyEvent, findTest, type TestHooks } from '../../tests/store.ts';
import { parseId } from '../../traces/ids.ts';

/** Milliseconds for which traces are recognised as those of a sample. */
const SAMPLE_MS = 24 * 60 * 60 * 1_000;
/** Most expired ids that one new sample removes. */
const MAX_CLEARED = 1_000;

/** Returns the webhook of an application; null when there is none, or it is disabled. */
const deliverableWebhook = (
  database: Database,
  { application }: { application: number },
): SealedWebhook | null => findWebhook(database, application);

/** Data needed for a replay. */
export interface ReplayInput {
  testId: string;
  isSample: boolean;
  body: Uint8Array;
  traceId: Uint8Array;
  /** Number of earlier attempts for the same test. */
  attempts: number;
}

/** Returns the data of a replay. Throws `not_found`, and `conflict` when this delivery must not be sent again. */
function replayInput(
  database: Database,
  { application, id }: { application: number; id: string },
): ReplayInput {
  const delivery = deliveries.require(database, application, id);
  const { testId, isSample, requestBody: body, requestHeaders } = delivery;
  if (body.length === 0) throw bodyErased();
  checkReplayable(database, { application, testId, isSample });
  const [, traceId = ''] = (requestHeaders['traceparent'] ?? '').split('-');
  const attempts = countDeliveries(database, { application, testId });
  return { testId, isSample, body, traceId: parseId(traceId), attempts };
}

const bodyErased = (): AppError =>
  new AppError('conflict', 'The body cannot be sent again because the trace of this test was deleted');

function checkReplayable(
  database: Database,
  { application, testId, isSample }: { application: number; testId: string; isSample: boolean },
): void {
  if (isSample) return;
  const status = findTest(database, { application, testId })?.status ?? 'gone';
  if (status !== 'FAILED')
    throw new AppError('conflict', `Only samples and failed tests can be replayed; this test is ${status}`);
}

/** Records that a sample or a replay is about to be sent. Throws the `conflict` errors of `replayInput`. */
function beginSend(database: Database, delivery: NewDelivery): void {
  checkReplayable(database, delivery);
  const { application, replayOf } = delivery;
  // An erasure may have come between the read of the body and this command.
  if (replayOf && hasNoBody(database, { application, id: replayOf })) throw bodyErased();
  if (delivery.isSample) rememberSample(database, delivery);
  insertDelivery(database, delivery);
}

function rememberSample(database: Database, { application, testId, sentAt }: NewDelivery): void {
  database.run(
    `DELETE FROM sample_test WHERE (application, test_id) IN
       (SELECT application, test_id FROM sample_test WHERE application = :application AND created_at < :before LIMIT :limit)`,
    { application, before: sentAt - SAMPLE_MS, limit: MAX_CLEARED },
  );
  database.run(
    `INSERT INTO sample_test (application, test_id, created_at) VALUES (:application, :testId, :sentAt)
     ON CONFLICT (application, test_id) DO UPDATE SET created_at = :sentAt`,
    { application, testId: parseId(testId), sentAt },
  );
}

/** Stores the result of a sample or a replay. A failed test whose replay got the response 200 resumes. */
function finishSend(
  database: Database,
  { delivery, isDelivered }: { delivery: FinishedDelivery; isDelivered: boolean },
  hooks: TestHooks,
): void {
  const isKept = closeDelivery(database, delivery);
  const { application, testId, finishedAt: at } = delivery;
  const test = isDelivered && isKept ? findTest(database, { application, testId }) : undefined;
  if (test) applyEvent(database, { test, event: { type: 'replay', at }, at, checkAt: at }, hooks);
}

export const sendCommands = (hooks: TestHooks) => ({
  beginSend,
  finishSend: withHooks(hooks)(finishSend),
});
export const sendQueries = { deliverableWebhook, replayInput };
