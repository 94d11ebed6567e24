import type { ClaimedJob } from '../jobs/claim.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Read, Write } from '../storage/calls.ts';
import {
  CANCELLED,
  type Failure,
  GIVEN_UP,
  MAX_DELIVERY_RUNS,
  NOT_CONFIGURED,
  SEALED,
} from '../tests/failures.ts';
import { type AttemptEnd, cancelledDelivery, prepareAttempt, type Webhook } from './attempt.ts';
import { beginDelivery, deliveryInput, finishDelivery, rejectDelivery } from './calls.ts';
import type { DeliveryInput, DeliveryResult, SealedWebhook } from './delivery-store.ts';
import type { ParallelLimits } from './parallel-limits.ts';
import { payloadBytes } from './payload.ts';
import { sendAttempt, type SendOptions } from './send.ts';

/** Pauses before the second and the third attempt; the third is the last. */
const RETRY_MS = [1_000, 4_000];
/** Largest deviation of a pause to either side, as a fraction of it. */
const SPREAD = 0.2;

interface Signals {
  /** Aborts when the process stops. */
  stop: AbortSignal;
  /** Aborts when the test is cancelled. */
  cancelled: AbortSignal;
}

export interface DispatcherOptions extends SendOptions {
  read: Read;
  write: Write;
  unseal: (webhook: SealedWebhook) => Webhook;
  random: () => number;
  webhookLimits: ParallelLimits;
  metrics: SendOptions['metrics'] & Pick<Metrics, 'webhookRequests' | 'slowWebhooks' | 'beforeScrape'>;
}

/** Sends tests; one call per job. */
export class Dispatcher {
  private readonly options: DispatcherOptions;
  /** Requests in progress, by test. */
  private readonly inProgress = new Map<string, AbortController>();
  private readonly limits: ParallelLimits;

  constructor(options: DispatcherOptions) {
    this.options = options;
    this.limits = options.webhookLimits;
    const { metrics } = options;
    metrics.beforeScrape(() => {
      const { running, waiting, slow } = this.limits.counts();
      metrics.webhookRequests.set({ state: 'running' }, running);
      metrics.webhookRequests.set({ state: 'waiting' }, waiting);
      metrics.slowWebhooks.set(slow);
    });
  }

  /** Aborts the request of a test if one is in progress. */
  cancel(testId: string): void {
    this.inProgress.get(testId)?.abort();
  }

  async deliver(job: ClaimedJob, stop: AbortSignal): Promise<void> {
    const { id: jobId, application, key: testId } = job;
    const { read, write, now } = this.options;
    const reject = (failure: Failure): Promise<void> =>
      write(rejectDelivery, { application, testId, jobId, failure, at: now() });
    if (job.attempt > MAX_DELIVERY_RUNS) return reject(GIVEN_UP);
    const input = await read(deliveryInput, { application, testId });
    if (!input?.webhook) return reject(NOT_CONFIGURED);
    const webhook = this.unseal(input.webhook);
    if (!webhook) return reject(SEALED);
    const cancelled = new AbortController();
    this.inProgress.set(testId, cancelled);
    const signals = { stop, cancelled: cancelled.signal };
    try {
      await this.inTurn(application, webhook, signals, () => this.send(input, webhook, jobId, signals));
    } finally {
      this.inProgress.delete(testId);
    }
  }

  /** Sends when the app can take one more request. A test that is cancelled before is not sent. */
  private async inTurn(
    application: number,
    { url, timeoutMs }: Webhook,
    { stop, cancelled }: Signals,
    send: () => Promise<AttemptEnd | null>,
  ): Promise<void> {
    let leave: Awaited<ReturnType<ParallelLimits['enter']>>;
    try {
      leave = await this.limits.enter({ application, url }, AbortSignal.any([stop, cancelled]));
    } catch (error) {
      if (cancelled.aborted) return;
      throw error;
    }
    const since = performance.now();
    let end: AttemptEnd | null = null;
    try {
      end = await send();
    } finally {
      leave(end && { ms: performance.now() - since, timeoutMs, isOverloaded: end.isOverloaded });
    }
  }

  private async send(
    input: DeliveryInput,
    webhook: Webhook,
    jobId: number,
    { stop, cancelled }: Signals,
  ): Promise<AttemptEnd | null> {
    const { write, now } = this.options;
    const { test, payload, traceId, attempts } = input;
    const attempt = prepareAttempt({
      application: test.application,
      testId: test.id,
      traceId,
      webhook,
      body: payloadBytes(payload),
      attempt: attempts + 1,
      isSample: false,
      replayOf: null,
      at: now(),
    });
    if (!(await write(beginDelivery, { delivery: attempt.delivery, jobId }))) return null;
    const finish = (end: AttemptEnd): Promise<void> => {
      const result = this.resultOf(end, attempts + 1);
      return write(finishDelivery, { delivery: end.delivery, result, jobId });
    };
    try {
      return await sendAttempt(this.options, attempt, finish, AbortSignal.any([stop, cancelled]));
    } catch (error) {
      // The process is stopping: the attempt stays open, and the next process closes it.
      if (!cancelled.aborted) throw error;
      const delivery = cancelledDelivery(attempt.delivery, now());
      await write(finishDelivery, { delivery, result: { failure: CANCELLED, retryAt: null }, jobId });
      return null;
    }
  }

  /** Returns the decrypted webhook; null when it was encrypted with another secret key. */
  private unseal(sealed: SealedWebhook): Webhook | null {
    try {
      return this.options.unseal(sealed);
    } catch (error) {
      this.options.log.error('a webhook could not be decrypted', { application: sealed.application, error });
      return null;
    }
  }

  /** Decides the result of an attempt for its test. `made` is the number of attempts so far. */
  private resultOf({ failure, isRetryable }: AttemptEnd, made: number): DeliveryResult {
    const pause = isRetryable ? RETRY_MS[made - 1] : undefined;
    if (pause === undefined) return { failure, retryAt: null };
    const { now, random } = this.options;
    return { failure, retryAt: Math.round(now() + pause * (1 + SPREAD * (2 * random() - 1))) };
  }
}
