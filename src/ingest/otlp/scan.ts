import { eachInTurns, inOneTurn, type Steps } from '../../runtime/steps.ts';
import { SpanMapping } from '../../traces/mapping.ts';
import type { OwnMappings } from '../../traces/own-rules/own-mappings.ts';
import type { PriceList } from '../../traces/prices/price-list.ts';
import { type IncomingResource, type IncomingSpan, SpanFlag, STATUS_ERROR } from '../../traces/span.ts';
import { scopeHash } from '../../traces/scope-hash.ts';
import { readSums } from '../../traces/sums.ts';
import { WireReader } from '../../traces/wire/reader.ts';
import { type WrongTimeUnit, wrongTimeUnit } from '../../traces/time-unit.ts';
import { COST, DecodeWork, MAX_MEMBERS, tooMany } from '../decode-work.ts';
import { MAX_ATTRIBUTES, MAX_VALUE_DEPTH } from './check-message.ts';
import { findResource, findScope } from './envelopes.ts';
import { isId, MAX_EVENTS, MAX_LINKS, SpanFields } from './span-fields.ts';
import { type OtlpEnvelope, walkRequest } from './walk.ts';

export const MAX_SPANS_PER_REQUEST = MAX_MEMBERS;

/** Reasons for which a span is rejected, with a message that tells its sender how to correct it. */
export const REJECTIONS = {
  invalid_trace_id: 'trace_id must be 16 bytes (32 hex digits) and not all zero',
  invalid_span_id: 'span_id must be 8 bytes (16 hex digits) and not all zero',
  too_deep: `attribute values nest deeper than ${MAX_VALUE_DEPTH} levels`,
  too_many_attributes: `more than ${MAX_ATTRIBUTES} attributes on one span`,
  too_many_events: `more than ${MAX_EVENTS} events on one span`,
  too_many_links: `more than ${MAX_LINKS} links on one span`,
} as const;
export type RejectionReason = keyof typeof REJECTIONS;

export interface RejectedSpan {
  reason: RejectionReason;
  /** Ids as sent, in hex or as the text of an invalid JSON id, truncated to 64 characters. */
  traceId: string;
  spanId: string;
}

export interface ScannedRequest {
  spans: IncomingSpan[];
  received: number;
  rejected: Map<RejectionReason, number>;
  /** The first few rejected spans, as examples. */
  rejectedSamples: RejectedSpan[];
  /** Number of spans and resources whose `service.test.id` is not a uuid. */
  invalidTestIds: number;
  /** Number of spans whose times are probably not in nanoseconds. */
  wrongTimes: number;
  /** Unit of the first such span. */
  wrongUnit: WrongTimeUnit | null;
}

export interface ScanOptions {
  /** Default: hex digits. */
  showId?: ShowId;
  /** Default: unlimited. */
  work?: DecodeWork;
  /** Mapping rules of the application. Default: none. */
  own?: OwnMappings | null;
}

/** Returns an id of a rejected span as its sender knows it; `size` is that of a valid one. */
export type ShowId = (bytes: Buffer, size: 8 | 16) => string;

const MAX_SAMPLES = 5;
/** Most bytes of an invalid id that are shown. */
const MAX_SHOWN_ID = 64;
const NONE: readonly never[] = [];
const INT64_MAX = 0x7fffffffffffffffn;

/**
 * Reads an ExportTraceServiceRequest. Checks the complete message, so that nothing that was accepted can fail to
 * decode later. Throws WireError when it is malformed, AppError `too_large` when it contains too many spans, and the errors of
 * `work`, from which the work of each part is taken; a span with an invalid id or out of bounds is rejected alone. `receivedAt` (Unix nanoseconds) replaces missing times;
 * `prices` complete the missing cost of model calls. `showId` describes the ids of rejected spans.
 */
export function scanTraces(
  body: Buffer,
  receivedAt: bigint,
  prices: PriceList,
  options: ScanOptions = {},
): ScannedRequest {
  return inOneTurn(scanTracesInSteps(body, receivedAt, prices, options));
}

/** Reads like `scanTraces`, in steps. */
export function* scanTracesInSteps(
  body: Buffer,
  receivedAt: bigint,
  prices: PriceList,
  { showId = (bytes) => bytes.toString('hex'), work = new DecodeWork(), own = null }: ScanOptions = {},
): Steps<ScannedRequest> {
  const scanner = new Scanner(body, receivedAt, prices, { showId, work, own });
  yield* walkRequest(scanner.reader, scanner, work);
  yield* eachInTurns(scanner.members, scanner.read);
  return scanner.result;
}

/** Place of a span in the body, with its resource and scope. */
interface Member {
  start: number;
  end: number;
  resource: IncomingResource;
  scope: Buffer;
}

/** Shared by the thread, because reading one span is never interrupted. */
const sharedMapping = new SpanMapping();
const sharedFields = new SpanFields();

class Scanner {
  readonly reader: WireReader;
  readonly result: ScannedRequest = {
    spans: [],
    received: 0,
    rejected: new Map(),
    rejectedSamples: [],
    invalidTestIds: 0,
    wrongTimes: 0,
    wrongUnit: null,
  };
  /** Spans that the walk has found. */
  readonly members: Member[] = [];
  private readonly mapping = sharedMapping;
  private readonly fields = sharedFields;
  private readonly body: Buffer;
  private readonly receivedAt: bigint;
  private readonly prices: PriceList;
  private readonly showId: ShowId;
  private readonly work: DecodeWork;
  private readonly own: OwnMappings | null;
  private readonly resources = new Map<string, IncomingResource>();
  private readonly scopes = new Map<string, Buffer>();
  private resourceBytes: Buffer;
  private currentResource: IncomingResource | null = null;
  private currentScope: Buffer;

  constructor(
    body: Buffer,
    receivedAt: bigint,
    prices: PriceList,
    { showId, work, own }: Required<ScanOptions>,
  ) {
    this.body = body;
    this.own = own;
    this.showId = showId;
    this.work = work;
    this.receivedAt = receivedAt;
    this.prices = prices;
    this.reader = new WireReader(body);
    this.resourceBytes = this.currentScope = body.subarray(0, 0);
  }

  readonly resource = ({ bytes }: OtlpEnvelope): void => {
    this.resourceBytes = bytes;
    this.currentResource = null;
  };

  /**
   * Sets the current scope. Resource and scope are decoded for the first span only: envelopes without spans cost
   * nothing.
   */
  readonly scope = ({ bytes, hasMembers }: OtlpEnvelope): void => {
    if (!hasMembers) return;
    this.currentResource ??= this.findResource(this.resourceBytes);
    this.currentScope = this.findScope(bytes);
  };

  readonly member = (): void => {
    const { reader, result, currentResource, currentScope } = this;
    result.received += 1;
    if (result.received > MAX_SPANS_PER_REQUEST) throw tooMany('spans');
    this.work.span();
    this.members.push({
      start: reader.pos,
      end: reader.end,
      resource: currentResource as IncomingResource,
      scope: currentScope,
    });
    reader.pos = reader.end;
  };

  /** Reads a span that the walk has found. */
  readonly read = ({ start, end, resource, scope }: Member): void => {
    const { reader, result, body, mapping, fields, work } = this;
    const granted = work.maxFields;
    [reader.pos, reader.end, reader.fieldsLeft] = [start, end, granted];
    [this.currentResource, this.currentScope] = [resource, scope];
    const bytes = body.subarray(reader.pos, reader.end);
    mapping.reset(body, this.own);
    fields.read(reader, mapping);
    work.spendValues(granted - reader.fieldsLeft, COST.value);
    const rejection = rejectionOf(body, fields);
    if (rejection === null) result.spans.push(this.span(bytes));
    else this.reject(rejection);
  };

  private noteUnit(start: bigint): void {
    const unit = wrongTimeUnit(start);
    if (unit === null) return;
    this.result.wrongTimes += 1;
    this.result.wrongUnit ??= unit;
  }

  /** Returns the span that `fields` and `mapping` have read. */
  private span(bytes: Buffer): IncomingSpan {
    const { body, result, mapping, fields } = this;
    const { traceId, spanId, parentId } = fields;
    const model = mapping.name('model');
    const provider = mapping.name('provider');
    const { start, end, isAdjusted } = timesOf(fields, this.receivedAt);
    const { sums, flags } = readSums(mapping, this.prices, { model, provider, start });
    this.noteUnit(fields.start);
    const testId = mapping.testId();
    if (testId === undefined) result.invalidTestIds += 1;
    return {
      traceId: body.toString('latin1', traceId.at, traceId.at + 16),
      spanId: body.toString('latin1', spanId.at, spanId.at + 8),
      parentId: isId(body, parentId, 8) ? body.toString('latin1', parentId.at, parentId.at + 8) : '',
      name: mapping.name('displayName') ?? fields.name,
      start,
      end,
      status: statusOf(fields, mapping),
      flags: fields.flags | mapping.flags | flags | (isAdjusted ? SpanFlag.timeAdjusted : 0),
      kind: mapping.kind,
      resource: this.currentResource as IncomingResource,
      scope: this.currentScope,
      bytes,
      own: this.own,
      testId: testId ?? null,
      model,
      provider,
      environment: mapping.name('environment'),
      inputTokens: sums.inputTokens,
      outputTokens: sums.outputTokens,
      totalTokens: sums.totalTokens,
      cacheReadTokens: sums.cacheReadTokens,
      cacheWriteTokens: sums.cacheWriteTokens,
      reasoningTokens: sums.reasoningTokens,
      cost: sums.cost,
      scopeHash: mapping.hasUsage ? scopeHash(this.currentScope) : 0,
      responseHash: mapping.hash('responseId'),
      sessionId: mapping.name('sessionId'),
      userId: mapping.name('userId'),
      traceName: mapping.name('traceName'),
      tags: mapping.has('tags') ? mapping.tags() : NONE,
      metadata: mapping.has('metadata') ? mapping.metadataPairs() : NONE,
      events: 1,
      completes: false,
    };
  }

  private reject(reason: RejectionReason): void {
    const { rejected, rejectedSamples } = this.result;
    const { traceId, spanId } = this.fields;
    rejected.set(reason, (rejected.get(reason) ?? 0) + 1);
    if (rejectedSamples.length >= MAX_SAMPLES) return;
    const shown = ({ at, length }: { at: number; length: number }, size: 8 | 16): string =>
      this.showId(this.body.subarray(at, at + Math.min(length, MAX_SHOWN_ID)), size).slice(0, MAX_SHOWN_ID);
    rejectedSamples.push({ reason, traceId: shown(traceId, 16), spanId: shown(spanId, 8) });
  }

  /**
   * Returns the resource with these bytes. A Collector repeats a resource within a request; it becomes one object and
   * counts once.
   */
  private findResource(bytes: Buffer): IncomingResource {
    const key = bytes.toString('latin1');
    const known = this.resources.get(key);
    if (known) return known;
    this.work.spend(COST.distinctResource + bytes.length * COST.resourceByte);
    const { resource, hasInvalidTestId } = findResource(key, bytes);
    if (hasInvalidTestId) this.result.invalidTestIds += 1;
    this.resources.set(key, resource);
    return resource;
  }

  private findScope(bytes: Buffer): Buffer {
    const key = bytes.toString('latin1');
    const known = this.scopes.get(key);
    if (known) return known;
    this.work.spend(bytes.length * COST.resourceByte);
    const scope = findScope(key, bytes);
    this.scopes.set(key, scope);
    return scope;
  }
}

function rejectionOf(body: Buffer, fields: SpanFields): RejectionReason | null {
  if (!isId(body, fields.traceId, 16)) return 'invalid_trace_id';
  if (!isId(body, fields.spanId, 8)) return 'invalid_span_id';
  if (fields.isTooDeep) return 'too_deep';
  if (fields.attributes > MAX_ATTRIBUTES) return 'too_many_attributes';
  if (fields.events > MAX_EVENTS) return 'too_many_events';
  return fields.links > MAX_LINKS ? 'too_many_links' : null;
}

/** Returns times that can be stored: a missing one is replaced, and the end is not before the start. */
function timesOf(
  { start, end }: { start: bigint; end: bigint },
  receivedAt: bigint,
): { start: bigint; end: bigint; isAdjusted: boolean } {
  if (start !== 0n && end >= start && end <= INT64_MAX) return { start, end, isAdjusted: false };
  if (start === 0n) start = end === 0n ? receivedAt : end;
  if (start > INT64_MAX) start = INT64_MAX;
  if (end > INT64_MAX) end = INT64_MAX;
  if (end < start) end = start;
  return { start, end, isAdjusted: true };
}

/**
 * Returns the status code. Unknown codes are ignored; a sender may mark a span as an error by other means than its
 * status.
 */
function statusOf({ statusCode }: SpanFields, mapping: SpanMapping): number {
  if (statusCode !== 0 && statusCode <= STATUS_ERROR) return statusCode;
  return mapping.isError ? STATUS_ERROR : 0;
}
