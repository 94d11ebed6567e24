import type { Environment } from './settings.ts';

const REQUEST_MILLIS = 30_000;
const MAX_MESSAGE = 1_000;
const VARIABLES = [
  ['x-api-key', 'TOUCHSTONE_API_KEY'],
  ['x-application-id', 'TOUCHSTONE_APPLICATION_ID'],
] as const;

/** Calls of a Touchstone server that tests need, by the variables `TOUCHSTONE_*`. */
export class TestingApi {
  readonly #url: string;
  readonly #headers: Record<string, string> = { 'content-type': 'application/json' };
  readonly applicationId: string;

  constructor(env: Environment) {
    this.#url = (env['TOUCHSTONE_URL'] || 'http://127.0.0.1:4318').replace(/\/+$/, '');
    for (const [header, variable] of VARIABLES) {
      const value = env[variable];
      if (!value) throw new Error(`${variable} is not set.`);
      this.#headers[header] = value;
    }
    this.applicationId = this.#headers['x-application-id'] as string;
  }

  /** Sends a GET, or a POST if there is a body, and returns the JSON of the response. */
  async call(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const response = await this.#fetch(path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...this.#headers, ...headers },
      signal: AbortSignal.timeout(REQUEST_MILLIS),
    });
    const text = await response.text();
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /** Opens the stream of deliveries. From now on, the tests of the application are sent to it. */
  async listen(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#fetch('/v0/webhook/listen', { headers: this.#headers, signal });
    if (!body) throw new Error('The server sent no stream of tests.');
    return body as ReadableStream<Uint8Array>;
  }

  async #fetch(path: string, request: RequestInit): Promise<Response> {
    const response = await fetch(this.#url + path, request).catch((error: unknown) => {
      throw new Error(`No response from ${this.#url}: ${reasonOf(error)}.`);
    });
    if (!response.ok)
      throw new Error(`${path}: HTTP ${response.status}: ${messageIn(await response.text())}`);
    return response;
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string }; message?: string };
  return cause?.message || message || String(error);
}

function messageIn(body: string): string {
  try {
    return String((JSON.parse(body) as { message?: unknown }).message).slice(0, MAX_MESSAGE);
  } catch {
    return 'no message';
  }
}
