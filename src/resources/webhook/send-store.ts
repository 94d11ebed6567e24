import {
  closeDelivery,
  type FinishedDelivery,
  findWebhook,
  insertDelivery,
  type NewDelivery,
  type SealedWebhook,
} from '../../deliver/delivery-store.ts';
import { addEvent, findLivingTest } from '../../deliver/test-store.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { parseId } from '../../traces/ids.ts';

/** For so long traces are known to be of a sample. */
const SAMPLE_MS = 24 * 60 * 60 * 1_000;
/** Old ids that one new sample clears away at most. */
const MAX_CLEARED = 1_000;

/** The webhook that is sent to; null = there is none, or it is switched off. */
const deliverableWebhook = (
  database: Database,
  { application }: { application: number },
): SealedWebhook | null => findWebhook(database, application);

/** What a replay is made of. */
export interface ReplayInput {
  testId: string;
  isSample: boolean;
  body: Uint8Array;
  traceId: Uint8Array;
  /** Attempts made before, of the same test. */
  attempts: number;
}

/** Throws `not_found`, and `conflict` when this delivery is not to be sent again. */
function replayInput(
  database: Database,
  { application, id }: { application: number; id: string },
): ReplayInput {
  const row = database.get<{ testId: string; isSample: number; body: Uint8Array; traceparent: string }>(
    `SELECT test_id AS testId, is_sample AS isSample, request_body AS body,
       request_headers ->> 'traceparent' AS traceparent
     FROM delivery WHERE application = ? AND id = ?`,
    application,
    id,
  );
  if (!row) throw new AppError('not_found', 'delivery not found');
  const { testId, body, traceparent } = row;
  const isSample = row.isSample === 1;
  if (body.length === 0)
    throw new AppError('conflict', 'What was sent is gone: the trace of this test was deleted');
  checkReplayable(database, { application, testId, isSample });
  const made = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM delivery WHERE application = ? AND test_id = ?',
    application,
    testId,
  );
  const [, traceId = ''] = traceparent.split('-');
  return { testId, isSample, body, traceId: parseId(traceId), attempts: made?.n ?? 0 };
}

function checkReplayable(
  database: Database,
  { application, testId, isSample }: { application: number; testId: string; isSample: boolean },
): void {
  if (isSample) return;
  const status = findLivingTest(database, application, testId)?.status ?? 'gone';
  if (status !== 'FAILED')
    throw new AppError('conflict', `Only samples and failed tests are replayed; this test is ${status}`);
}

/** Writes down that a sample, or a replay, is about to be sent. Throws `conflict` as `replayInput` does. */
function beginSend(database: Database, delivery: NewDelivery): void {
  checkReplayable(database, delivery);
  if (delivery.isSample) rememberSample(database, delivery);
  insertDelivery(database, delivery);
}

function rememberSample(database: Database, { application, testId, sentAt }: NewDelivery): void {
  database.run(
    `DELETE FROM sample_test WHERE (application, test_id) IN
       (SELECT application, test_id FROM sample_test WHERE application = ? AND created_at < ? LIMIT ?)`,
    application,
    sentAt - SAMPLE_MS,
    MAX_CLEARED,
  );
  database.run(
    'REPLACE INTO sample_test (application, test_id, created_at) VALUES (?, ?, ?)',
    application,
    parseId(testId),
    sentAt,
  );
}

/** Stores how a sample or a replay ended. A failed test whose replay was answered 200 goes on. */
function finishSend(
  database: Database,
  { delivery, isDelivered }: { delivery: FinishedDelivery; isDelivered: boolean },
): void {
  closeDelivery(database, delivery);
  const { application, testId, finishedAt: at } = delivery;
  if (!isDelivered || findLivingTest(database, application, testId)?.status !== 'FAILED') return;
  database.run(
    `UPDATE test SET status = 'IN_PROGRESS', phase = 'delivered', failure = NULL, delivered_at = ?1,
       unknown_since = NULL, check_at = ?1, modified_at = ?1
     WHERE application = ?2 AND id = ?3`,
    at,
    application,
    testId,
  );
  addEvent(database, application, testId, at, 'delivered', 'A replay was answered 200; the test goes on.');
}

export const sendCommands = { beginSend, finishSend };
export const sendQueries = { deliverableWebhook, replayInput };
