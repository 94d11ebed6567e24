import { type Steps, Turn } from '../../runtime/steps.ts';
import { COST, type DecodeWork, MAX_MEMBERS, tooMany } from '../decode-work.ts';
import {
  skipUnknown,
  WIRE_BYTES,
  WireError,
  type WireReader,
  wrongWireType,
} from '../../traces/wire/reader.ts';
import { MAX_PIECES } from './check-message.ts';

/** A ResourceSpans or ScopeSpans message (or its equivalent for logs) without its members. */
export interface OtlpEnvelope {
  bytes: Buffer;
  /** True if it has scopes, spans or log records. */
  hasMembers: boolean;
}

/** Callbacks for the parts of an export request, in the order in which they nest. */
export interface RequestVisitor {
  resource: (envelope: OtlpEnvelope) => void;
  scope: (envelope: OtlpEnvelope) => void;
  /** Reads a span or a log record, which is the reader's complete window. */
  member: () => void;
}

/** Takes the work of a walk, so that it ends early. */
class CountedWalk {
  private readonly reader: WireReader;
  private readonly visitor: RequestVisitor;
  private readonly work: DecodeWork;
  private resources = 0;
  private scopes = 0;
  private granted: number;

  constructor(reader: WireReader, visitor: RequestVisitor, work: DecodeWork) {
    this.reader = reader;
    this.visitor = visitor;
    this.work = work;
    this.granted = reader.fieldsLeft = work.maxFields;
  }

  readonly resource = (envelope: OtlpEnvelope): void => {
    if (++this.resources > MAX_MEMBERS) throw tooMany('resources');
    this.take(COST.resource);
    this.visitor.resource(envelope);
  };

  readonly scope = (envelope: OtlpEnvelope): void => {
    if (++this.scopes > MAX_MEMBERS) throw tooMany('scopes');
    this.take(COST.scope);
    this.visitor.scope(envelope);
  };

  readonly member = (): void => {
    this.take(0);
    this.visitor.member();
  };

  /** Takes the fields that were read since the last call, and what comes next. */
  private take(cost: number): void {
    const { reader, work } = this;
    work.spendValues(this.granted - reader.fieldsLeft, COST.value);
    work.spend(cost);
    this.granted = reader.fieldsLeft = work.maxFields;
  }
}

/**
 * Walks in steps an ExportTraceServiceRequest or an ExportLogsServiceRequest, which have the same structure: resources in
 * field 1; in each of them the shared part in field 1 (with a schema URL in 3) and scopes in field 2; and the same
 * structure again in scopes. Throws WireError, FieldLimitError and the errors of `work`.
 */
export function* walkRequest(reader: WireReader, visitor: RequestVisitor, work: DecodeWork): Steps<void> {
  const counted = new CountedWalk(reader, visitor, work);
  const turn = new Turn();
  const members = (): Steps<void> => walkMembers(reader, counted.scope, counted.member, turn);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) {
      const outer = reader.enter();
      yield* walkMembers(reader, counted.resource, members, turn);
      reader.end = outer;
    } else skipUnknown(reader, tag, 1);
  }
}

/** Reads the shared part before the members, because it may follow them in the bytes. */
function* walkMembers(
  reader: WireReader,
  begin: (envelope: OtlpEnvelope) => void,
  member: () => Steps<void> | void,
  turn: Turn,
): Steps<void> {
  const start = reader.pos;
  const envelope = readEnvelope(reader);
  begin(envelope);
  if (!envelope.hasMembers) return;
  reader.pos = start;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag !== ((2 << 3) | WIRE_BYTES)) {
      reader.skip(tag);
      continue;
    }
    const outer = reader.enter();
    const steps = member();
    if (steps) yield* steps;
    reader.end = outer;
    if (turn.isOver()) yield* turn.pause();
  }
}

function readEnvelope(reader: WireReader): OtlpEnvelope {
  const pieces: Buffer[] = [];
  let hasMembers = false;
  /** Start of fields that follow each other, none of which is a member; -1 before the first. */
  let start = -1;
  const endPiece = (end: number): void => {
    if (start < 0) return;
    if (pieces.length === MAX_PIECES) throw new WireError(`an envelope in more than ${MAX_PIECES} pieces`);
    pieces.push(reader.buffer.subarray(start, end));
    start = -1;
  };
  for (let from = reader.pos, tag = reader.tag(); tag !== 0; from = reader.pos, tag = reader.tag()) {
    if (tag >>> 3 <= 3 && (tag & 7) !== WIRE_BYTES) throw wrongWireType(tag);
    reader.skip(tag);
    if (tag >>> 3 === 2) {
      endPiece(from);
      hasMembers = true;
    } else if (start < 0) start = from;
  }
  endPiece(reader.pos);
  return { bytes: pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces), hasMembers };
}
