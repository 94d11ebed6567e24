import { setTimeout as delay } from 'node:timers/promises';
import type { RelayedAnswer, RelayedRequest } from '../deliver/relay.ts';
import { relayedRequest } from '../resources/webhook-listen/contract.ts';

/** A Touchstone server and whom it is asked as. */
export interface Account {
  /** Without a slash at its end. */
  server: string;
  headers: Readonly<Record<string, string>>;
}

const PATH = '/v0/webhook/listen';
/** Three heartbeats that did not come. */
const SILENCE_MS = 45_000;
const MAX_EVENT_CHARACTERS = 32 * 1024 * 1024;
const ANSWER_MS = 10_000;
const ANSWER_ATTEMPTS = 3;
const ANSWER_PAUSE_MS = 500;
const MAX_MESSAGE_CHARACTERS = 400;

/** There is no stream, or no more of it; `message` is a sentence. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Whether it would end the same way again. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** What the application's webhook is to be sent, from now until the stream ends, which always throws ConnectionError. */
export async function* receiveRequests(
  { server, headers }: Account,
  { onOpen, stop }: { onOpen: () => void; stop: AbortSignal },
): AsyncGenerator<RelayedRequest, never> {
  const silence = new AbortController();
  const watch = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(server + PATH, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([stop, silence.signal]),
    });
    if (response.status !== 200) throw await refusal(server, response);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!isStream || !response.body) throw new ConnectionError(`${server} is no Touchstone server.`, true);
    onOpen();
    const decoder = new TextDecoder();
    let waiting = '';
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      watch.refresh();
      const blocks = (waiting + decoder.decode(chunk, { stream: true })).split('\n\n');
      waiting = blocks.pop() ?? '';
      if (waiting.length > MAX_EVENT_CHARACTERS)
        throw new ConnectionError(`${server} sent more than a delivery can be.`, true);
      for (const block of blocks) {
        const request = readEvent(block);
        if (request) yield request;
      }
    }
  } catch (error) {
    throw error instanceof ConnectionError ? error : unreachable(server, error);
  } finally {
    clearTimeout(watch);
  }
  throw new ConnectionError(`${server} ended the stream.`, false);
}

/** Null when it is no delivery. */
function readEvent(block: string): RelayedRequest | null {
  const data = /^event: delivery\ndata: (.*)$/.exec(block)?.[1];
  if (data === undefined) return null;
  try {
    return relayedRequest.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** Tells the server what became of a request; false when it no longer waits for that. Throws ConnectionError. */
export async function postAnswer(
  { server, headers }: Account,
  id: string,
  answer: RelayedAnswer,
): Promise<boolean> {
  for (let left = ANSWER_ATTEMPTS - 1; ; left -= 1) {
    try {
      const response = await fetch(`${server}${PATH}/${id}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(answer),
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (response.status === 404) return false;
      if (response.status === 204) return true;
      throw await refusal(server, response);
    } catch (error) {
      const failure = error instanceof ConnectionError ? error : unreachable(server, error);
      if (failure.isFinal || left === 0) throw failure;
      await delay(ANSWER_PAUSE_MS);
    }
  }
}

const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

async function refusal(server: string, response: Response): Promise<ConnectionError> {
  const text = (await response.text()).slice(0, 64 * 1024);
  const said = printable(messageIn(text)).replace(/\.?$/, '.');
  return new ConnectionError(`${server} answered ${response.status}: ${said}`, !isPassing(response.status));
}

function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // No answer of a Touchstone server, so its text is nothing to show.
  }
  return 'it seems to be no Touchstone server';
}

function unreachable(server: string, error: unknown): ConnectionError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return new ConnectionError(`${server} cannot be reached${code && ` (${code})`}.`, false);
}

/** Text of somebody else, so that it cannot steer a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, MAX_MESSAGE_CHARACTERS);
