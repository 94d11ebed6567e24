import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimedJob } from '../jobs/claim.ts';
import type { Log } from '../runtime/log.ts';
import type { Call } from '../storage/operations.ts';
import { type AttemptEnd, cancelledDelivery, prepareAttempt, type Webhook } from './attempt.ts';
import type { DeliveryInput, SealedWebhook } from './delivery-store.ts';
import type { GuardedClient } from './guarded-client.ts';
import type { DeliverCommands, deliverQueries } from './operations.ts';
import { payloadBytes } from './payload.ts';
import { CANCELLED, type Failure, GIVEN_UP, MAX_RUNS, NOT_CONFIGURED, SEALED } from './test-state.ts';
import type { LivingTest } from './test-store.ts';

/** Pauses before the second and the third attempt; there is no fourth. */
const RETRY_MS = [1_000, 4_000];
/** How often, and with what pauses, an answer is stored that the store refused at first. */
const INSISTENCE = 30;
const INSIST_MS = 1_000;
/** Spread of a pause, to either side. */
const SPREAD = 0.2;

export interface DispatcherOptions {
  read: Call<typeof deliverQueries>;
  write: Call<DeliverCommands>;
  /** How the tests of an application are sent, asked for each of them. */
  clientFor: (application: number) => GuardedClient;
  /** Takes a stored webhook out of its seals. */
  unseal: (webhook: SealedWebhook) => Webhook;
  /** Stores a span of ours. */
  storeSpan: (application: number, span: Buffer) => Promise<void>;
  log: Log;
  now: () => number;
  random: () => number;
}

/** Sends tests: one call for one job. */
export class Dispatcher {
  private readonly options: DispatcherOptions;
  /** Requests under way, by test. */
  private readonly underWay = new Map<string, AbortController>();

  constructor(options: DispatcherOptions) {
    this.options = options;
  }

  /** Lets go of the request of a test, if one is under way. */
  cancel(testId: string): void {
    this.underWay.get(testId)?.abort();
  }

  async deliver(job: ClaimedJob, stop: AbortSignal): Promise<void> {
    const { id: jobId, application, key: testId } = job;
    const { read, write, now } = this.options;
    const refuse = (failure: Failure): Promise<void> =>
      write('refuseDelivery', { application, testId, jobId, failure, at: now() });
    if (job.attempt > MAX_RUNS) return refuse(GIVEN_UP);
    const input = await read('deliveryInput', { application, testId });
    if (!input?.webhook) return refuse(NOT_CONFIGURED);
    const webhook = this.unseal(input.webhook);
    if (!webhook) return refuse(SEALED);
    const cancelled = new AbortController();
    this.underWay.set(testId, cancelled);
    try {
      await this.send(input, webhook, jobId, { stop, cancelled: cancelled.signal });
    } finally {
      this.underWay.delete(testId);
    }
  }

  private async send(
    input: DeliveryInput,
    webhook: Webhook,
    jobId: number,
    { stop, cancelled }: { stop: AbortSignal; cancelled: AbortSignal },
  ): Promise<void> {
    const { write, clientFor, now } = this.options;
    const { test, traceId, attempts } = input;
    const attempt = prepareAttempt({
      application: test.application,
      testId: test.id,
      traceId,
      webhook,
      body: bodyOf(input),
      attempt: attempts + 1,
      isSample: false,
      replayOf: null,
      at: now(),
    });
    if (!(await write('beginDelivery', { delivery: attempt.delivery, jobId }))) return;
    let end: AttemptEnd;
    try {
      end = await attempt.send(clientFor(test.application), now, AbortSignal.any([stop, cancelled]));
    } catch (error) {
      // Broken off with the process: what the next one finds open it calls unknown.
      if (!cancelled.aborted) throw error;
      const delivery = cancelledDelivery(attempt.delivery, now());
      return write('finishDelivery', { delivery, result: { failure: CANCELLED, retryAt: null }, jobId });
    }
    const retryAt = end.isRetryable ? this.retryAt(attempts + 1) : null;
    const result = { failure: end.failure, retryAt };
    // First, so that no attempt counts as finished whose span would be lost with the process: it may link the trace.
    await this.storeSpan(test, end.span);
    await this.insist(() => write('finishDelivery', { delivery: end.delivery, result, jobId }));
  }

  /** Null when the secret key is not the one it was sealed with. */
  private unseal(sealed: SealedWebhook): Webhook | null {
    try {
      return this.options.unseal(sealed);
    } catch (error) {
      this.options.log.error('a webhook could not be unsealed', { application: sealed.application, error });
      return null;
    }
  }

  /** A store that is busy must not cost the answer: without it nobody would know whether the app has run. */
  private async insist(store: () => Promise<void>): Promise<void> {
    for (let left = INSISTENCE; ; left -= 1) {
      try {
        return await store();
      } catch (error) {
        if (left === 0) throw error;
        await delay(INSIST_MS);
      }
    }
  }

  /** The answer counts without it. */
  private async storeSpan({ application, id: testId }: LivingTest, span: Buffer): Promise<void> {
    try {
      await this.options.storeSpan(application, span);
    } catch (error) {
      this.options.log.warn('the span of a delivery was not stored', { testId, error });
    }
  }

  /** When to try again after that many attempts; null = no more. */
  private retryAt(made: number): number | null {
    const pause = RETRY_MS[made - 1];
    if (pause === undefined) return null;
    return Math.round(this.options.now() + pause * (1 + SPREAD * (2 * this.options.random() - 1)));
  }
}

function bodyOf({ test, prompt, promptObject, metadata, experiment }: DeliveryInput): Buffer {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return payloadBytes({
    testId: test.id,
    prompt,
    promptObject: parsed(promptObject),
    metadata: parsed(metadata),
    experiment: parsed(experiment),
  });
}
