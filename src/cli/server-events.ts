import type { ClientSettings } from '../api/client.ts';
import { isTransient, rejectedText, strangerText, unreachableText } from './server-trouble.ts';

/** Longest silence: three missed heartbeats. */
const SILENCE_MS = 45_000;
const MAX_EVENT_CHARACTERS = 32 * 1024 * 1024;
const MAX_REJECTION_CHARACTERS = 64 * 1024;

/** Error that ends or prevents a stream; `message` is a sentence for the user. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** True if a new attempt would end in the same way. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Fields of a Server-Sent Event; '' where the event does not have the field. */
export interface ServerEvent {
  event: string;
  id: string;
  data: string;
}

export interface EventOptions {
  /** Path of the stream, with its query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  onOpen: () => void;
  stop: AbortSignal;
}

/** Yields the events of a stream of a server until it ends, which always throws ConnectionError. */
export async function* receiveEvents(
  account: ClientSettings,
  { path, headers = {}, onOpen, stop }: EventOptions,
): AsyncGenerator<ServerEvent, never> {
  const silence = new AbortController();
  const watch = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(account.baseUrl + path, {
      headers: { ...credentialHeaders(account), ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([stop, silence.signal]),
    });
    if (response.status !== 200) throw await rejectionError(account.baseUrl, response);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!isStream || !response.body) throw new ConnectionError(strangerText(account.baseUrl), true);
    onOpen();
    const decoder = new TextDecoder();
    let waiting = '';
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      watch.refresh();
      const texts = (waiting + decoder.decode(chunk, { stream: true })).split('\n\n');
      waiting = texts.pop() ?? '';
      if (waiting.length > MAX_EVENT_CHARACTERS)
        throw new ConnectionError(
          `${account.baseUrl} sent an event that is larger than any expected one.`,
          true,
        );
      for (const text of texts) yield eventOf(text);
    }
  } catch (error) {
    throw error instanceof ConnectionError ? error : unreachable(account.baseUrl, error);
  } finally {
    clearTimeout(watch);
  }
  throw new ConnectionError(`${account.baseUrl} ended the stream.`, false);
}

function eventOf(text: string): ServerEvent {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  return { event: field('event'), id: field('id'), data: field('data') };
}

export const credentialHeaders = ({ apiKey, applicationId }: ClientSettings): Record<string, string> => ({
  'x-api-key': apiKey,
  'x-application-id': applicationId,
});

export async function rejectionError(url: string, response: Response): Promise<ConnectionError> {
  const message = messageIn((await response.text()).slice(0, MAX_REJECTION_CHARACTERS));
  const text = message === null ? strangerText(url) : rejectedText(url, response.status, message);
  return new ConnectionError(text, !isTransient(response.status));
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

export const unreachable = (url: string, error: unknown): ConnectionError =>
  new ConnectionError(unreachableText(url, error), false);
