import { AppError } from '../../errors.ts';
import { eventName, SpanMapping } from '../../traces/mapping.ts';
import type { PriceList } from '../../traces/prices/price-list.ts';
import { type IncomingResource, type IncomingSpan, SpanFlag, STATUS_ERROR } from '../../traces/span.ts';
import { readSums } from '../../traces/sums.ts';
import { WIRE_BYTES, WIRE_FIXED32, WIRE_FIXED64, WIRE_VARINT, WireReader } from '../../traces/wire/reader.ts';
import {
  checkAnyValue,
  checkMessage,
  EVENT,
  LINK,
  MAX_VALUE_DEPTH,
  type MessageShape,
  skipUnknown,
  wrongWireType,
} from './check-message.ts';
import { findResource, findScope } from './envelopes.ts';

export const MAX_ATTRIBUTES = 20_000;
export const MAX_SPANS_PER_REQUEST = 131_072;

/** Why one span was refused, and in words its sender can act on. */
export const REFUSALS = {
  invalid_trace_id: 'trace_id must be 16 bytes (32 hex digits) and not all zero',
  invalid_span_id: 'span_id must be 8 bytes (16 hex digits) and not all zero',
  too_deep: `attribute values nest deeper than ${MAX_VALUE_DEPTH} levels`,
  too_many_attributes: `more than ${MAX_ATTRIBUTES} attributes on one span`,
} as const;
export type Refusal = keyof typeof REFUSALS;

export interface RefusedSpan {
  reason: Refusal;
  /** Hex of what was sent as ids, cut to 64 digits. */
  traceId: string;
  spanId: string;
}

export interface ScannedRequest {
  spans: IncomingSpan[];
  received: number;
  refused: Map<Refusal, number>;
  /** The first few of them, to show. */
  refusedSamples: RefusedSpan[];
  /** Spans and resources whose `service.test.id` is no uuid. */
  invalidTestIds: number;
}

const MAX_SAMPLES = 5;
const NONE: readonly never[] = [];
const INT64_MAX = 0x7fffffffffffffffn;

/**
 * Reads an ExportTraceServiceRequest. The whole message is checked, so that nothing that was accepted can fail to
 * decode later. Throws WireError when it is malformed, AppError `too_large` when it holds too many spans;
 * a span with a wrong id or out of bounds is refused alone.
 * `receivedAt` (Unix nanoseconds) stands in for times that are missing; `prices` for the cost of model calls that tell
 * none.
 */
export function scanTraces(body: Buffer, receivedAt: bigint, prices: PriceList): ScannedRequest {
  return new Scanner(body, receivedAt, prices).request();
}

/** One for the thread: a scan is never interrupted by another one. */
const sharedMapping = new SpanMapping();

class Scanner {
  private readonly reader: WireReader;
  private readonly mapping = sharedMapping;
  private readonly body: Buffer;
  private readonly receivedAt: bigint;
  private readonly prices: PriceList;
  private readonly resources = new Map<string, IncomingResource>();
  private readonly scopes = new Map<string, Buffer>();
  private readonly result: ScannedRequest = {
    spans: [],
    received: 0,
    refused: new Map(),
    refusedSamples: [],
    invalidTestIds: 0,
  };
  private tooDeep = false;

  constructor(body: Buffer, receivedAt: bigint, prices: PriceList) {
    this.body = body;
    this.receivedAt = receivedAt;
    this.prices = prices;
    this.reader = new WireReader(body);
  }

  request(): ScannedRequest {
    const { reader } = this;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((1 << 3) | WIRE_BYTES)) reader.nested(() => this.resourceSpans());
      else skipUnknown(reader, tag, 1);
    }
    return this.result;
  }

  private resourceSpans(): void {
    const { reader } = this;
    const start = reader.pos;
    const envelope = this.envelope();
    let resource: IncomingResource | null = null;
    // Decoded at the first span: an envelope without spans costs nothing.
    const resourceOf = (): IncomingResource => (resource ??= this.resource(envelope.rest));
    if (!envelope.hasMembers) return;
    reader.pos = start;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((2 << 3) | WIRE_BYTES)) reader.nested(() => this.scopeSpans(resourceOf));
      else reader.skip(tag);
    }
  }

  /** Behind a Collector one resource comes again and again in a request: it is one object here, and counts once. */
  private resource(bytes: Buffer): IncomingResource {
    const key = bytes.toString('latin1');
    const known = this.resources.get(key);
    if (known) return known;
    const { resource, hasInvalidTestId } = findResource(key, bytes);
    if (hasInvalidTestId) this.result.invalidTestIds += 1;
    this.resources.set(key, resource);
    return resource;
  }

  private scopeSpans(resourceOf: () => IncomingResource): void {
    const { reader } = this;
    const start = reader.pos;
    const envelope = this.envelope();
    if (!envelope.hasMembers) return;
    const resource = resourceOf();
    const scope = this.scope(envelope.rest);
    reader.pos = start;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((2 << 3) | WIRE_BYTES)) reader.nested(() => this.span(resource, scope));
      else reader.skip(tag);
    }
  }

  private scope(bytes: Buffer): Buffer {
    const key = bytes.toString('latin1');
    let scope = this.scopes.get(key);
    if (!scope) {
      this.scopes.set(key, (scope = findScope(key, bytes)));
    }
    return scope;
  }

  /**
   * ResourceSpans and ScopeSpans are alike: what the members share in field 1 (and a schema URL in 3), the members in 2.
   * The shared part may follow its members on the wire, so it is gathered first.
   */
  private envelope(): { rest: Buffer; hasMembers: boolean } {
    const { reader, body } = this;
    const pieces: Buffer[] = [];
    let hasMembers = false;
    for (let from = reader.pos, tag = reader.tag(); tag !== 0; from = reader.pos, tag = reader.tag()) {
      if (tag >>> 3 <= 3 && (tag & 7) !== WIRE_BYTES) throw wrongWireType(tag);
      reader.skip(tag);
      if (tag >>> 3 === 2) hasMembers = true;
      else pieces.push(body.subarray(from, reader.pos));
    }
    return { rest: pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces), hasMembers };
  }

  private span(resource: IncomingResource, scope: Buffer): void {
    const { reader, body, mapping, result } = this;
    result.received += 1;
    if (result.received > MAX_SPANS_PER_REQUEST) {
      throw new AppError(
        'too_large',
        `more than ${MAX_SPANS_PER_REQUEST} spans in one request; send smaller batches`,
      );
    }
    const from = reader.pos;
    const to = reader.end;
    let traceAt = 0;
    let traceLength = 0;
    let spanAt = 0;
    let spanLength = 0;
    let parentAt = 0;
    let parentLength = 0;
    let name = '';
    let startAt = -1;
    let endAt = -1;
    let status = 0;
    let wireFlags = 0;
    let flags = 0;
    let attributes = 0;
    this.tooDeep = false;
    mapping.reset(body);
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      switch (tag) {
        case (1 << 3) | WIRE_BYTES:
          traceLength = reader.length();
          traceAt = reader.pos;
          reader.pos += traceLength;
          break;
        case (2 << 3) | WIRE_BYTES:
          spanLength = reader.length();
          spanAt = reader.pos;
          reader.pos += spanLength;
          break;
        case (4 << 3) | WIRE_BYTES:
          parentLength = reader.length();
          parentAt = reader.pos;
          reader.pos += parentLength;
          break;
        case (5 << 3) | WIRE_BYTES:
          name = reader.string();
          break;
        case (7 << 3) | WIRE_FIXED64:
          startAt = reader.fixed64();
          break;
        case (8 << 3) | WIRE_FIXED64:
          endAt = reader.fixed64();
          break;
        case (9 << 3) | WIRE_BYTES:
          attributes += 1;
          this.attribute();
          break;
        case (11 << 3) | WIRE_BYTES:
          this.event();
          break;
        case (13 << 3) | WIRE_BYTES:
          this.nestedAttributes(LINK);
          break;
        case (15 << 3) | WIRE_BYTES:
          status = this.status(status);
          break;
        case (16 << 3) | WIRE_FIXED32:
          wireFlags = body.readUInt32LE(reader.fixed32());
          break;
        case (3 << 3) | WIRE_BYTES:
        case (6 << 3) | WIRE_VARINT:
          reader.skip(tag);
          break;
        case (10 << 3) | WIRE_VARINT:
        case (12 << 3) | WIRE_VARINT:
        case (14 << 3) | WIRE_VARINT:
          if (reader.uint32() > 0) flags |= SpanFlag.dropped;
          break;
        default:
          skipUnknown(reader, tag, 16);
      }
    }
    const refusal = this.refusal(traceAt, traceLength, spanAt, spanLength, attributes);
    if (refusal !== null) {
      this.refuse(
        refusal,
        body.subarray(traceAt, traceAt + traceLength),
        body.subarray(spanAt, spanAt + spanLength),
      );
      return;
    }

    let start = startAt < 0 ? 0n : body.readBigUInt64LE(startAt);
    let end = endAt < 0 ? 0n : body.readBigUInt64LE(endAt);
    const model = mapping.name('model');
    const provider = mapping.name('provider');
    const { sums, flags: sumFlags } = readSums(mapping, this.prices, model, provider);
    flags |= mapping.flags | sumFlags | ((wireFlags & 0x300) === 0x300 ? SpanFlag.remoteParent : 0);
    if (start === 0n || end < start || end > INT64_MAX) {
      flags |= SpanFlag.timeAdjusted;
      if (start === 0n) start = end === 0n ? this.receivedAt : end;
      if (start > INT64_MAX) start = INT64_MAX;
      if (end > INT64_MAX) end = INT64_MAX;
      if (end < start) end = start;
    }
    const testId = mapping.testId();
    if (testId === undefined) result.invalidTestIds += 1;
    result.spans.push({
      traceId: body.toString('latin1', traceAt, traceAt + 16),
      spanId: body.toString('latin1', spanAt, spanAt + 8),
      parentId: isId(body, parentAt, parentLength, 8) ? body.toString('latin1', parentAt, parentAt + 8) : '',
      name,
      start,
      end,
      status: spanStatus(status, mapping),
      flags,
      kind: mapping.kind,
      resource,
      scope,
      bytes: body.subarray(from, to),
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
      sessionId: mapping.name('sessionId'),
      userId: mapping.name('userId'),
      traceName: mapping.name('traceName'),
      tags: mapping.has('tags') ? mapping.tags() : NONE,
      metadata: mapping.has('metadata') ? mapping.metadataPairs() : NONE,
      events: 1,
      completes: false,
    });
  }

  private refusal(
    traceAt: number,
    traceLength: number,
    spanAt: number,
    spanLength: number,
    attributes: number,
  ): Refusal | null {
    if (!isId(this.body, traceAt, traceLength, 16)) return 'invalid_trace_id';
    if (!isId(this.body, spanAt, spanLength, 8)) return 'invalid_span_id';
    if (this.tooDeep) return 'too_deep';
    return attributes > MAX_ATTRIBUTES ? 'too_many_attributes' : null;
  }

  private refuse(reason: Refusal, traceId: Buffer, spanId: Buffer): void {
    const { refused, refusedSamples } = this.result;
    refused.set(reason, (refused.get(reason) ?? 0) + 1);
    if (refusedSamples.length < MAX_SAMPLES) {
      refusedSamples.push({ reason, traceId: hexStart(traceId), spanId: hexStart(spanId) });
    }
  }

  /** `code` is that of an earlier piece of the status: repeated, a message is merged. */
  private status(code: number): number {
    const { reader } = this;
    const length = reader.length();
    const outer = reader.end;
    reader.end = reader.pos + length;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((3 << 3) | WIRE_VARINT)) code = reader.uint32();
      // Field 1 held a code once, and is reserved.
      else if (tag === ((2 << 3) | WIRE_BYTES) || tag >>> 3 === 1) reader.skip(tag);
      else skipUnknown(reader, tag, 3);
    }
    reader.end = outer;
    return code;
  }

  /** A KeyValue of the span itself: checked, and shown to the mapping. */
  private attribute(): void {
    const { reader } = this;
    const length = reader.length();
    const outer = reader.end;
    reader.end = reader.pos + length;
    let keyStart = 0;
    let keyEnd = 0;
    let valueStart = reader.end;
    let valueEnd = reader.end;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((1 << 3) | WIRE_BYTES)) {
        const size = reader.length();
        keyStart = reader.pos;
        keyEnd = reader.pos += size;
      } else if (tag === ((2 << 3) | WIRE_BYTES)) {
        const size = reader.length();
        valueStart = reader.pos;
        valueEnd = valueStart + size;
        if (!checkAnyValue(reader, valueEnd, 1)) this.tooDeep = true;
      } else skipUnknown(reader, tag, 2);
    }
    reader.end = outer;
    this.mapping.attribute(keyStart, keyEnd, valueStart, valueEnd);
  }

  /** An event: checked, and its name shown to the mapping. */
  private event(): void {
    const { reader } = this;
    const from = reader.pos;
    this.nestedAttributes(EVENT);
    const event = new WireReader(this.body, from, reader.pos);
    this.mapping.event(eventName(event.bytes()));
  }

  private nestedAttributes(shape: MessageShape): void {
    const { reader } = this;
    const length = reader.length();
    if (!checkMessage(reader, reader.pos + length, shape)) this.tooDeep = true;
  }
}

/** Unknown codes say nothing; a sender may call a span an error by other means than its status. */
function spanStatus(code: number, mapping: SpanMapping): number {
  if (code !== 0 && code <= STATUS_ERROR) return code;
  return mapping.isError ? STATUS_ERROR : 0;
}

function isId(body: Buffer, at: number, length: number, size: number): boolean {
  if (length !== size) return false;
  for (let i = at; i < at + size; i++) if (body[i] !== 0) return true;
  return false;
}

function hexStart(bytes: Buffer): string {
  return bytes.subarray(0, 32).toString('hex');
}
