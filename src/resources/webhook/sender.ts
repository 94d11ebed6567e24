import { randomBytes, randomUUID } from 'node:crypto';
import { type AttemptEnd, type AttemptOf, prepareAttempt } from '../../deliver/attempt.ts';
import type { GuardedClient } from '../../deliver/guarded-client.ts';
import { payloadBytes } from '../../deliver/payload.ts';
import { NOT_CONFIGURED } from '../../deliver/test-state.ts';
import { unsealWebhook } from '../../deliver/webhook-seal.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { Call } from '../../storage/operations.ts';
import type { sendCommands, sendQueries } from './send-store.ts';

/** Requests of one application that are under way at the same time; each may take as long as its webhook allows. */
const MAX_UNDER_WAY = 4;
const SAMPLE_PROMPT = 'Hello! This is a sample test: please introduce yourself in one sentence.';

export interface SenderOptions {
  read: Call<typeof sendQueries>;
  write: Call<typeof sendCommands>;
  now: () => number;
  secretBox: SecretBox;
  /** How requests of an application are sent, asked for each of them. */
  clientFor: (application: number) => GuardedClient;
  /** Stores a span of ours, an OTLP message. */
  storeSpan: (application: number, span: Buffer) => Promise<void>;
  /** Ends what is under way: the process stops. */
  stop: AbortSignal;
  log: Log;
}

/** How a request ended that somebody waits for. */
export type Sent = Pick<AttemptEnd, 'delivery' | 'failure'>;

/** Sends samples and replays: at once, one time each. */
export class Sender {
  private readonly options: SenderOptions;
  private readonly underWay = new Map<number, number>();

  constructor(options: SenderOptions) {
    this.options = options;
  }

  /** Throws `conflict` when there is nothing to send to, and `rate_limited`. */
  sample(application: number): Promise<Sent> {
    const testId = randomUUID();
    return this.send(application, {
      testId,
      traceId: randomBytes(16),
      body: payloadBytes({
        testId,
        prompt: SAMPLE_PROMPT,
        promptObject: null,
        metadata: { sample: true },
        experiment: null,
      }),
      attempt: 1,
      isSample: true,
      replayOf: null,
    });
  }

  /** Sends the body of a delivery again. Throws as `sample`, and `not_found`. */
  async replay(application: number, id: string): Promise<Sent> {
    const { attempts, body, ...test } = await this.options.read('replayInput', { application, id });
    return this.send(application, { ...test, body: Buffer.from(body), attempt: attempts + 1, replayOf: id });
  }

  private async send(
    application: number,
    what: Omit<AttemptOf, 'application' | 'webhook' | 'at'>,
  ): Promise<Sent> {
    const count = this.underWay.get(application) ?? 0;
    if (count >= MAX_UNDER_WAY) {
      throw new AppError('rate_limited', `${MAX_UNDER_WAY} samples and replays are under way: wait for one`);
    }
    this.underWay.set(application, count + 1);
    try {
      return await this.sendNow(application, what);
    } finally {
      const left = (this.underWay.get(application) ?? 1) - 1;
      if (left > 0) this.underWay.set(application, left);
      else this.underWay.delete(application);
    }
  }

  private async sendNow(
    application: number,
    what: Omit<AttemptOf, 'application' | 'webhook' | 'at'>,
  ): Promise<Sent> {
    const { read, write, now, secretBox, clientFor, stop } = this.options;
    const sealed = await read('deliverableWebhook', { application });
    if (!sealed) throw new AppError('conflict', `${NOT_CONFIGURED.message} ${NOT_CONFIGURED.hint}`);
    const at = now();
    const webhook = unsealWebhook(secretBox, sealed, at);
    const attempt = prepareAttempt({ ...what, application, webhook, at });
    await write('beginSend', attempt.delivery);
    const { delivery, failure, span } = await attempt
      .send(clientFor(application), now, stop)
      .catch((error: unknown) => {
        // What is left open the next start calls unknown.
        throw stop.aborted ? new AppError('unavailable', 'The server is stopping') : error;
      });
    await write('finishSend', { delivery, isDelivered: failure === null });
    await this.storeSpan(application, span);
    return { delivery, failure };
  }

  /** For people to see; what was sent does not depend on it. */
  private async storeSpan(application: number, span: Buffer): Promise<void> {
    try {
      await this.options.storeSpan(application, span);
    } catch (error) {
      this.options.log.warn('the span of a delivery was not stored', { application, error });
    }
  }
}
