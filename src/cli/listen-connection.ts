import { setTimeout as delay } from 'node:timers/promises';
import type { ClientSettings } from '../api/client.ts';
import type { RelayedAnswer, RelayedRequest } from '../deliver/relay.ts';
import { relayedRequest } from '../resources/webhook-listen/contract.ts';
import {
  ConnectionError,
  credentialHeaders,
  receiveEvents,
  rejectionError,
  unreachable,
} from './server-events.ts';

const PATH = '/v0/webhook/listen';
const ANSWER_MS = 10_000;
const ANSWER_ATTEMPTS = 3;
const ANSWER_PAUSE_MS = 500;

/** Yields the requests for the application's webhook until the stream ends, which always throws ConnectionError. */
export async function* receiveRequests(
  account: ClientSettings,
  options: { onOpen: () => void; stop: AbortSignal },
): AsyncGenerator<RelayedRequest, void> {
  for await (const { event, data } of receiveEvents(account, { path: PATH, ...options })) {
    const request = event === 'delivery' ? readRequest(data) : null;
    if (request) yield request;
  }
}

/** Parses a delivery; null when it is none. */
function readRequest(data: string): RelayedRequest | null {
  try {
    return relayedRequest.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/**
 * Sends the outcome of a request to the server; returns false when the server no longer waits for it. Throws
 * ConnectionError.
 */
export async function postAnswer(
  account: ClientSettings,
  id: string,
  answer: RelayedAnswer,
): Promise<boolean> {
  for (let left = ANSWER_ATTEMPTS - 1; ; left -= 1) {
    try {
      const response = await fetch(`${account.baseUrl}${PATH}/${id}`, {
        method: 'POST',
        headers: { ...credentialHeaders(account), 'content-type': 'application/json' },
        body: JSON.stringify(answer),
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (response.status === 404) return false;
      if (response.status === 204) return true;
      throw await rejectionError(account.baseUrl, response);
    } catch (error) {
      const failure = error instanceof ConnectionError ? error : unreachable(account.baseUrl, error);
      if (failure.isFinal || left === 0) throw failure;
      await delay(ANSWER_PAUSE_MS);
    }
  }
}
