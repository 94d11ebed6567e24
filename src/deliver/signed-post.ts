import { AppError } from '../errors.ts';
import { USER_AGENT } from './attempt.ts';
import type { GuardedClient } from './guarded-client.ts';
import type { Outcome } from './outcome.ts';
import { sign } from './signature.ts';

/** A request with JSON to an endpoint that a customer configured. */
export interface SignedPost {
  application: number;
  /** Id of the message, equal in all attempts. */
  id: string;
  url: string;
  body: Buffer;
  timeoutMs: number;
  /** Bytes of the response that are read and kept. */
  maxResponseBytes: number;
  signal: AbortSignal;
}

export interface SignedPostOptions {
  /** Returns the secrets of the application's webhook, newest first; null when it has none. Throws AppError. */
  secretsOf: (application: number) => Promise<readonly [string, ...string[]] | null>;
  client: GuardedClient;
  now: () => number;
}

/**
 * Returns a function that sends one request, signed as a delivery to the webhook of the application is. `unsigned`:
 * there is no secret, so nothing was sent.
 */
export const signedPost =
  ({ secretsOf, client, now }: SignedPostOptions) =>
  async (post: SignedPost): Promise<Outcome | { kind: 'unsigned'; message: string }> => {
    const { application, id, url, body, timeoutMs, maxResponseBytes, signal } = post;
    try {
      const secrets = await secretsOf(application);
      if (secrets === null) return { kind: 'unsigned', message: NO_WEBHOOK };
      const own = { 'content-type': 'application/json', 'user-agent': USER_AGENT };
      const headers = { ...own, ...sign({ secrets, id, body, timestampMs: now() }) };
      const limits = { timeoutMs, maxResponseBytes, keepBytes: maxResponseBytes };
      return await client.request({ url, method: 'POST', headers, body, signal, ...limits });
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict')
        return { kind: 'unsigned', message: error.message };
      throw error;
    }
  };

const NO_WEBHOOK =
  'The application has no webhook, whose secret signs requests. Configure a webhook; it may be disabled.';
