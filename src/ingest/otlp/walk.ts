import { skipUnknown, WIRE_BYTES, type WireReader, wrongWireType } from '../../traces/wire/reader.ts';

/** A ResourceSpans or ScopeSpans message (or its equivalent for logs) without its members. */
export interface Envelope {
  bytes: Buffer;
  /** True if it has scopes, spans or log records. */
  hasMembers: boolean;
}

/** Callbacks for the parts of an export request, in the order in which they nest. */
export interface RequestVisitor {
  resource: (envelope: Envelope) => void;
  scope: (envelope: Envelope) => void;
  /** Reads a span or a log record, which is the reader's complete window. */
  member: () => void;
}

/**
 * Walks an ExportTraceServiceRequest or an ExportLogsServiceRequest, which have the same structure: resources in
 * field 1; in each of them the shared part in field 1 (with a schema URL in 3) and scopes in field 2; and the same
 * structure again in scopes. Throws WireError.
 */
export function walkRequest(reader: WireReader, visitor: RequestVisitor): void {
  const members = (): void => walkMembers(reader, visitor.scope, visitor.member);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) reader.nested(() => walkMembers(reader, visitor.resource, members));
    else skipUnknown(reader, tag, 1);
  }
}

/** Reads the shared part before the members, because it may follow them in the bytes. */
function walkMembers(reader: WireReader, begin: (envelope: Envelope) => void, member: () => void): void {
  const start = reader.pos;
  const envelope = readEnvelope(reader);
  begin(envelope);
  if (!envelope.hasMembers) return;
  reader.pos = start;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((2 << 3) | WIRE_BYTES)) reader.nested(member);
    else reader.skip(tag);
  }
}

function readEnvelope(reader: WireReader): Envelope {
  const pieces: Buffer[] = [];
  let hasMembers = false;
  for (let from = reader.pos, tag = reader.tag(); tag !== 0; from = reader.pos, tag = reader.tag()) {
    if (tag >>> 3 <= 3 && (tag & 7) !== WIRE_BYTES) throw wrongWireType(tag);
    reader.skip(tag);
    if (tag >>> 3 === 2) hasMembers = true;
    else pieces.push(reader.buffer.subarray(from, reader.pos));
  }
  return { bytes: pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces), hasMembers };
}
