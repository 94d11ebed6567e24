import type { SpanMapping } from '../../traces/mapping.ts';
import { mapEvent } from '../../traces/map-span.ts';
import { SpanFlag } from '../../traces/span.ts';
import { KeyValue } from '../../traces/wire/key-value.ts';
import {
  skipUnknown,
  WIRE_BYTES,
  WIRE_FIXED32,
  WIRE_FIXED64,
  WIRE_VARINT,
  WireReader,
} from '../../traces/wire/reader.ts';
import {
  checkAnyValue,
  checkMessage,
  EVENT,
  LINK,
  MAX_ATTRIBUTES,
  type MessageShape,
} from './check-message.ts';

/** OTLP flags: it is known whether the parent is remote, and it is remote. */
const PARENT_IS_REMOTE = 0x300;

export const MAX_EVENTS = 20_000;
export const MAX_LINKS = 20_000;

/** Byte offset and length of an id. */
interface IdRange {
  at: number;
  length: number;
}

/** Fields of a Span message that are needed without parsing its bytes again. One object serves for many spans. */
export class SpanFields {
  readonly traceId: IdRange = { at: 0, length: 0 };
  readonly spanId: IdRange = { at: 0, length: 0 };
  readonly parentId: IdRange = { at: 0, length: 0 };
  name = '';
  /** Start in Unix nanoseconds; 0 when it was not sent. */
  start = 0n;
  end = 0n;
  /** Status code as sent. */
  statusCode = 0;
  /** Bits of SpanFlag. */
  flags = 0;
  attributes = 0;
  events = 0;
  links = 0;
  isTooDeep = false;
  private readonly keyValue = new KeyValue();

  /**
   * Reads and checks the reader's complete window, and passes attributes and events to `mapping`. Throws WireError.
   */
  read(reader: WireReader, mapping: SpanMapping): void {
    this.reset();
    const { buffer } = reader;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      switch (tag) {
        case (1 << 3) | WIRE_BYTES:
          readId(reader, this.traceId);
          break;
        case (2 << 3) | WIRE_BYTES:
          readId(reader, this.spanId);
          break;
        case (4 << 3) | WIRE_BYTES:
          readId(reader, this.parentId);
          break;
        case (5 << 3) | WIRE_BYTES:
          this.name = reader.string();
          break;
        case (7 << 3) | WIRE_FIXED64:
          this.start = buffer.readBigUInt64LE(reader.fixed64());
          break;
        case (8 << 3) | WIRE_FIXED64:
          this.end = buffer.readBigUInt64LE(reader.fixed64());
          break;
        case (9 << 3) | WIRE_BYTES:
          this.attribute(reader, mapping);
          break;
        case (11 << 3) | WIRE_BYTES:
          this.event(reader, mapping);
          break;
        case (13 << 3) | WIRE_BYTES:
          this.link(reader);
          break;
        case (15 << 3) | WIRE_BYTES:
          this.status(reader);
          break;
        case (16 << 3) | WIRE_FIXED32:
          this.parentFlags(buffer.readUInt32LE(reader.fixed32()));
          break;
        case (3 << 3) | WIRE_BYTES:
        case (6 << 3) | WIRE_VARINT:
          reader.skip(tag);
          break;
        case (10 << 3) | WIRE_VARINT:
        case (12 << 3) | WIRE_VARINT:
        case (14 << 3) | WIRE_VARINT:
          if (reader.uint32() > 0) this.flags |= SpanFlag.dropped;
          break;
        default:
          skipUnknown(reader, tag, 16);
      }
    }
  }

  private reset(): void {
    this.traceId.length = this.spanId.length = this.parentId.length = 0;
    this.name = '';
    this.start = this.end = 0n;
    this.statusCode = this.flags = this.attributes = this.events = this.links = 0;
    this.isTooDeep = false;
  }

  private attribute(reader: WireReader, mapping: SpanMapping): void {
    const { keyValue } = this;
    const length = reader.length();
    this.attributes += 1;
    // The span will be rejected.
    if (this.attributes > MAX_ATTRIBUTES) {
      reader.pos += length;
      return;
    }
    if (!keyValue.readChecked(reader, reader.pos + length, 1, checkAnyValue)) this.isTooDeep = true;
    mapping.attribute(keyValue.keyStart, keyValue.keyEnd, keyValue.valueStart, keyValue.valueEnd);
  }

  private link(reader: WireReader): void {
    if (++this.links > MAX_LINKS) reader.skip(WIRE_BYTES);
    else this.check(reader, LINK);
  }

  private event(reader: WireReader, mapping: SpanMapping): void {
    if (++this.events > MAX_EVENTS) {
      reader.skip(WIRE_BYTES);
      return;
    }
    const from = reader.pos;
    this.check(reader, EVENT);
    const event = new WireReader(reader.buffer, from, reader.pos);
    if (!this.isTooDeep) mapEvent(event.bytes(), mapping);
  }

  private check(reader: WireReader, shape: MessageShape): void {
    const length = reader.length();
    if (!checkMessage(reader, reader.pos + length, shape)) this.isTooDeep = true;
  }

  /** Reads the status. The code of an earlier piece stays, because a repeated message is merged. */
  private status(reader: WireReader): void {
    const length = reader.length();
    const outer = reader.end;
    reader.end = reader.pos + length;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((3 << 3) | WIRE_VARINT)) this.statusCode = reader.uint32();
      // Field 1 was a code in earlier versions, and is reserved.
      else if (tag === ((2 << 3) | WIRE_BYTES) || tag >>> 3 === 1) reader.skip(tag);
      else skipUnknown(reader, tag, 3);
    }
    reader.end = outer;
  }

  private parentFlags(sent: number): void {
    const isRemote = (sent & PARENT_IS_REMOTE) === PARENT_IS_REMOTE;
    this.flags = isRemote ? this.flags | SpanFlag.remoteParent : this.flags & ~SpanFlag.remoteParent;
  }
}

function readId(reader: WireReader, id: IdRange): void {
  id.length = reader.length();
  id.at = reader.pos;
  reader.pos += id.length;
}

/** Reports whether the bytes are an id of `size` bytes that are not all zero. */
export function isId(bytes: Buffer, { at, length }: IdRange, size: number): boolean {
  if (length !== size) return false;
  for (let i = at; i < at + size; i++) if (bytes[i] !== 0) return true;
  return false;
}
