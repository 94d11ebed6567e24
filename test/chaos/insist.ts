import { setTimeout as delay } from 'node:timers/promises';

const NO_RESPONSE_MS = 50;
const UNAVAILABLE_MS = 150;

/** Result of one request: a response with success, one that may be retried, or none. */
export type Tried = 'accepted' | 'unavailable' | 'no response';

/** Repeats a request until it is accepted. Throws once `deadline` is aborted. */
export async function insist(attempt: () => Promise<Tried>, deadline: AbortSignal): Promise<void> {
  for (;;) {
    const tried = await attempt();
    if (tried === 'accepted') return;
    deadline.throwIfAborted();
    await delay(tried === 'unavailable' ? UNAVAILABLE_MS : NO_RESPONSE_MS);
  }
}

export interface Reply {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Sends a request and reads its response; null if there is none, as from a server that is killed. */
export async function send(url: string, init: RequestInit): Promise<Reply | null> {
  try {
    const response = await fetch(url, init);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body };
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'AbortError') return null;
    throw error;
  }
}

/** Calls the REST API until it responds with success, and returns the JSON. Throws on any other response than 503 and 429. */
export async function callUntilDone(
  url: string,
  {
    headers,
    body,
    deadline,
  }: { headers: Readonly<Record<string, string>>; body?: unknown; deadline: AbortSignal },
): Promise<unknown> {
  let json: unknown;
  await insist(async () => {
    const reply = await send(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (reply === null) return 'no response';
    if (reply.status === 503 || reply.status === 429) return 'unavailable';
    const text = reply.body.toString();
    if (reply.status >= 300) throw new Error(`${url} responded with ${reply.status}: ${text}`);
    json = text === '' ? undefined : JSON.parse(text);
    return 'accepted';
  }, deadline);
  return json;
}
