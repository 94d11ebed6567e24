/** Senders that speak OTLP without an exporter: they know of each request whether it was acknowledged. */
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { encodeTracesJson } from '../../src/ingest/otlp/json-to-protobuf.ts';
import { exportPath, framed, framedGzip, GrpcConnection } from '../support/grpc.ts';
import { decodeProto, type Plain } from '../support/otlp-proto.ts';
import { insist, send, type Tried } from './insist.ts';
import { type Attempts, noAttempts, SpanBook, spanName } from './span-book.ts';

/** One request with known spans. */
interface Job {
  json: string;
  protobuf: Uint8Array<ArrayBuffer>;
  names: string[];
  /** Spans without a valid id. */
  invalid: number;
}

export interface Target {
  url: string;
  grpcPort: number;
  headers: Readonly<Record<string, string>>;
}

export interface RawSenderOptions {
  name: string;
  transport: 'HTTP' | 'gRPC';
  target: Target;
  random: () => number;
  /** Pause between two requests, milliseconds. */
  pauseMs: number;
}

const LONG_TRACES = 3;
/** Part of requests that are larger than what one commit stores. */
const LARGE_SHARE = 0.01;
const LARGE_SPANS = 3_000;
const MAX_SPANS = 40;
const INVALID_SHARE = 0.1;
/** Part of requests that are sent again although they were acknowledged. */
const REPEATED_SHARE = 0.05;
const START_NS = '1767225600000000000';
const END_NS = '1767225601000000000';

export class RawSender {
  readonly book: SpanBook;
  readonly attempts: Attempts = noAttempts();
  private readonly options: RawSenderOptions;
  private readonly longTraces: string[];
  private made = 0;
  private connection: GrpcConnection | null = null;

  constructor(options: RawSenderOptions) {
    this.options = options;
    this.book = new SpanBook(options.name);
    this.longTraces = Array.from({ length: LONG_TRACES }, () => this.newTraceId());
  }

  /** Sends until `stop` is aborted; then the last request is still repeated until it is acknowledged. */
  async run(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    const { random, pauseMs } = this.options;
    while (!stop.aborted) {
      const job = this.newJob();
      await this.sendJob(job, false, deadline);
      if (random() < REPEATED_SHARE) await this.sendJob(job, true, deadline);
      await delay(pauseMs * (0.5 + random()));
    }
    this.connection?.destroy();
  }

  private async sendJob(job: Job, isRepeated: boolean, deadline: AbortSignal): Promise<void> {
    const { names, invalid } = job;
    const { all, acknowledged } = this.attempts;
    const isGzip = this.options.random() < 0.5;
    let isFirst = !isRepeated;
    this.book.note(names, 'sent');
    await insist(async () => {
      all.requests += 1;
      all.spans += names.length + invalid;
      all.rejected += invalid;
      if (!isFirst) all.repeated += names.length;
      isFirst = false;
      return this.attempt(job, isGzip);
    }, deadline);
    acknowledged.requests += 1;
    acknowledged.spans += names.length + invalid;
    acknowledged.rejected += invalid;
    if (isRepeated) acknowledged.repeated += names.length;
    this.book.note(names, 'acknowledged');
    this.book.lastAcknowledged = names[0];
  }

  private attempt(job: Job, isGzip: boolean): Promise<Tried> {
    return this.options.transport === 'gRPC' ? this.overGrpc(job, isGzip) : this.overHttp(job, isGzip);
  }

  private async overHttp({ json, protobuf, invalid }: Job, isGzip: boolean): Promise<Tried> {
    const { target, random } = this.options;
    const isJson = random() < 0.5;
    const body = isJson ? Buffer.from(json) : protobuf;
    const reply = await send(`${target.url}/v1/traces`, {
      method: 'POST',
      headers: {
        ...target.headers,
        'content-type': isJson ? 'application/json' : 'application/x-protobuf',
        ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
      },
      body: new Uint8Array(isGzip ? gzipSync(body) : body),
    });
    if (reply === null) return 'no response';
    if (reply.status === 503) return 'unavailable';
    if (reply.status !== 200)
      this.book.faults.push(`HTTP response ${reply.status}: ${reply.body.toString()}`);
    else
      this.checkRejected(
        isJson ? (JSON.parse(reply.body.toString()) as Plain) : decoded(reply.body),
        invalid,
      );
    return 'accepted';
  }

  private async overGrpc({ protobuf, invalid }: Job, isGzip: boolean): Promise<Tried> {
    const { target } = this.options;
    this.connection ??= await GrpcConnection.open(target.grpcPort).catch(() => null);
    if (!this.connection) return 'no response';
    const { code, message, body } = await this.connection.call({
      path: exportPath('traces'),
      headers: { ...target.headers, ...(isGzip ? { 'grpc-encoding': 'gzip' } : {}) },
      bytes: isGzip ? framedGzip(protobuf) : framed(protobuf),
    });
    if (code === 0) this.checkRejected(decoded(body), invalid);
    else {
      this.connection.destroy();
      this.connection = null;
      if (code === null) return 'no response';
      if (code === UNAVAILABLE) return 'unavailable';
      this.book.faults.push(`gRPC code ${code}: ${message}`);
    }
    return 'accepted';
  }

  private checkRejected(response: Plain, invalid: number): void {
    const { rejectedSpans = 0 } = (response['partialSuccess'] ?? {}) as { rejectedSpans?: number | string };
    if (Number(rejectedSpans) !== invalid)
      this.book.faults.push(`a response rejects ${rejectedSpans} spans; ${invalid} were invalid`);
  }

  private newJob(): Job {
    const { random } = this.options;
    const count = random() < LARGE_SHARE ? LARGE_SPANS : 1 + Math.floor(random() * MAX_SPANS);
    const invalid = random() < INVALID_SHARE ? 1 + Math.floor(random() * 3) : 0;
    const own = [this.newTraceId(), this.newTraceId()];
    const names: string[] = [];
    const spans: object[] = [];
    for (let i = 0; i < count; i++) {
      const pool = i % 3 === 0 && count < LARGE_SPANS ? this.longTraces : own;
      const traceId = pool[Math.floor(random() * pool.length)] ?? '';
      const spanId = this.newSpanId();
      names.push(spanName(traceId, spanId));
      spans.push(spanOf(traceId, spanId, 'x'.repeat(Math.floor(random() * 800))));
    }
    for (let i = 0; i < invalid; i++) spans.push(spanOf(own[0] as string, '0'.repeat(16), 'invalid'));
    const json = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    return { json, protobuf: Uint8Array.from(encodeTracesJson(Buffer.from(json))), names, invalid };
  }

  private newTraceId(): string {
    return Array.from({ length: 4 }, () => hex(this.options.random() * 2 ** 32, 8)).join('');
  }

  private newSpanId(): string {
    return `f${hex(this.options.random() * 2 ** 28, 7)}${hex(++this.made, 8)}`;
  }
}

const UNAVAILABLE = 14;

const hex = (number: number, digits: number): string => Math.floor(number).toString(16).padStart(digits, '0');

const decoded = (body: Buffer): Plain => decodeProto('ExportTraceServiceResponse', body);

const spanOf = (traceId: string, spanId: string, text: string): object => ({
  traceId,
  spanId,
  name: 'work',
  startTimeUnixNano: START_NS,
  endTimeUnixNano: END_NS,
  attributes: [{ key: 'input.value', value: { stringValue: text } }],
});
