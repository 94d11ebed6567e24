import { randomBytes, randomUUID } from 'node:crypto';
import { type AttemptEnd, type AttemptOf, prepareAttempt } from '../../deliver/attempt.ts';
import { payloadBytes } from '../../deliver/payload.ts';
import { sendAttempt, type SendOptions } from '../../deliver/send.ts';
import { unsealWebhook } from '../../deliver/webhook-seal.ts';
import { AppError } from '../../errors.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { NOT_CONFIGURED } from '../../tests/failures.ts';
import { beginSend, deliverableWebhook, finishSend, replayInput } from './calls.ts';

/** Most requests of one application in progress; each may take as long as its webhook allows. */
const MAX_IN_PROGRESS = 4;
const SAMPLE_PROMPT = 'Hello! This is a sample test: please introduce yourself in one sentence.';

export interface SenderOptions extends SendOptions {
  read: Read;
  write: Write;
  /** Stores the result of a request that was sent, even if its caller may no longer make the call. */
  finish: Write;
  secretBox: SecretBox;
  /** Aborts the requests in progress when the process stops. */
  stop: AbortSignal;
}

/** Outcome of a request that a caller waits for. */
export type Sent = Pick<AttemptEnd, 'delivery' | 'failure'>;

type NewAttempt = Omit<AttemptOf, 'application' | 'webhook' | 'at'>;

/** Sends samples and replays: at once, and only once. */
export class WebhookSender {
  private readonly options: SenderOptions;
  /** Number of requests in progress of each application. */
  private readonly inProgress = new Map<number, number>();

  constructor(options: SenderOptions) {
    this.options = options;
  }

  /** Sends a sample. Throws `conflict` when there is no enabled webhook, and `rate_limited`. */
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

  /** Sends the body of a delivery again. Throws the errors of `sample`, and `not_found`. */
  async replay(application: number, id: string): Promise<Sent> {
    const { attempts, body, ...test } = await this.options.read(replayInput, { application, id });
    return this.send(application, { ...test, body: Buffer.from(body), attempt: attempts + 1, replayOf: id });
  }

  private async send(application: number, given: NewAttempt): Promise<Sent> {
    const count = this.inProgress.get(application) ?? 0;
    if (count >= MAX_IN_PROGRESS)
      throw new AppError(
        'rate_limited',
        `${MAX_IN_PROGRESS} samples and replays are in progress; wait until one has ended`,
      );
    this.inProgress.set(application, count + 1);
    try {
      return await this.sendNow(application, given);
    } finally {
      const left = (this.inProgress.get(application) ?? 1) - 1;
      if (left > 0) this.inProgress.set(application, left);
      else this.inProgress.delete(application);
    }
  }

  private async sendNow(application: number, given: NewAttempt): Promise<Sent> {
    const { read, write, finish: store, now, secretBox, stop } = this.options;
    const sealed = await read(deliverableWebhook, { application });
    if (!sealed) throw new AppError('conflict', `${NOT_CONFIGURED.message} ${NOT_CONFIGURED.hint}`);
    const at = now();
    const webhook = unsealWebhook(secretBox, sealed, at);
    const attempt = prepareAttempt({ ...given, application, webhook, at });
    await write(beginSend, attempt.delivery);
    const finish = ({ delivery, failure }: AttemptEnd): Promise<void> =>
      store(finishSend, { delivery, isDelivered: failure === null });
    try {
      return await sendAttempt(this.options, attempt, finish, stop);
    } catch (error) {
      // The attempt stays open, and the next process closes it.
      throw stop.aborted ? new AppError('unavailable', 'the server is stopping') : error;
    }
  }
}
