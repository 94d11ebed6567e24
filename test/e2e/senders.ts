/**
 * Applications that send to a server which may die at any moment, and keep books of what it acknowledged.
 * What was not is sent again, as it was, until it is.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { BASE_MS, otlpRequest } from '../support/spans.ts';
import { jsonRequest, jsonSpan, newSpanId, newTraceId } from './otlp-sender.ts';

/** One span, or native step, that must be found again. */
export interface Item {
  trace: string;
  id: string;
  name: string;
}

export interface Delivery {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array<ArrayBuffer>;
  items: Item[];
  /** Spans or events in it that no earlier delivery brought; what the ledger must call stored. */
  fresh: number;
  acknowledged: boolean;
}

/** Makes the next delivery of one sender; it is not asked before the one before is acknowledged. */
export type Sender = () => Delivery;

const SPANS = 8;

/** Two traces at a time, each growing by several deliveries. */
function spanSender(send: (items: Item[]) => Pick<Delivery, 'headers' | 'body'>): Sender {
  let traces = [newTraceId(), newTraceId()];
  let made = 0;
  return () => {
    if (++made % 6 === 0) traces = [traces[1] as string, newTraceId()];
    const items = Array.from({ length: SPANS }, (_, i): Item => {
      const id = newSpanId();
      return { trace: traces[i % 2] as string, id, name: `span ${id}` };
    });
    return { path: '/v1/traces', ...send(items), items, fresh: SPANS, acknowledged: false };
  };
}

export const protobufSender = (gzip: boolean): Sender =>
  spanSender((items) => {
    const body = otlpRequest(items.map((item) => ({ ...item, attributes: { text: 'x'.repeat(400) } })));
    return {
      headers: { 'content-type': 'application/x-protobuf', ...(gzip ? { 'content-encoding': 'gzip' } : {}) },
      body: new Uint8Array(gzip ? gzipSync(body) : body),
    };
  });

export const jsonSender = (): Sender =>
  spanSender((items) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      jsonRequest(...items.map(({ trace, id, name }) => jsonSpan(trace, name, { spanId: id }))),
    ),
  }));

/** Keeps changing the one span it sends. */
export function changingSender(): Sender {
  const span = { trace: newTraceId(), id: newSpanId() };
  let version = 0;
  return () => {
    const item = { ...span, name: `version ${++version}` };
    return {
      path: '/v1/traces',
      headers: { 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(otlpRequest([item])),
      items: [item],
      fresh: version === 1 ? 1 : 0,
      acknowledged: false,
    };
  };
}

/** Native events: a trace, its logs, and an `llm` that starts in one call and ends in the next. */
export function eventSender(): Sender {
  let trace = '';
  let openLlm: string | null = null;
  let made = 0;
  return () => {
    const events: object[] = [];
    const timestamp = BASE_MS + made;
    if (made++ % 5 === 0 && openLlm === null) {
      trace = randomUUID();
      events.push({
        type: 'trace',
        timestamp,
        traceId: trace,
        input: 'a question',
        referenceId: `chat ${made}`,
      });
    }
    const step = (id: string, name: string) => ({ traceId: trace, id, name, timestamp });
    const hex = trace.replaceAll('-', '');
    const items: Item[] = [];
    for (let i = 0; i < 3; i++) {
      const id = newSpanId();
      items.push({ trace: hex, id, name: `log ${id}` });
      events.push({ ...step(id, `log ${id}`), type: 'log', content: { i } });
    }
    const id: string = openLlm ?? newSpanId();
    items.push({ trace: hex, id, name: `llm ${id}` });
    events.push({
      ...step(id, `llm ${id}`),
      type: 'llm',
      modelId: 'gpt-4o',
      ...(openLlm === null
        ? { event: 'start', input: 'hi' }
        : { event: 'end', output: 'ho', usage: { promptTokens: 3, completionTokens: 5 } }),
    });
    openLlm = openLlm === null ? id : null;
    return {
      path: '/v0/ingest',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
      items,
      fresh: events.length,
      acknowledged: false,
    };
  };
}

/** Everything the senders made, and whether it was acknowledged. */
export class Books {
  readonly deliveries: Delivery[] = [];

  /** What must be there: by trace and span id, as it was sent last. */
  expected(): Map<string, string> {
    return new Map(
      this.deliveries
        .filter(({ acknowledged }) => acknowledged)
        .flatMap(({ items }) => items.map(({ trace, id, name }) => [`${trace} ${id}`, name])),
    );
  }

  get fresh(): number {
    return this.deliveries.reduce((sum, { acknowledged, fresh }) => sum + (acknowledged ? fresh : 0), 0);
  }

  get unacknowledged(): number {
    return this.deliveries.filter(({ acknowledged }) => !acknowledged).length;
  }
}

export interface Target {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** What became of one try to send. */
export type Tried = number | 'no answer';

/** One try; a delivery that is answered 200 is acknowledged. */
export async function deliver({ url, headers }: Target, delivery: Delivery): Promise<Tried> {
  try {
    const response = await fetch(url + delivery.path, {
      method: 'POST',
      headers: { ...headers, ...delivery.headers },
      body: delivery.body,
    });
    if (response.status === 200) delivery.acknowledged = true;
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'no answer';
  }
}
