import { skipUnknown, WIRE_BYTES, type WireReader, wrongWireType } from '../../traces/wire/reader.ts';

/** A ResourceSpans or ScopeSpans message (or one of logs) without its members. */
export interface Envelope {
  bytes: Buffer;
  /** True if it has scopes, or spans or log records. */
  hasMembers: boolean;
}

/** Callbacks for the parts of an export request, in the order in which they nest. */
export interface RequestVisitor {
  resource: (envelope: Envelope) => void;
  scope: (envelope: Envelope) => void;
  /** Reads a span or a log record: all of the reader's window. */
  member: () => void;
}

/**
 * Walks an ExportTraceServiceRequest or an ExportLogsServiceRequest, which are alike: resources in field 1, in each of them
 * what its members share in field 1 (and a schema URL in 3) and scopes in 2, and the same once more for scopes. Throws
 * WireError.
 */
export function walkRequest(reader: WireReader, visitor: RequestVisitor): void {
  const members = (): void => walkMembers(reader, visitor.scope, visitor.member);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) reader.nested(() => walkMembers(reader, visitor.resource, members));
    else skipUnknown(reader, tag, 1);
  }
}

/** The shared part may follow its members on the wire, so it is gathered first. */
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
