import { setTimeout as delay } from 'node:timers/promises';
import type { ClientSettings } from '../api/client.ts';
import type { RelayedAnswer, RelayedRequest } from '../deliver/relay.ts';
import { relayedRequest } from '../resources/webhook-listen/contract.ts';
import { isPassing, rejectedText, strangerText, unreachableText } from './server-trouble.ts';

const PATH = '/v0/webhook/listen';
/** Longest silence: three missed heartbeats. */
const SILENCE_MS = 45_000;
const MAX_EVENT_CHARACTERS = 32 * 1024 * 1024;
const ANSWER_MS = 10_000;
const ANSWER_ATTEMPTS = 3;
const ANSWER_PAUSE_MS = 500;
const MAX_REJECTION_CHARACTERS = 64 * 1024;

/** Error that ends or prevents the stream; `message` is a sentence for the user. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** True if a new attempt would end in the same way. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Yields the requests for the application's webhook until the stream ends, which always throws ConnectionError. */
export async function* receiveRequests(
  account: ClientSettings,
  { onOpen, stop }: { onOpen: () => void; stop: AbortSignal },
): AsyncGenerator<RelayedRequest, never> {
  const silence = new AbortController();
  const watch = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(account.baseUrl + PATH, {
      headers: headersOf(account),
      redirect: 'manual',
      signal: AbortSignal.any([stop, silence.signal]),
    });
    if (response.status !== 200) throw await rejection(account.baseUrl, response);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!isStream || !response.body) throw new ConnectionError(strangerText(account.baseUrl), true);
    onOpen();
    const decoder = new TextDecoder();
    let waiting = '';
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      watch.refresh();
      const blocks = (waiting + decoder.decode(chunk, { stream: true })).split('\n\n');
      waiting = blocks.pop() ?? '';
      if (waiting.length > MAX_EVENT_CHARACTERS)
        throw new ConnectionError(`${account.baseUrl} sent an event that is larger than any delivery.`, true);
      for (const block of blocks) {
        const request = readEvent(block);
        if (request) yield request;
      }
    }
  } catch (error) {
    throw error instanceof ConnectionError ? error : unreachable(account.baseUrl, error);
  } finally {
    clearTimeout(watch);
  }
  throw new ConnectionError(`${account.baseUrl} ended the stream.`, false);
}

/** Parses an event; null when it is not a delivery. */
function readEvent(block: string): RelayedRequest | null {
  const data = /^event: delivery\ndata: (.*)$/.exec(block)?.[1];
  if (data === undefined) return null;
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
        headers: { ...headersOf(account), 'content-type': 'application/json' },
        body: JSON.stringify(answer),
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (response.status === 404) return false;
      if (response.status === 204) return true;
      throw await rejection(account.baseUrl, response);
    } catch (error) {
      const failure = error instanceof ConnectionError ? error : unreachable(account.baseUrl, error);
      if (failure.isFinal || left === 0) throw failure;
      await delay(ANSWER_PAUSE_MS);
    }
  }
}

const headersOf = ({ apiKey, applicationId }: ClientSettings): Record<string, string> => ({
  'x-api-key': apiKey,
  'x-application-id': applicationId,
});

async function rejection(url: string, response: Response): Promise<ConnectionError> {
  const message = messageIn((await response.text()).slice(0, MAX_REJECTION_CHARACTERS));
  const text = message === null ? strangerText(url) : rejectedText(url, response.status, message);
  return new ConnectionError(text, !isPassing(response.status));
}

/** Returns the message of an error response; null when the response is not from a Touchstone server. */
function messageIn(text: string): string | null {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
}

const unreachable = (url: string, error: unknown): ConnectionError =>
  new ConnectionError(unreachableText(url, error), false);
