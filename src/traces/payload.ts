import { pack, unpack } from './pack.ts';
import type { IncomingSpan } from './span.ts';
import { WIRE_BYTES, WireReader } from './wire/reader.ts';
import { varintSize, WireWriter } from './wire/writer.ts';

/** Field of ResourceSpans that has the hash of the resource in place of the resource: docs/format.md. */
const RESOURCE_HASH_FIELD = 100;

const writer = new WireWriter(64 * 1024);

/** Encodes spans. Those that share a resource and a scope should be adjacent; otherwise both are repeated. */
export function encodePayload(spans: readonly IncomingSpan[]): Buffer {
  writer.reset();
  for (let at = 0; at < spans.length; ) {
    const first = spans[at] as IncomingSpan;
    let end = at + 1;
    let size = first.scope.length + fieldSize(first.bytes.length);
    for (; end < spans.length; end++) {
      const next = spans[end] as IncomingSpan;
      if (next.resource !== first.resource || next.scope !== first.scope) break;
      size += fieldSize(next.bytes.length);
    }
    writer.tag(1, WIRE_BYTES);
    writer.varint(19 + fieldSize(size));
    writer.bytesField(RESOURCE_HASH_FIELD, first.resource.hash);
    writer.tag(2, WIRE_BYTES);
    writer.varint(size);
    writer.raw(first.scope);
    for (; at < end; at++) writer.bytesField(2, (spans[at] as IncomingSpan).bytes);
  }
  return pack(writer.view());
}

/** One span of a payload, as views of its bytes. */
export interface PayloadSpan {
  bytes: Buffer;
  /** ScopeSpans message without its spans. */
  scope: Buffer;
  resourceHash: Buffer;
}

/** Returns all spans of a payload, in order. */
export function decodePayload(payload: Buffer): PayloadSpan[] {
  const spans: PayloadSpan[] = [];
  const reader = new WireReader(unpack(payload));
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) readResourceSpans(reader.bytes(), spans);
    else reader.skip(tag);
  }
  return spans;
}

function readResourceSpans(bytes: Buffer, spans: PayloadSpan[]): void {
  let resourceHash: Buffer = bytes.subarray(0, 0);
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((RESOURCE_HASH_FIELD << 3) | WIRE_BYTES)) resourceHash = reader.bytes();
    else if (tag === ((2 << 3) | WIRE_BYTES)) readScopeSpans(reader.bytes(), resourceHash, spans);
    else reader.skip(tag);
  }
}

/** Reads a ScopeSpans message, in which the scope precedes its spans, regardless of the order on arrival. */
function readScopeSpans(bytes: Buffer, resourceHash: Buffer, spans: PayloadSpan[]): void {
  const reader = new WireReader(bytes);
  let scopeEnd = -1;
  for (let from = 0, tag = reader.tag(); tag !== 0; from = reader.pos, tag = reader.tag()) {
    if (tag === ((2 << 3) | WIRE_BYTES)) {
      if (scopeEnd < 0) scopeEnd = from;
      spans.push({ bytes: reader.bytes(), scope: bytes.subarray(0, scopeEnd), resourceHash });
    } else reader.skip(tag);
  }
}

/** Returns the size of a length-delimited field whose number is below 16. */
function fieldSize(length: number): number {
  return 1 + varintSize(length) + length;
}
