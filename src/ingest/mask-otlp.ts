import type { Masker } from '../masking/masker.ts';
import type { Steps } from '../runtime/steps.ts';
import { KeyValue } from '../traces/wire/key-value.ts';
import { WIRE_BYTES, WIRE_VARINT, WireReader } from '../traces/wire/reader.ts';
import { WireWriter } from '../traces/wire/writer.ts';
import { COST, DecodeWork } from './decode-work.ts';
import { MessagePieces } from './message-pieces.ts';
import { MAX_VALUE_DEPTH } from './otlp/check-message.ts';

/** Contents of a field of bytes: a text, a value, an attribute, or a message with further fields. */
type Content = 'text' | 'value' | 'attribute' | Shape;
/** Fields of a message that may contain texts of the sender; others are copied. */
interface Shape {
  name: string;
  fields: Readonly<Record<number, Content>>;
}

const ATTRIBUTES = 'attribute';
const RESOURCE: Shape = { name: 'resource', fields: { 1: ATTRIBUTES } };
const SCOPE: Shape = { name: 'scope', fields: { 3: ATTRIBUTES } };
const EVENT: Shape = { name: 'event.name', fields: { 2: 'text', 3: ATTRIBUTES } };
const LINK: Shape = { name: 'link', fields: { 4: ATTRIBUTES } };
const STATUS: Shape = { name: 'status.message', fields: { 2: 'text' } };
const SPAN: Shape = {
  name: 'name',
  fields: { 5: 'text', 9: ATTRIBUTES, 11: EVENT, 13: LINK, 15: STATUS },
};
const LOG_RECORD: Shape = { name: 'body', fields: { 5: 'value', 6: ATTRIBUTES } };

/** Request of resources with scopes with members, in which spans and log records are nested alike. */
const requestOf = (member: Shape): Shape => ({
  name: 'request',
  fields: {
    1: { name: 'resource', fields: { 1: RESOURCE, 2: { name: 'scope', fields: { 1: SCOPE, 2: member } } } },
  },
});
export const TRACES_REQUEST = requestOf(SPAN);
export const LOGS_REQUEST = requestOf(LOG_RECORD);

/**
 * Masks the texts of an OTLP message in steps, and removes attributes as the rules say. Returns the same bytes if nothing
 * changes; the memory of others stays charged to `work`. Throws WireError when they are malformed, and the errors of `work`.
 */
export function* maskOtlp(
  body: Buffer,
  request: Shape,
  masker: Masker,
  work = new DecodeWork(),
): Steps<Buffer> {
  const messages = new MessageMasker(masker, work);
  const complete = { bytes: body, start: 0, end: body.length };
  try {
    const pieces = yield* masker.run(messages.message(complete, request));
    if (pieces === null) return body;
    work.charge(pieces.length);
    return pieces.join();
  } finally {
    messages.release();
  }
}

/** Part of a buffer. */
interface Range {
  bytes: Buffer;
  start: number;
  end: number;
}

/** Attribute of a value, for the report, and the name of the value itself. */
interface Belonging {
  attribute: string;
  name: string;
}

class MessageMasker {
  private readonly masker: Masker;
  private readonly work: DecodeWork;
  private readonly keyValue = new KeyValue();
  /** Memory of pieces that is charged. */
  private charged = 0;
  private fields = 0;

  constructor(masker: Masker, work: DecodeWork) {
    this.masker = masker;
    this.work = work;
  }

  /** Releases the memory of pieces. */
  release(): void {
    this.work.release(this.charged);
    this.charged = 0;
  }

  /** Returns the changed bytes of a message; null if it stays as it is. */
  *message(range: Range, { name, fields }: Shape): Steps<MessagePieces | null> {
    return yield* this.rewrite(range, (tag, value) => {
      const content = (tag & 7) === WIRE_BYTES ? fields[tag >>> 3] : undefined;
      if (content === undefined) return KEEP;
      if (content === 'text') return replacing(tag, this.text(value, { attribute: name, name }));
      if (content === 'value') return replacing(tag, this.value(value, { attribute: name, name }, 0));
      if (content === 'attribute') return this.attribute(tag, value);
      return replacing(tag, this.message(value, content));
    });
  }

  private *attribute(tag: number, range: Range): Steps<Change> {
    const { masker, work } = this;
    work.spendMasking(COST.maskedAttribute);
    const key = this.keyOf(range);
    const fate = masker.attributes.fateOf(key);
    if (fate === 'exempt') return KEEP;
    const attribute = yield* masker.nameSteps(key);
    if (fate === 'mask') return yield* replacing(tag, this.pair(range, { attribute, name: key }, 0));
    masker.tally.add('removed', attribute);
    return null;
  }

  /** Masks the key of a pair and its value. */
  private *pair(range: Range, of: Belonging, depth: number): Steps<Contents> {
    return yield* this.rewrite(range, (tag, value) => {
      if (tag === KEY_TAG) return replacing(tag, this.name(value));
      return tag === VALUE_TAG ? replacing(tag, this.value(value, of, depth)) : KEEP;
    });
  }

  /** Masks an AnyValue. One that nests too deeply is copied, because its span will be rejected. */
  private *value(range: Range, of: Belonging, depth: number): Steps<Contents> {
    if (depth > MAX_VALUE_DEPTH) return null;
    return yield* this.rewrite(range, (tag, part) => {
      if (tag === STRING_TAG) return replacing(tag, this.text(part, of));
      if (tag === INTEGER_TAG) return this.integer(part, of);
      if (tag === ARRAY_TAG)
        return replacing(
          tag,
          this.rewriteItems(part, (item) => this.value(item, of, depth + 1)),
        );
      if (tag === LIST_TAG)
        return replacing(
          tag,
          this.rewriteItems(part, (pair) => this.member(pair, of, depth + 1)),
        );
      return KEEP;
    });
  }

  /** Masks a member of a list of pairs, whose own name tells whether it is a secret. */
  private *member(range: Range, { attribute }: Belonging, depth: number): Steps<Contents> {
    return yield* this.pair(range, { attribute, name: this.keyOf(range) }, depth);
  }

  private *text({ bytes, start, end }: Range, { attribute, name }: Belonging): Steps<Contents> {
    const text = bytes.toString('utf8', start, end);
    const masked = yield* this.masker.textSteps(text, attribute, name);
    return masked === text ? null : Buffer.from(masked);
  }

  private *name({ bytes, start, end }: Range): Steps<Contents> {
    const text = bytes.toString('utf8', start, end);
    const masked = yield* this.masker.nameSteps(text);
    return masked === text ? null : Buffer.from(masked);
  }

  /** Masks an integer, which becomes a text. */
  private *integer({ bytes, start, end }: Range, { attribute }: Belonging): Steps<Change> {
    if (end - start < SHORTEST_CARD_VARINT) return KEEP;
    const digits = new WireReader(bytes, start, end).int64().toString();
    const masked = yield* this.masker.integerSteps(digits, attribute);
    return masked === null ? KEEP : { tag: STRING_TAG, contents: Buffer.from(masked) };
  }

  /**
   * Passes each field of a message to `change`, with the range of its value without its length. Returns null if all
   * fields stay as they are.
   */
  private *rewrite({ bytes, start, end }: Range, change: ChangeField): Steps<MessagePieces | null> {
    const { masker, work } = this;
    const reader = this.open(bytes, start, end);
    let pieces: MessagePieces | null = null;
    let copied = start;
    let left = reader.fieldsLeft;
    for (let from = start, tag = reader.tag(); tag !== 0; from = reader.pos, tag = reader.tag()) {
      let valueStart = reader.pos;
      reader.skip(tag);
      if ((tag & 7) === WIRE_BYTES) valueStart = startOfBytes(bytes, valueStart);
      work.spendMasking((left - reader.fieldsLeft) * COST.value);
      left = reader.fieldsLeft;
      if (++this.fields % FIELDS_PER_CHECK === 0 && masker.isTurnOver()) yield* masker.pause();
      const changing = change(tag, { bytes, start: valueStart, end: reader.pos });
      if (changing === KEEP) continue;
      work.spendMasking(COST.maskedField);
      const changed = yield* changing;
      if (changed === KEEP) continue;
      pieces ??= this.newPieces();
      this.addView(pieces, bytes.subarray(copied, from));
      if (changed !== null) this.addField(pieces, changed);
      copied = reader.pos;
    }
    if (pieces !== null) this.addView(pieces, bytes.subarray(copied, end));
    return pieces;
  }

  /** Passes each item of an ArrayValue or a KeyValueList to `change`, which returns null for what stays. */
  private rewriteItems(range: Range, change: (item: Range) => Steps<Contents>): Steps<Contents> {
    return this.rewrite(range, (tag, item) => (tag === ITEM_TAG ? replacing(tag, change(item)) : KEEP));
  }

  private keyOf({ bytes, start, end }: Range): string {
    const { keyValue, work } = this;
    const reader = this.open(bytes, start, end);
    const granted = reader.fieldsLeft;
    keyValue.read(reader, end);
    work.spendMasking((granted - reader.fieldsLeft) * COST.value);
    return bytes.toString('utf8', keyValue.keyStart, keyValue.keyEnd);
  }

  /** Opens a reader that reads no more fields than decoding would. */
  private open(bytes: Buffer, start: number, end: number): WireReader {
    const reader = new WireReader(bytes, start, end);
    reader.fieldsLeft = this.work.maxFields;
    return reader;
  }

  private newPieces(): MessagePieces {
    this.charge(PIECE_BYTES);
    return new MessagePieces();
  }

  /** Adds bytes of the message itself. */
  private addView(pieces: MessagePieces, view: Buffer): void {
    if (view.length === 0) return;
    this.charge(PIECE_BYTES);
    pieces.add(view);
  }

  private addField(pieces: MessagePieces, { tag, contents }: Field): void {
    this.charge(2 * PIECE_BYTES + (contents instanceof MessagePieces ? 0 : contents.length));
    pieces.add(headOf(tag, contents.length));
    pieces.add(contents);
  }

  private charge(bytes: number): void {
    this.work.charge(bytes);
    this.charged += bytes;
  }
}

/** Estimated memory of a piece of a changed message, besides bytes of its own. */
const PIECE_BYTES = 200;
/** Number of fields after which masking pauses if its turn is over. */
const FIELDS_PER_CHECK = 16;

const KEY_TAG = (1 << 3) | WIRE_BYTES;
const VALUE_TAG = (2 << 3) | WIRE_BYTES;
const STRING_TAG = (1 << 3) | WIRE_BYTES;
const INTEGER_TAG = (3 << 3) | WIRE_VARINT;
const ARRAY_TAG = (5 << 3) | WIRE_BYTES;
const LIST_TAG = (6 << 3) | WIRE_BYTES;
const ITEM_TAG = (1 << 3) | WIRE_BYTES;
/** Bytes of the shortest varint with 13 digits. */
const SHORTEST_CARD_VARINT = 6;

/** Result for a field that stays as it is. */
const KEEP = Symbol('keep');
/** Changed contents of a field; null if they stay as they are. */
type Contents = Buffer | MessagePieces | null;
/** Field of bytes that replaces another field. */
interface Field {
  tag: number;
  contents: Buffer | MessagePieces;
}
/** Field that replaces a field, null to remove it, or KEEP. */
type Change = Field | null | typeof KEEP;
type ChangeField = (tag: number, value: Range) => Steps<Change> | typeof KEEP;

/** Returns the position behind the length of a value, which was already read. */
function startOfBytes(bytes: Buffer, lengthAt: number): number {
  let at = lengthAt;
  while ((bytes[at] as number) >= 0x80) at += 1;
  return at + 1;
}

function* replacing(tag: number, changing: Steps<Contents>): Steps<Change> {
  const contents = yield* changing;
  return contents === null ? KEEP : { tag, contents };
}

/** Returns the tag of a field of bytes with its length. */
function headOf(tag: number, length: number): Buffer {
  const writer = new WireWriter(20);
  writer.varint(tag);
  writer.varint(length);
  return writer.view();
}
