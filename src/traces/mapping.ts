import { CORE_RULES } from './conventions/core.ts';
import { FIELDS, type Field, type Rule } from './conventions/rule.ts';
import { isUuid } from './ids.ts';
import { SPAN_KINDS, SpanFlag, type SpanKind } from './span.ts';
import { type Attributes, type JsonValue, decodeAnyValue } from './span-wire.ts';
import { WIRE_BYTES, WIRE_FIXED64, WIRE_VARINT, WireReader } from './wire/reader.ts';

/** Version of the rules below; stored with what they gave. */
export const RULE_SET_VERSION = 1;

interface CompiledRule {
  field: number;
  rank: number;
  kinds: ReadonlyMap<string, number> | null;
}

const RULES = compile(CORE_RULES);
const KEY_LENGTHS = keyLengths(CORE_RULES);
const UNSEEN = 0x7fffffff;
const TEXT_TAG = (1 << 3) | WIRE_BYTES;
/** `bytes_value`, the last of the fields an AnyValue may hold. */
const LAST_VALUE_FIELD = 7;

/** Longest text that is kept of a name in an index: a model, a session, a tag. */
const MAX_NAME = 256;
const MAX_TAGS = 64;
const MAX_METADATA = 64;
/** Nothing a span can mean by tokens or cost; sums over a trace stay within 64 bits. */
const MAX_AMOUNT = 1e12;

function compile(rules: readonly Rule[]): ReadonlyMap<string, CompiledRule> {
  const compiled = new Map<string, CompiledRule>();
  for (const [rank, rule] of rules.entries()) {
    const kinds =
      rule.kinds && new Map(Object.entries(rule.kinds).map(([name, kind]) => [name, kindIndex(kind)]));
    compiled.set(rule.key, { field: FIELDS.indexOf(rule.field), rank, kinds: kinds ?? null });
  }
  return compiled;
}

/** Most attribute keys are of no interest; nearly all of those are told by their length alone. */
function keyLengths(rules: readonly Rule[]): Uint8Array {
  const lengths = new Uint8Array(256);
  for (const rule of rules) lengths[rule.key.length] = 1;
  return lengths;
}

function kindIndex(kind: SpanKind): number {
  return SPAN_KINDS.indexOf(kind);
}

const fieldIndex = Object.fromEntries(FIELDS.map((field, index) => [field, index])) as Record<Field, number>;

/**
 * Reads the fields of one span out of its attributes' wire bytes, without decoding what no rule names.
 * Used for one span after another: `reset`, then `attribute` for each KeyValue, then the getters.
 * The getters read the buffer given to `reset`; they throw nothing on odd values, they answer null or 0.
 */
export class SpanMapping {
  private buffer: Buffer = Buffer.alloc(0);
  private readonly rank = new Int32Array(FIELDS.length);
  private readonly valueStart = new Int32Array(FIELDS.length);
  private readonly valueEnd = new Int32Array(FIELDS.length);
  private mappedKind = 0;

  reset(buffer: Buffer): void {
    this.buffer = buffer;
    this.rank.fill(UNSEEN);
    this.mappedKind = 0;
  }

  /** One attribute: the windows of its key's text and of its AnyValue message. */
  attribute(keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void {
    const length = keyEnd - keyStart;
    if (length > 255 || KEY_LENGTHS[length] === 0) return;
    const rule = RULES.get(this.buffer.toString('latin1', keyStart, keyEnd));
    // `<=`: of a repeated key the last one counts.
    if (rule === undefined || rule.rank > (this.rank[rule.field] as number)) return;
    if (isEmpty(this.buffer, valueStart, valueEnd)) return;
    if (rule.kinds !== null) {
      const kind = rule.kinds.get(textOf(this.buffer, valueStart, valueEnd) ?? '');
      if (kind === undefined) return;
      this.mappedKind = kind;
    }
    this.rank[rule.field] = rule.rank;
    this.valueStart[rule.field] = valueStart;
    this.valueEnd[rule.field] = valueEnd;
  }

  has(field: Field): boolean {
    return this.rank[fieldIndex[field]] !== UNSEEN;
  }

  /** Index into SPAN_KINDS. A span that names a model and nothing else is a model call. */
  get kind(): number {
    if (this.mappedKind !== 0 || !this.has('model') || this.has('event')) return this.mappedKind;
    return kindIndex('LLM');
  }

  /** The bits of SpanFlag that attributes decide. */
  get flags(): number {
    return (
      (this.has('input') ? SpanFlag.hasInput : 0) |
      (this.has('output') ? SpanFlag.hasOutput : 0) |
      (this.has('metadata') ? SpanFlag.hasMetadata : 0) |
      (this.has('open') ? SpanFlag.open : 0) |
      (this.has('unpaired') ? SpanFlag.unpaired : 0) |
      (this.has('event') && this.text('event') === 'trace' ? SpanFlag.traceEvent : 0)
    );
  }

  /** The value as text: a string as it is, anything else as JSON. */
  text(field: Field): string | null {
    const index = fieldIndex[field];
    if (this.rank[index] === UNSEEN) return null;
    const start = this.valueStart[index] as number;
    const end = this.valueEnd[index] as number;
    return textOf(this.buffer, start, end) ?? jsonText(decodeAnyValue(this.buffer.subarray(start, end)));
  }

  /** A short text for an index: never empty, never longer than it may be there. */
  name(field: Field): string | null {
    const text = this.text(field);
    return text === null || text === '' ? null : cut(text, MAX_NAME);
  }

  private number(field: Field): number {
    const index = fieldIndex[field];
    if (this.rank[index] === UNSEEN) return 0;
    return numberOf(this.buffer, this.valueStart[index] as number, this.valueEnd[index] as number);
  }

  /** A sum of money or the like: not negative. */
  amount(field: Field): number {
    return Math.min(Math.max(this.number(field), 0), MAX_AMOUNT);
  }

  /** A count of tokens: a whole number, not negative. */
  count(field: Field): number {
    return Math.trunc(this.amount(field));
  }

  /** The value as JSON; text that is itself JSON when `parse` says so, and it parses. */
  json(field: Field, parse: boolean): JsonValue {
    const index = fieldIndex[field];
    if (this.rank[index] === UNSEEN) return null;
    const value = decodeAnyValue(this.buffer.subarray(this.valueStart[index], this.valueEnd[index]));
    return parse && typeof value === 'string' ? parseJson(value) : value;
  }

  /** The uuid in `service.test.id`, lower-case; `undefined` when something is there that is no uuid. */
  testId(): string | null | undefined {
    const text = this.text('testId');
    if (text === null) return null;
    const id = text.trim().toLowerCase();
    return isUuid(id) ? id : undefined;
  }

  /** Tags come as an array, as JSON text of one, or as a comma list. */
  tags(): string[] {
    const value = this.json('tags', true);
    const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
    const tags = list.filter((tag) => typeof tag === 'string').map((tag) => cut(tag.trim(), MAX_NAME));
    return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, MAX_TAGS);
  }

  /** Metadata as key and text pairs for the index. */
  metadataPairs(): [key: string, value: string][] {
    const value = this.json('metadata', true);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
    return Object.entries(value)
      .slice(0, MAX_METADATA)
      .map(([key, item]) => [cut(key, MAX_NAME), cut(jsonText(item), MAX_NAME)]);
  }
}

/** Shows the attributes of one Span message to `into`, and returns it. */
export function mapSpan(bytes: Buffer, into: SpanMapping): SpanMapping {
  into.reset(bytes);
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag !== ((9 << 3) | WIRE_BYTES)) {
      reader.skip(tag);
      continue;
    }
    const end = reader.length() + reader.pos;
    let keyStart = 0;
    let keyEnd = 0;
    let valueStart = end;
    let valueEnd = end;
    while (reader.pos < end) {
      const inner = reader.tag();
      if (inner !== ((1 << 3) | WIRE_BYTES) && inner !== ((2 << 3) | WIRE_BYTES)) {
        reader.skip(inner);
        continue;
      }
      const size = reader.length();
      if (inner >>> 3 === 1) {
        keyStart = reader.pos;
        keyEnd = keyStart + size;
      } else {
        valueStart = reader.pos;
        valueEnd = valueStart + size;
      }
      reader.pos += size;
    }
    into.attribute(keyStart, keyEnd, valueStart, valueEnd);
  }
  return into;
}

/** Whether some rule reads this attribute. */
export function isMappedKey(key: string): boolean {
  return RULES.has(key);
}

/** The first `length` UTF-16 units, without splitting a character. */
export function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : text
        .slice(0, length)
        .toWellFormed()
        .replace(/\uFFFD$/, '');
}

function jsonText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function parseJson(text: string): JsonValue {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return text;
  try {
    return JSON.parse(text) as Attributes;
  } catch {
    return text;
  }
}

/** The text of an AnyValue that is a string; null for any other. The bytes were checked when they came in. */
function textOf(buffer: Buffer, start: number, end: number): string | null {
  const reader = new WireReader(buffer, start, end);
  if (reader.tag() !== TEXT_TAG) return null;
  const text = reader.string();
  return reader.pos === end ? text : null;
}

function numberOf(buffer: Buffer, start: number, end: number): number {
  const reader = new WireReader(buffer, start, end);
  let number = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((3 << 3) | WIRE_VARINT)) number = Number(reader.int64());
    else if (tag === ((4 << 3) | WIRE_FIXED64)) number = reader.double();
    else if (tag === TEXT_TAG) number = Number(reader.string().trim() || Number.NaN);
    else {
      reader.skip(tag);
      if (tag >>> 3 <= LAST_VALUE_FIELD) number = 0;
    }
  }
  return Number.isFinite(number) ? number : 0;
}

/** Whether an AnyValue holds nothing, as senders write null: such an attribute is read as one that is not there. */
function isEmpty(buffer: Buffer, start: number, end: number): boolean {
  const reader = new WireReader(buffer, start, end);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag >>> 3 <= LAST_VALUE_FIELD) return false;
    reader.skip(tag);
  }
  return true;
}
