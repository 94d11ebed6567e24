import type { Masker } from '../masking/masker.ts';
import type { Steps } from '../runtime/steps.ts';
import { KeyValue } from '../traces/wire/key-value.ts';
import { WIRE_BYTES, WIRE_VARINT, WireReader } from '../traces/wire/reader.ts';
import { varintSize, WireWriter } from '../traces/wire/writer.ts';
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
 * changes. Throws WireError when they are malformed.
 */
export function* maskOtlp(body: Buffer, request: Shape, masker: Masker): Steps<Buffer> {
  const whole = { bytes: body, start: 0, end: body.length };
  return (yield* masker.run(new MessageMasker(masker).message(whole, request))) ?? body;
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
  private readonly keyValue = new KeyValue();

  constructor(masker: Masker) {
    this.masker = masker;
  }

  /** Returns the changed bytes of a message; null if it stays as it is. */
  *message(range: Range, { name, fields }: Shape): Steps<Buffer | null> {
    return yield* rewrite(range, (tag, value) => {
      const content = (tag & 7) === WIRE_BYTES ? fields[tag >>> 3] : undefined;
      if (content === undefined) return KEEP;
      if (content === 'text') return replacing(tag, this.text(value, { attribute: name, name }));
      if (content === 'value') return replacing(tag, this.value(value, { attribute: name, name }, 0));
      if (content === 'attribute') return this.attribute(tag, value);
      return replacing(tag, this.message(value, content));
    });
  }

  private *attribute(tag: number, range: Range): Steps<Change> {
    const { masker } = this;
    const key = keyOf(range, this.keyValue);
    const fate = masker.attributes.fateOf(key);
    if (fate === 'exempt') return KEEP;
    const attribute = yield* masker.nameSteps(key);
    if (fate === 'mask') return yield* replacing(tag, this.pair(range, { attribute, name: key }, 0));
    masker.tally.add('removed', attribute);
    return null;
  }

  /** Masks the key of a pair and its value. */
  private *pair(range: Range, of: Belonging, depth: number): Steps<Buffer | null> {
    return yield* rewrite(range, (tag, value) => {
      if (tag === KEY_TAG) return replacing(tag, this.name(value));
      return tag === VALUE_TAG ? replacing(tag, this.value(value, of, depth)) : KEEP;
    });
  }

  /** Masks an AnyValue. One that nests too deeply is copied, because its span will be rejected. */
  private *value(range: Range, of: Belonging, depth: number): Steps<Buffer | null> {
    if (depth > MAX_VALUE_DEPTH) return null;
    return yield* rewrite(range, (tag, part) => {
      if (tag === STRING_TAG) return replacing(tag, this.text(part, of));
      if (tag === INTEGER_TAG) return this.integer(part, of);
      if (tag === ARRAY_TAG)
        return replacing(
          tag,
          rewriteItems(part, (item) => this.value(item, of, depth + 1)),
        );
      if (tag === LIST_TAG)
        return replacing(
          tag,
          rewriteItems(part, (pair) => this.member(pair, of, depth + 1)),
        );
      return KEEP;
    });
  }

  /** Masks a member of a list of pairs, whose own name tells whether it is a secret. */
  private *member(range: Range, { attribute }: Belonging, depth: number): Steps<Buffer | null> {
    return yield* this.pair(range, { attribute, name: keyOf(range, this.keyValue) }, depth);
  }

  private *text({ bytes, start, end }: Range, { attribute, name }: Belonging): Steps<Buffer | null> {
    const text = bytes.toString('utf8', start, end);
    const masked = yield* this.masker.textSteps(text, attribute, name);
    return masked === text ? null : Buffer.from(masked);
  }

  private *name({ bytes, start, end }: Range): Steps<Buffer | null> {
    const text = bytes.toString('utf8', start, end);
    const masked = yield* this.masker.nameSteps(text);
    return masked === text ? null : Buffer.from(masked);
  }

  /** Masks an integer, which becomes a text. */
  private *integer({ bytes, start, end }: Range, { attribute }: Belonging): Steps<Change> {
    if (end - start < SHORTEST_CARD_VARINT) return KEEP;
    const digits = new WireReader(bytes, start, end).int64().toString();
    const masked = yield* this.masker.integerSteps(digits, attribute);
    return masked === null ? KEEP : field(STRING_TAG, Buffer.from(masked));
  }
}

function keyOf({ bytes, start, end }: Range, keyValue: KeyValue): string {
  keyValue.read(new WireReader(bytes, start, end), end);
  return bytes.toString('utf8', keyValue.keyStart, keyValue.keyEnd);
}

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
/** New bytes of a field, null to remove it, or KEEP. */
type Change = Buffer | null | typeof KEEP;

/**
 * Passes each field of a message to `change`, with the range of its value without its length. Returns null if all fields
 * stay as they are.
 */
function* rewrite(
  { bytes, start, end }: Range,
  change: (tag: number, value: Range) => Steps<Change> | typeof KEEP,
): Steps<Buffer | null> {
  const reader = new WireReader(bytes, start, end);
  const pieces: Buffer[] = [];
  let copied = start;
  for (let from = start, tag = reader.tag(); tag !== 0; from = reader.pos, tag = reader.tag()) {
    let valueStart = reader.pos;
    reader.skip(tag);
    if ((tag & 7) === WIRE_BYTES) valueStart = startOfBytes(bytes, valueStart);
    const changing = change(tag, { bytes, start: valueStart, end: reader.pos });
    const changed = changing === KEEP ? KEEP : yield* changing;
    if (changed === KEEP) continue;
    pieces.push(bytes.subarray(copied, from));
    if (changed !== null) pieces.push(changed);
    copied = reader.pos;
  }
  if (copied === start) return null;
  pieces.push(bytes.subarray(copied, end));
  return Buffer.concat(pieces);
}

/** Passes each item of an ArrayValue or a KeyValueList to `change`, which returns null for what stays. */
const rewriteItems = (range: Range, change: (item: Range) => Steps<Buffer | null>): Steps<Buffer | null> =>
  rewrite(range, (tag, item) => (tag === ITEM_TAG ? replacing(tag, change(item)) : KEEP));

/** Returns the position behind the length of a value, which was already read. */
function startOfBytes(bytes: Buffer, lengthAt: number): number {
  let at = lengthAt;
  while ((bytes[at] as number) >= 0x80) at += 1;
  return at + 1;
}

function* replacing(tag: number, changing: Steps<Buffer | null>): Steps<Change> {
  const contents = yield* changing;
  return contents === null ? KEEP : field(tag, contents);
}

/** Returns a field of bytes. */
function field(tag: number, contents: Buffer): Buffer {
  const writer = new WireWriter(contents.length + varintSize(tag) + varintSize(contents.length) + 10);
  writer.bytesField(tag >>> 3, contents);
  return writer.view();
}
