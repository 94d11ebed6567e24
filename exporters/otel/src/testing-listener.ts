import type { TestingApi } from './testing-api.ts';

/** A request for the webhook of the application. */
export interface StreamedDelivery {
  id: string;
  headers: Record<string, string>;
  body: string;
}

const MAX_LINE = 32 * 2 ** 20;

/** Receives the deliveries of an application while it is open. */
export class TestingListener {
  readonly #api: TestingApi;
  readonly #deliveries: AsyncGenerator<StreamedDelivery, void>;
  readonly #closing: AbortController;

  private constructor(api: TestingApi, stream: ReadableStream<Uint8Array>, closing: AbortController) {
    this.#api = api;
    this.#closing = closing;
    this.#deliveries = deliveriesIn(stream);
  }

  static async open(api: TestingApi): Promise<TestingListener> {
    const closing = new AbortController();
    return new TestingListener(api, await api.listen(closing.signal), closing);
  }

  /** Returns the next delivery. Rejects if none arrives in time, or if the stream ends. */
  async next(timeoutMillis: number): Promise<StreamedDelivery> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeUp = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The server sent no test in time.')), timeoutMillis);
    });
    try {
      const { done, value } = await Promise.race([this.#deliveries.next(), timeUp]);
      if (done) throw new Error('The server ended the stream of tests.');
      return value;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reports the response of the app. */
  async answer({ id }: StreamedDelivery, status: number, body: string): Promise<void> {
    await this.#api.call(`/v0/webhook/listen/${id}`, { status, headers: {}, body });
  }

  /** Reports that the app was not called, so that the server tries again. */
  async reject({ id }: StreamedDelivery): Promise<void> {
    const error = { kind: 'refused', message: 'other tests are being run' };
    await this.#api.call(`/v0/webhook/listen/${id}`, { error });
  }

  close(): void {
    this.#closing.abort();
  }
}

/** Yields the deliveries of a stream of Server-Sent Events until it ends, however it does. */
async function* deliveriesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamedDelivery, void> {
  let event = '';
  try {
    for await (const line of linesOf(stream)) {
      const [, name = '', value = ''] = /^([a-z]+): (.*)$/s.exec(line) ?? [];
      if (name === 'event') event = value;
      if (name === 'data' && event === 'delivery') yield JSON.parse(value) as StreamedDelivery;
    }
  } catch {
    // It was closed, or the connection broke.
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    if (text.length > MAX_LINE) throw new Error('A line of the stream is too long.');
    yield* lines;
  }
}
