import { AppError } from '../errors.ts';
import { isVoidLease } from '../jobs/lease.ts';
import { dropJob, finishJob, isRunning, retryJob } from '../jobs/store.ts';
import type { Database } from '../storage/database.ts';
import { bytesOf, jsonField } from '../storage/dialect.ts';
import { CANCELLED, type Failure } from '../tests/failures.ts';
import { unquoted } from '../tests/message-quote.ts';
import { tests } from '../tests/record.ts';
import { applyEvent, findTest, type TestHooks, type TestInFlight, type TestKey } from '../tests/store.ts';
import { stateAfter, type TestEvent } from '../tests/transitions.ts';
import { deliveries, deliveryEnds, type FinishedDelivery, type NewDelivery } from './delivery-record.ts';
import type { PayloadOf } from './payload.ts';

/** Kind of the jobs that deliver tests. The key of a job is the id of its test. */
export const DELIVER = 'deliver';

/** Message of an attempt whose result is unknown. */
export const NEVER_ANSWERED = 'No response was stored.';

/** Endpoint of the tests of an application as it is stored, with encrypted secrets and headers. */
export interface SealedWebhook {
  application: number;
  url: string;
  headers: Uint8Array | null;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  /** Time until which the previous secret signs too, in Unix milliseconds. */
  previousUntil: number | null;
  timeoutMs: number;
}

const payloads = tests.pick('id', 'prompt', 'promptObject', 'metadata', 'experiment', 'traceId');

export interface DeliveryInput {
  test: TestInFlight;
  payload: PayloadOf;
  /** Trace id of the test, 16 bytes. */
  traceId: Uint8Array;
  /** Webhook of the application; null when there is none or it is disabled. */
  webhook: SealedWebhook | null;
  /** Number of earlier attempts. */
  attempts: number;
}

/** Returns everything that the delivery of a test needs; null when the test does not exist. */
export function deliveryInput(database: Database, key: TestKey): DeliveryInput | null {
  const test = findTest(database, key);
  if (!test) return null;
  const { id: testId, traceId, ...rest } = payloads.require(database, key.application, key.testId);
  const webhook = findWebhook(database, key.application);
  const attempts = countDeliveries(database, key);
  return { test, payload: { testId, ...rest }, traceId, webhook, attempts };
}

export const countDeliveries = (database: Database, { application, testId }: TestKey): number =>
  database.get<{ n: number }>(
    'SELECT count(*) AS n FROM delivery WHERE application = :application AND test_id = :testId',
    { application, testId },
  )?.n ?? 0;

/** Returns the webhook of an application if it is enabled. */
export function findWebhook(database: Database, application: number): SealedWebhook | null {
  return (
    database.get<SealedWebhook>(
      `SELECT application, url, headers, secret, previous_secret AS "previousSecret",
         previous_until AS "previousUntil", timeout_ms AS "timeoutMs"
       FROM webhook WHERE application = :application AND enabled = 1`,
      { application },
    ) ?? null
  );
}

/**
 * Records that a test is about to be sent. Once the record is durable, the attempt is known even if the process ends.
 * Returns false, and ends the job, when the test must no longer be sent; and also when another process has taken the job over.
 */
export function beginDelivery(
  database: Database,
  { delivery, jobId }: { delivery: NewDelivery; jobId: number },
  hooks: TestHooks,
): boolean {
  const { application, testId, attempt, sentAt: at } = delivery;
  if (!isRunning(database, jobId)) return false;
  const event = { type: 'send' } as const;
  const test = findTest(database, { application, testId });
  const isSendable = test !== undefined && stateAfter(test, event) !== null;
  if (!isSendable || interruptDelivery(database, { application, testId, at }, hooks)) {
    finishJob(database, jobId);
    return false;
  }
  insertDelivery(database, delivery);
  database.run(
    `UPDATE delivery SET lease = (SELECT lease FROM job WHERE id = :jobId)
     WHERE application = :application AND id = :id`,
    { application, id: delivery.id, jobId },
  );
  applyEvent(database, { test, event, at, detail: `Attempt ${attempt} was sent.` }, hooks);
  return true;
}

export const insertDelivery = (database: Database, { application, ...delivery }: NewDelivery): void =>
  deliveries.insert(database, { application, at: delivery.sentAt }, delivery);

/** Result of an attempt for its test: it has failed, or it is retried at `retryAt`. */
export interface DeliveryResult {
  failure: Failure | null;
  retryAt: number | null;
}

export function finishDelivery(
  database: Database,
  { delivery, result, jobId }: { delivery: FinishedDelivery; result: DeliveryResult; jobId: number },
  hooks: TestHooks,
): void {
  closeDelivery(database, delivery);
  const { application, testId, finishedAt: at } = delivery;
  const { failure, retryAt } = result;
  const test = findTest(database, { application, testId });
  if (test && failure !== null && retryAt !== null) {
    const detail = `${failure.message} The delivery is retried.`;
    if (applyEvent(database, { test, event: { type: 'retry' }, at, detail }, hooks))
      return retryJob(database, { id: jobId, dueAt: retryAt, reason: failure.message });
  }
  finishJob(database, jobId);
  if (!test || retryAt !== null) return;
  const event: TestEvent = failure === null ? { type: 'answer', at } : { type: 'fail', failure };
  // Checks the test at once, because spans may have arrived before the response.
  applyEvent(database, { test, event, at, checkAt: at }, hooks);
}

/** Stores the end of an attempt; returns false if its texts were erased in the meantime, and stores no texts then. */
export function closeDelivery(database: Database, delivery: FinishedDelivery): boolean {
  const { application, id, finishedAt: at } = delivery;
  const isErased = hasNoBody(database, { application, id });
  const end = isErased ? withoutTexts(delivery) : delivery;
  deliveryEnds.update(database, { application, id, at }, end);
  return !isErased;
}

/** Reports whether the body of a delivery was erased; each is sent with one. */
export const hasNoBody = (
  database: Database,
  { application, id }: { application: number; id: string },
): boolean =>
  database.get(
    'SELECT 1 FROM delivery WHERE application = :application AND id = :id AND length(request_body) = 0',
    { application, id },
  ) !== undefined;

const withoutTexts = (delivery: FinishedDelivery): FinishedDelivery => ({
  ...delivery,
  message: delivery.message === null ? null : unquoted(delivery.message),
  responseHeaders: null,
  responseBody: null,
});

export interface RejectDelivery extends TestKey {
  jobId: number;
  failure: Failure;
  at: number;
}

/** Fails a test that cannot be sent, and ends its job. */
export function rejectDelivery(
  database: Database,
  { jobId, failure, at, ...key }: RejectDelivery,
  hooks: TestHooks,
): void {
  finishJob(database, jobId);
  const test = findTest(database, key);
  if (test) applyEvent(database, { test, event: { type: 'reject', failure }, at, checkAt: null }, hooks);
}

/** Cancels a test. Throws `not_found`, and `conflict` when the test has already ended. */
export function cancelTest(
  database: Database,
  { application, id: testId, at }: { application: number; id: string; at: number },
  hooks: TestHooks,
): void {
  const test = findTest(database, { application, testId });
  if (!test) throw new AppError('not_found', 'test not found');
  const event = { type: 'cancel', failure: CANCELLED } as const;
  if (!applyEvent(database, { test, event, at, checkAt: null }, hooks))
    throw new AppError('conflict', `The test is already ${test.status}`);
  dropJob(database, { kind: DELIVER, key: testId });
}

/** An attempt that another process began and did not finish. */
export interface InterruptedDelivery extends TestKey {
  traceId: Uint8Array;
  spanId: Uint8Array;
  url: string;
  /** Time when the request was sent, in Unix milliseconds. */
  sentAt: number;
}

/** Most attempts that one command closes and one query returns. */
const STEP_DELIVERIES = 500;

/** SQL for the trace id in the `traceparent` header that was sent. */
const TRACE_ID = `substr(${jsonField('request_headers', 'traceparent')}, 4, 32)`;

/**
 * Time after which an attempt without a lease is interrupted: a sample, or a replay, which no job sends. Longer than any
 * time limit of a webhook.
 */
const LOST_MS = 30 * 60_000;

/** Processes whose attempts are interrupted. */
interface LookedAt {
  /** True for those whose lease is void; false for all, as when a process starts that alone uses the store. */
  isShared: boolean;
  /** Current time, in Unix milliseconds. */
  at: number;
}

const OF_VOID_LEASES = `finished_at IS NULL AND CASE WHEN lease IS NULL THEN sent_at < CAST(:at AS BIGINT) - ${LOST_MS}
  ELSE ${isVoidLease('delivery.lease', ':at')} END`;
const interruptedOf = (isShared: boolean): string => (isShared ? OF_VOID_LEASES : 'finished_at IS NULL');

/** Returns some of the attempts that other processes began and cannot finish, oldest first. */
export function interruptedDeliveries(database: Database, { isShared, at }: LookedAt): InterruptedDelivery[] {
  return database.all<InterruptedDelivery>(
    `SELECT application, test_id AS "testId", ${bytesOf(TRACE_ID)} AS "traceId",
       span_id AS "spanId", url, sent_at AS "sentAt"
     FROM delivery WHERE ${interruptedOf(isShared)} ORDER BY sent_at LIMIT ${STEP_DELIVERIES}`,
    { at },
  );
}

/**
 * Closes attempts that `interruptedDeliveries` returned, unless they have ended since. They are not sent again, because the app
 * may have received them; their tests wait a while for spans. If the process ends in between, the next process finds the
 * attempts that are still open.
 */
export function recoverDeliveries(
  database: Database,
  { interrupted, isShared, at }: LookedAt & { interrupted: readonly TestKey[] },
  hooks: TestHooks,
): void {
  const open = interruptedOf(isShared);
  for (const { application, testId } of interrupted) {
    if (interruptDelivery(database, { application, testId, at }, hooks, open))
      dropJob(database, { kind: DELIVER, key: testId });
  }
}

/** Closes an attempt that was sent and whose result was never stored; returns whether there was one. */
function interruptDelivery(
  database: Database,
  { at, ...key }: TestKey & { at: number },
  hooks: TestHooks,
  open = interruptedOf(false),
): boolean {
  const closed = database.run(
    `UPDATE delivery SET outcome = 'unknown', message = :message, finished_at = :at
     WHERE application = :application AND test_id = :testId AND ${open}`,
    { ...key, at, message: NEVER_ANSWERED },
  );
  const test = closed > 0 ? findTest(database, key) : undefined;
  if (test) applyEvent(database, { test, event: { type: 'interrupt', at }, at, checkAt: at }, hooks);
  return closed > 0;
}
