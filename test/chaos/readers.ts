import { setTimeout as delay } from 'node:timers/promises';
import { send } from './insist.ts';
import type { SpanBook } from './span-book.ts';

const PAUSE_MS = 100;
const PATHS = [
  '/v0/traces?limit=20',
  '/v0/ingest/ledger',
  '/v0/traces?orderBy=timestamp&orderDir=asc&limit=100&skip=50',
  '/metrics',
];

export interface ReaderOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  books: readonly SpanBook[];
  random: () => number;
}

/** Reads lists, and spans that were acknowledged just before. */
export class Reader {
  readonly faults: string[] = [];
  reads = 0;
  private readonly options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.options = options;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { books, random } = this.options;
    while (!stop.aborted) {
      const book = books[Math.floor(random() * books.length)];
      const name = book?.lastAcknowledged;
      if (name !== undefined && random() < 0.7) await this.readSpan(name);
      else await this.read(PATHS[Math.floor(random() * PATHS.length)] as string);
      await delay(PAUSE_MS * (0.5 + random()));
    }
  }

  private async readSpan(name: string): Promise<void> {
    const [traceId = '', spanId = ''] = name.split('/');
    const text = await this.read(`/v0/traces/${traceId}/spans?spanId=${spanId}&include=payload`);
    if (text !== null && !text.includes(spanId))
      this.faults.push(`${name} was acknowledged, but is not in its trace`);
  }

  /** Returns the response with status 200; null if there is none or the server is busy. */
  private async read(path: string): Promise<string | null> {
    const reply = await send(this.options.url + path, { headers: { ...this.options.headers } });
    this.reads += 1;
    if (reply === null || reply.status === 503) return null;
    const text = reply.body.toString();
    if (reply.status === 200) return text;
    this.faults.push(`GET ${path} responded with ${reply.status}: ${text.slice(0, 200)}`);
    return null;
  }
}
