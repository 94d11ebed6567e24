import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

// Node says it for every answer that an HTTP client of the process gets, before anyone reads it.
const CHANNEL = 'http.client.response.finish';
const MAX_ANSWER_BYTES = 65_536;

/** Number of spans that the server rejected in one export, and its message. */
export interface Rejection {
  rejectedSpans: number;
  message: string;
  /** True if a web page came back: the response is from another service. */
  isWebPage: boolean;
}

/**
 * Reads the responses to exports. The exporter itself only logs the rejections in a response with status 200 and
 * reports the export as a success.
 */
export class RejectionWatch {
  readonly #exports = new AsyncLocalStorage<Rejection>();
  readonly #onResponse = (message: unknown): void => {
    const rejection = this.#exports.getStore();
    const { response } = message as { response: IncomingMessage };
    if (!rejection || response.statusCode !== 200) return;
    rejection.isWebPage = /^text\/html\b/i.test(response.headers['content-type'] ?? '');
    readInto(rejection, response);
  };

  constructor() {
    subscribe(CHANNEL, this.#onResponse);
  }

  /** Runs `send` and fills the rejection when the responses to its requests arrive. */
  watch(rejection: Rejection, send: () => void): void {
    this.#exports.run(rejection, send);
  }

  stop(): void {
    unsubscribe(CHANNEL, this.#onResponse);
  }
}

function readInto(rejection: Rejection, response: IncomingMessage): void {
  const parts: Buffer[] = [];
  let size = 0;
  response.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= MAX_ANSWER_BYTES) parts.push(part);
  });
  response.on('end', () => {
    if (size > MAX_ANSWER_BYTES) return;
    try {
      const { partialSuccess } = JSON.parse(Buffer.concat(parts).toString()) as {
        partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown };
      };
      const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
      if (Number.isInteger(rejected) && rejected > 0) rejection.rejectedSpans = rejected;
      const message = partialSuccess?.errorMessage;
      rejection.message = typeof message === 'string' ? message.slice(0, 500) : '';
    } catch {
      // A response that is not JSON contains no rejections.
    }
  });
}
