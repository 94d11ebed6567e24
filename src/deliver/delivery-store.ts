import type { Database } from '../storage/sqlite/database.ts';
import { finishJob, retryJob } from '../jobs/store.ts';
import type { Failure, TestState } from './test-state.ts';
import {
  addEvent,
  advanceTest,
  DELIVER,
  findLivingTest,
  type LivingTest,
  type OnTestEnded,
} from './test-store.ts';

/** The message of an attempt whose end nobody knows. */
export const NEVER_ANSWERED = 'The answer was never stored.';

/** Where the tests of an application go, as it is stored: secrets and headers sealed. */
export interface SealedWebhook {
  application: number;
  url: string;
  headers: Uint8Array | null;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  /** Until when the previous secret signs too; Unix milliseconds. */
  previousUntil: number | null;
  timeoutMs: number;
}

export interface DeliveryInput {
  test: LivingTest;
  /** What the payload is made of, as JSON text where it is JSON. */
  prompt: string;
  promptObject: string | null;
  metadata: string | null;
  experiment: string | null;
  traceId: Uint8Array;
  /** null = none, or switched off. */
  webhook: SealedWebhook | null;
  /** Attempts made before. */
  attempts: number;
}

/** All that the delivery of a test needs to know; null when there is no such test. */
export function deliveryInput(
  database: Database,
  { application, testId }: { application: number; testId: string },
): DeliveryInput | null {
  const test = findLivingTest(database, application, testId);
  if (!test) return null;
  const row = database.get<Omit<DeliveryInput, 'test' | 'webhook' | 'attempts'>>(
    `SELECT prompt, prompt_object AS promptObject, metadata, experiment, trace_id AS traceId
     FROM test WHERE application = ? AND id = ?`,
    application,
    testId,
  ) as Omit<DeliveryInput, 'test' | 'webhook' | 'attempts'>;
  const made = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM delivery WHERE application = ? AND test_id = ?',
    application,
    testId,
  );
  return { test, ...row, webhook: findWebhook(database, application), attempts: made?.n ?? 0 };
}

/** The webhook of an application if it is switched on. */
export function findWebhook(database: Database, application: number): SealedWebhook | null {
  return (
    database.get<SealedWebhook>(
      `SELECT application, url, headers, secret, previous_secret AS previousSecret, previous_until AS previousUntil,
         timeout_ms AS timeoutMs
       FROM webhook WHERE application = ? AND enabled = 1`,
      application,
    ) ?? null
  );
}

export interface NewDelivery {
  id: string;
  application: number;
  testId: string;
  attempt: number;
  isSample: boolean;
  replayOf: string | null;
  url: string;
  spanId: Uint8Array;
  /** With the values the customer configured already hidden. */
  requestHeaders: Readonly<Record<string, string>>;
  requestBody: Uint8Array;
  sentAt: number;
}

/**
 * Writes down that a test is about to be sent: once this is durable, an end of the process leaves a trace of the attempt.
 * False when the test is not to be sent any more; its job is done then.
 */
export function beginDelivery(
  database: Database,
  { delivery, jobId }: { delivery: NewDelivery; jobId: number },
): boolean {
  const { application, testId, sentAt } = delivery;
  const seen = findLivingTest(database, application, testId);
  if (!seen || (seen.status !== 'PENDING' && seen.status !== 'IN_PROGRESS') || seen.deliveredAt !== null) {
    finishJob(database, jobId);
    return false;
  }
  if (hasOpenDelivery(database, application, testId)) {
    leaveUnknown(database, { application, testId, at: sentAt });
    finishJob(database, jobId);
    return false;
  }
  insertDelivery(database, delivery);
  database.run(
    `UPDATE test SET status = 'IN_PROGRESS', phase = 'delivering', modified_at = ? WHERE application = ? AND id = ?`,
    sentAt,
    application,
    testId,
  );
  addEvent(database, application, testId, sentAt, 'delivering', `Attempt ${delivery.attempt} was sent.`);
  return true;
}

export function insertDelivery(database: Database, delivery: NewDelivery): void {
  database.run(
    `INSERT INTO delivery (id, application, test_id, attempt, is_sample, replay_of, url, span_id, request_headers,
       request_body, sent_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    delivery.id,
    delivery.application,
    delivery.testId,
    delivery.attempt,
    delivery.isSample ? 1 : 0,
    delivery.replayOf,
    delivery.url,
    Buffer.from(delivery.spanId),
    JSON.stringify(delivery.requestHeaders),
    Buffer.from(delivery.requestBody),
    delivery.sentAt,
  );
}

/** How an attempt ended. */
export interface FinishedDelivery {
  id: string;
  application: number;
  testId: string;
  /** The kind of the outcome, in a word. */
  outcome: string;
  statusCode: number | null;
  /** What went wrong, in words; null = it was answered 200. */
  message: string | null;
  responseHeaders: Readonly<Record<string, string>> | null;
  responseBody: Uint8Array | null;
  timings: Readonly<Record<string, number>>;
  finishedAt: number;
}

/** What an attempt means for its test: over, or to be tried again at `retryAt`. */
export interface DeliveryResult {
  failure: Failure | null;
  retryAt: number | null;
}

export function finishDelivery(
  database: Database,
  { delivery, result, jobId }: { delivery: FinishedDelivery; result: DeliveryResult; jobId: number },
  onTestEnded: OnTestEnded,
): void {
  closeDelivery(database, delivery);
  const { application, testId, finishedAt: at } = delivery;
  const seen = findLivingTest(database, application, testId);
  if (!seen || seen.status !== 'IN_PROGRESS') return finishJob(database, jobId);
  if (result.failure !== null && result.retryAt !== null) {
    database.run(`UPDATE test SET phase = 'queued' WHERE application = ? AND id = ?`, application, testId);
    addEvent(database, application, testId, at, 'queued', `${result.failure.message} It is tried again.`);
    return retryJob(database, { id: jobId, dueAt: result.retryAt, reason: result.failure.message });
  }
  finishJob(database, jobId);
  const next = { state: afterDelivery(seen, result.failure, at), checkAt: at };
  advanceTest(database, { seen, next, at }, onTestEnded);
}

/** Looked at once more at once: spans may have come before the answer. */
function afterDelivery(seen: LivingTest, failure: Failure | null, at: number): TestState {
  if (failure !== null) return { ...seen, status: 'FAILED', phase: 'done', failure };
  return { ...seen, phase: 'delivered', deliveredAt: at };
}

export function closeDelivery(database: Database, delivery: FinishedDelivery): void {
  database.run(
    `UPDATE delivery SET outcome = ?, status_code = ?, message = ?, response_headers = ?, response_body = ?, timings = ?,
       finished_at = ?
     WHERE application = ? AND id = ?`,
    delivery.outcome,
    delivery.statusCode,
    delivery.message,
    delivery.responseHeaders && JSON.stringify(delivery.responseHeaders),
    delivery.responseBody && Buffer.from(delivery.responseBody),
    JSON.stringify(delivery.timings),
    delivery.finishedAt,
    delivery.application,
    delivery.id,
  );
}

export interface RefuseDelivery {
  application: number;
  testId: string;
  jobId: number;
  failure: Failure;
  at: number;
}

/** Fails a test that nobody can send, and ends its job. */
export function refuseDelivery(
  database: Database,
  { application, testId, jobId, failure, at }: RefuseDelivery,
  onTestEnded: OnTestEnded,
): void {
  finishJob(database, jobId);
  const seen = findLivingTest(database, application, testId);
  if (!seen || (seen.status !== 'PENDING' && seen.status !== 'IN_PROGRESS')) return;
  const state: TestState = { ...seen, status: 'FAILED', phase: 'done', failure };
  advanceTest(database, { seen, next: { state, checkAt: null }, at }, onTestEnded);
}

/** Whether an attempt went out whose end was never stored. */
function hasOpenDelivery(database: Database, application: number, testId: string): boolean {
  return (
    database.get(
      'SELECT 1 FROM delivery WHERE application = ? AND test_id = ? AND finished_at IS NULL',
      application,
      testId,
    ) !== undefined
  );
}

/** An attempt that an earlier process began and never finished. */
export interface CutDelivery {
  application: number;
  testId: string;
  traceId: Uint8Array;
  spanId: Uint8Array;
  url: string;
  /** Unix milliseconds. */
  sentAt: number;
}

/** Attempts closed by one command, and looked up by one query. */
const STEP_DELIVERIES = 500;

/** Some of the attempts that an earlier process never finished, the oldest first: the app may have got them or not. */
export function cutDeliveries(database: Database, _args: null): CutDelivery[] {
  return database.all<CutDelivery>(
    `SELECT application, test_id AS testId, unhex(substr(request_headers ->> 'traceparent', 4, 32)) AS traceId,
       span_id AS spanId, url, sent_at AS sentAt
     FROM delivery WHERE finished_at IS NULL ORDER BY sent_at LIMIT ${STEP_DELIVERIES}`,
  );
}

/**
 * Closes the attempts that `cutDeliveries` returned. None is sent again; their tests wait a while for spans that tell.
 * When the process ends in between, the next one finds those that are still open.
 */
export function recoverDeliveries(
  database: Database,
  { cut, at }: { cut: readonly Pick<CutDelivery, 'application' | 'testId'>[]; at: number },
): void {
  for (const { application, testId } of cut) {
    leaveUnknown(database, { application, testId, at });
    database.run('DELETE FROM job WHERE kind = ? AND key = ?', DELIVER, testId);
  }
}

function leaveUnknown(
  database: Database,
  { application, testId, at }: { application: number; testId: string; at: number },
): void {
  database.run(
    `UPDATE delivery SET outcome = 'unknown', message = ?, finished_at = ?
     WHERE application = ? AND test_id = ? AND finished_at IS NULL`,
    NEVER_ANSWERED,
    at,
    application,
    testId,
  );
  database.run(
    `UPDATE test SET unknown_since = ?1, check_at = ?1
     WHERE application = ?2 AND id = ?3 AND status = 'IN_PROGRESS' AND phase = 'delivering'`,
    at,
    application,
    testId,
  );
}
