import { createHash, randomUUID } from 'node:crypto';
import type { MessagePort, Transferable } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { MemoryBudget } from '../runtime/memory-budget.ts';
import type { ThreadCaller } from '../runtime/thread-calls.ts';
import { buildBatch, type SpanBatch } from '../traces/batch.ts';
import { parseId } from '../traces/ids.ts';
import { REMEMBER_MS } from '../traces/idempotency.ts';
import type { Rejection } from '../traces/ledger.ts';
import { buildLogBatch } from '../traces/log-batch.ts';
import { currentSpans } from '../traces/current-spans.ts';
import type { NativeAnswer, NativeQuery } from '../traces/native-steps.ts';
import { decodePayload } from '../traces/payload.ts';
import type { PriceTable } from '../traces/prices/model-price.ts';
import type { PriceList } from '../traces/prices/price-list.ts';
import type { FinishRewrite, RewriteInput } from '../traces/rewrite.ts';
import type { IncomingSpan } from '../traces/span.ts';
import { STORE_REFUSALS, type StoreOutcome, type StoreSpans } from '../traces/store.ts';
import { type LogsOutcome, type StoreLogs } from '../traces/store-logs.ts';
import { WireError } from '../traces/wire/reader.ts';
import { convertEvents } from './events/convert.ts';
import type { EventResult, NativeOutcome } from './events/outcome.ts';
import type { StoredNative, StoredQuery } from './events/stored.ts';
import { wrapSpans } from './events/wrap-spans.ts';
import { type ContentEncoding, inflate } from './inflate.ts';
import { countJsonMetrics, countProtobufMetrics } from './otlp/count-items.ts';
import { OtlpDecodeError } from './otlp/decode-error.ts';
import { encodeLogsJson, encodeTracesJson } from './otlp/json-to-protobuf.ts';
import { guessSignal } from './otlp/guess-signal.ts';
import { type ScannedRequest, scanTraces } from './otlp/scan.ts';
import { scanLogs } from './otlp/scan-logs.ts';
import {
  describeRejectedLogs,
  describeRejectedSpans,
  logRejections,
  spanRejections,
  sumOf,
} from './refusals.ts';

/** What the prepare thread is started with. */
export interface PrepareThreadData {
  writer: MessagePort;
  budget: { buffer: SharedArrayBuffer; limit: number };
  maxBodyBytes: number;
  prices: PriceTable;
}

/** One request, as it came from the socket. */
export interface PrepareRequest {
  application: number;
  keyId: string;
  /** Unix milliseconds. */
  at: number;
  body: Uint8Array;
  encoding: ContentEncoding;
  format: 'protobuf' | 'json';
}

/** What became of the spans (native: events) of a request. */
export interface Counts {
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
}

export interface TracesReply {
  counts: Counts;
  /** Why spans were refused, in words; '' when all were taken. */
  message: string;
}

/** What became of the log records of a request. */
export interface LogsReply {
  stored: number;
  duplicate: number;
  rejected: number;
  /** Accepted, and not kept. */
  dropped: number;
  /** Why records were refused, in words; '' when none was. */
  message: string;
}

export interface EventsReply {
  counts: Counts;
  /** The response as JSON text. */
  response: string;
}

export interface EventsRequest extends PrepareRequest {
  idempotencyKey: string | null;
}

/** What the thread does for others, by name. */
export interface PrepareCalls {
  traces: (request: PrepareRequest) => Promise<TracesReply>;
  events: (request: EventsRequest) => Promise<EventsReply>;
  logs: (request: PrepareRequest) => Promise<LogsReply>;
  /** How many there were; none is kept. */
  metrics: (request: PrepareRequest) => Promise<number>;
  rewrite: (tkey: number) => Promise<boolean>;
}

interface PreparerOptions {
  writer: ThreadCaller;
  budget: MemoryBudget;
  maxBodyBytes: number;
  prices: PriceList;
}

/** Everything between the bytes of a request and the store: inflate, decode, map, group, compress, hand over. */
export class Preparer implements PrepareCalls {
  private readonly writer: ThreadCaller;
  private readonly budget: MemoryBudget;
  private readonly maxBodyBytes: number;
  private readonly prices: PriceList;
  /** Native calls under way, by trace and Idempotency-Key: two that share one go one after the other. */
  private readonly busy = new Map<string, Promise<unknown>>();

  constructor({ writer, budget, maxBodyBytes, prices }: PreparerOptions) {
    this.writer = writer;
    this.budget = budget;
    this.maxBodyBytes = maxBodyBytes;
    this.prices = prices;
  }

  async run(name: string, args: unknown): Promise<unknown> {
    switch (name) {
      case 'traces':
        return this.traces(args as PrepareRequest);
      case 'events':
        return this.events(args as EventsRequest);
      case 'logs':
        return this.logs(args as PrepareRequest);
      case 'metrics':
        return this.metrics(args as PrepareRequest);
      case 'rewrite':
        return this.rewrite(args as number);
      default:
        throw new Error(`no call ${name}`);
    }
  }

  async traces(request: PrepareRequest): Promise<TracesReply> {
    const { scanned, batch } = this.withBody(request, (body) => {
      const spans = scanOtlp(body, request.format, receivedNs(request), this.prices);
      return { scanned: spans, batch: buildBatch(spans.spans) };
    });
    const rejected = Object.fromEntries(scanned.refused);
    const outcome = await this.store(request, batch, {
      native: false,
      received: scanned.received,
      rejected,
      notices: scanned.invalidTestIds > 0 ? { invalid_test_id: scanned.invalidTestIds } : {},
      rejections: spanRejections(scanned),
      steps: null,
      idempotency: null,
    });
    for (const { reason, spans } of outcome.refused) rejected[reason] = (rejected[reason] ?? 0) + spans;
    return { counts: countsOf(outcome, rejected), message: describeRejectedSpans(rejected) };
  }

  async events(request: EventsRequest): Promise<EventsReply> {
    const { events, requestHash } = this.withBody(request, (body) => ({
      events: parseEvents(body),
      requestHash: createHash('sha256').update(body).digest(),
    }));
    const { application, idempotencyKey } = request;
    const key = idempotencyKey === null ? [] : [`${application} ${idempotencyKey}`];
    return this.oneAtATime([...traceIdsIn(events), ...key], async () => {
      const known = await this.knownAnswer(request, requestHash);
      if (known !== null)
        return { counts: { stored: 0, duplicate: 0, replaced: 0, rejected: 0 }, response: known };
      const outcome = await convertEvents(
        events,
        () => parseId(randomUUID()),
        (queries) => this.findStored(request.application, queries),
      );
      return this.storeEvents(request, outcome, requestHash);
    });
  }

  async logs(request: PrepareRequest): Promise<LogsReply> {
    const { scanned, batch } = this.withBody(request, (body) => {
      const logs = readable(() => scanLogs(request.format === 'json' ? encodeLogsJson(body) : body));
      return { scanned: logs, batch: buildLogBatch(logs.records) };
    });
    const { application, keyId, at } = request;
    const args: StoreLogs = {
      application,
      keyId,
      at,
      batch,
      dropped: scanned.dropped,
      rejected: Object.fromEntries(scanned.refused),
      rejections: logRejections(scanned),
    };
    const { stored, duplicate, rejected } = (await this.handOver(
      'storeLogs',
      args,
      batch.arena,
    )) as LogsOutcome;
    return {
      stored,
      duplicate,
      rejected: sumOf(rejected),
      dropped: scanned.dropped,
      message: describeRejectedLogs(rejected),
    };
  }

  async metrics(request: PrepareRequest): Promise<number> {
    const count = this.withBody(request, (body) =>
      readable(() => (request.format === 'json' ? countJsonMetrics(body) : countProtobufMetrics(body))),
    );
    const { application, keyId, at } = request;
    await this.writer.call('recordRequest', {
      application,
      keyId,
      at,
      received: 0,
      stored: 0,
      duplicate: 0,
      replaced: 0,
      rejected: {},
      notices: count > 0 ? { dropped_metrics: count } : {},
      rejections: [],
    });
    return count;
  }

  /** Rewrites one trace; false when it has to be done again later. */
  async rewrite(tkey: number): Promise<boolean> {
    const input = (await this.writer.call('loadForRewrite', { tkey })) as RewriteInput | null;
    if (input === null) return true;
    const receivedAt = BigInt(input.receivedAt) * 1_000_000n;
    const batch = buildBatch(scanTraces(currentSpans(input), receivedAt, this.prices).spans);
    const { application, version } = input;
    const args: FinishRewrite = { tkey, application, version, batch, now: Date.now() };
    return (await this.writer.call('finishRewrite', args, [batch.arena.buffer as Transferable])) as boolean;
  }

  /** Inflates the body for the time of `use`. */
  private withBody<T>(request: PrepareRequest, use: (body: Buffer) => T): T {
    const { body, encoding } = request;
    const sent = Buffer.from(body.buffer, body.byteOffset, body.length);
    const inflated = inflate(sent, encoding, this.maxBodyBytes, this.budget);
    try {
      return use(inflated.bytes);
    } finally {
      this.budget.release(inflated.charged);
    }
  }

  private async store(
    { application, keyId, at }: PrepareRequest,
    batch: SpanBatch,
    rest: Omit<StoreSpans, 'application' | 'keyId' | 'at' | 'batch'>,
  ): Promise<StoreOutcome> {
    const args: StoreSpans = { application, keyId, at, batch, ...rest };
    return (await this.handOver('storeSpans', args, batch.arena)) as StoreOutcome;
  }

  /** Has the writer run a command whose bytes lie in `arena`. */
  private async handOver(command: string, args: object, arena: Uint8Array): Promise<unknown> {
    const bytes = arena.byteLength;
    // The body that this stands for was charged and is given back now; the commit must not be refused for it.
    this.budget.force(bytes);
    try {
      return await this.writer.call(command, args, [arena.buffer as Transferable]);
    } finally {
      this.budget.release(bytes);
    }
  }

  private async storeEvents(
    request: EventsRequest,
    outcome: NativeOutcome,
    requestHash: Buffer,
  ): Promise<EventsReply> {
    const spans: IncomingSpan[] = scanTraces(
      wrapSpans(outcome.spans),
      receivedNs(request),
      this.prices,
    ).spans;
    for (const [index, span] of spans.entries()) {
      span.events = outcome.spans[index]?.events ?? 1;
      span.completes = outcome.spans[index]?.completes ?? false;
    }
    const response = JSON.stringify({ data: outcome.results });
    const { opened, closed, aliases } = outcome;
    const stored = await this.store(request, buildBatch(spans), {
      native: true,
      received: outcome.received,
      rejected: outcome.rejected,
      notices: {},
      rejections: eventRejections(outcome),
      steps: opened.length + closed.length + aliases.length > 0 ? { opened, closed, aliases } : null,
      idempotency:
        request.idempotencyKey === null ? null : { key: request.idempotencyKey, requestHash, response },
    });
    return {
      counts: countsOf(stored, outcome.rejected),
      response:
        stored.refused.length === 0 ? response : JSON.stringify({ data: refuseTraces(outcome, stored) }),
    };
  }

  /** The answer an earlier call with the same `Idempotency-Key` got. */
  private async knownAnswer(
    { application, idempotencyKey, at }: EventsRequest,
    hash: Buffer,
  ): Promise<string | null> {
    if (idempotencyKey === null) return null;
    const known = (await this.writer.call('findAnswer', {
      application,
      key: idempotencyKey,
      since: at - REMEMBER_MS,
    })) as {
      requestHash: Uint8Array;
      response: string;
    } | null;
    if (known === null) return null;
    if (hash.equals(known.requestHash)) return known.response;
    throw new AppError('conflict', 'this Idempotency-Key was used for a request with another body');
  }

  private async findStored(application: number, queries: StoredQuery[]): Promise<StoredNative[]> {
    const answers = (await this.writer.call('findNativeSteps', {
      application,
      queries: queries satisfies NativeQuery[],
    })) as NativeAnswer[];
    return answers.map(({ spans, aliases, open }) => ({
      spans: new Map(spans.map(({ id, payload, index }) => [id, spanBytes(payload, index)])),
      aliases: new Map(aliases),
      open: new Map(open),
    }));
  }

  /** Runs `work` when no other call under one of these names is under way. */
  private async oneAtATime<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    for (;;) {
      const other = names.map((name) => this.busy.get(name)).find((running) => running !== undefined);
      if (!other) break;
      await other.catch(() => undefined);
    }
    const running = work();
    for (const name of names) this.busy.set(name, running);
    try {
      return await running;
    } finally {
      for (const name of names) this.busy.delete(name);
    }
  }
}

function receivedNs({ at }: PrepareRequest): bigint {
  return BigInt(at) * 1_000_000n;
}

function scanOtlp(
  body: Buffer,
  format: 'protobuf' | 'json',
  receivedAt: bigint,
  prices: PriceList,
): ScannedRequest {
  return readable(() => {
    const bytes = format === 'json' ? encodeTracesJson(body) : body;
    let scanned: ScannedRequest;
    try {
      scanned = scanTraces(bytes, receivedAt, prices);
    } catch (error) {
      if (error instanceof WireError) refuseOtherSignals(bytes);
      throw error;
    }
    if (scanned.received > 0 && scanned.spans.length === 0) refuseOtherSignals(bytes);
    return scanned;
  });
}

/** Logs and metrics share field numbers with spans, and may decode into spans without ids. */
function refuseOtherSignals(bytes: Buffer): void {
  const signal = guessSignal(bytes);
  if (signal) throw new OtlpDecodeError(`this looks like OTLP ${signal}; send ${signal} to /v1/${signal}`);
}

/** A body that cannot be read is the sender's fault, for good. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError)
      throw new AppError('bad_request', `the body is not a valid OTLP message: ${error.message}`);
    if (error instanceof OtlpDecodeError) throw new AppError('bad_request', error.message);
    throw error;
  }
}

function countsOf(outcome: StoreOutcome, rejected: Readonly<Record<string, number>>): Counts {
  const { stored, duplicate, replaced } = outcome;
  return {
    stored,
    duplicate,
    replaced,
    rejected: sumOf(rejected),
  };
}

function parseEvents(body: Buffer): unknown[] {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    throw new AppError('bad_request', 'the body is not JSON');
  }
  const events: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'events') : undefined;
  if (!Array.isArray(events)) {
    const message = events === undefined ? 'events is required' : 'events must be an array';
    throw new AppError('invalid', message, { issues: [{ code: 'invalid_type', message, path: ['events'] }] });
  }
  if (events.length === 0 || events.length > MAX_EVENTS) {
    const [code, message] =
      events.length === 0
        ? ['too_small', 'events must hold at least one event']
        : ['too_big', `events must hold at most ${MAX_EVENTS} events`];
    throw new AppError('invalid', message, { issues: [{ code, message, path: ['events'] }] });
  }
  return events;
}

const MAX_EVENTS = 10_000;

/** The trace ids events name. New ids are random, so nobody else can be at work on those. */
function traceIdsIn(events: readonly unknown[]): string[] {
  const ids = new Set<string>();
  for (const event of events) {
    const id: unknown =
      typeof event === 'object' && event !== null ? Reflect.get(event, 'traceId') : undefined;
    if (typeof id === 'string') ids.add(id.toLowerCase());
  }
  return [...ids];
}

function eventRejections({ results, rejected }: NativeOutcome): Rejection[] {
  const [reason] = Object.keys(rejected);
  if (reason === undefined) return [];
  return results
    .filter((result): result is Extract<EventResult, { success: false }> => !result.success)
    .slice(0, 5)
    .map(({ error }) => ({
      source: 'events',
      reason,
      message: error,
      spans: 1,
      traceId: null,
      spanId: null,
    }));
}

/** Trace events whose trace the store refused did not succeed after all. */
function refuseTraces({ results }: NativeOutcome, { refused }: StoreOutcome): EventResult[] {
  const reasons = new Map(refused.map(({ traceId, reason }) => [traceId, STORE_REFUSALS[reason]]));
  return results.map((result) => {
    const error =
      result.success && result.id !== undefined ? reasons.get(result.id.replaceAll('-', '')) : undefined;
    return error === undefined ? result : { success: false, error };
  });
}

function spanBytes(payload: Uint8Array, index: number): Buffer {
  const span = decodePayload(Buffer.from(payload.buffer, payload.byteOffset, payload.length))[index];
  if (!span) throw new Error('the directory names a span that its chunk does not hold');
  return span.bytes;
}
