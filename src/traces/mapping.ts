import { isObject } from '../contract/is-object.ts';
import { jsonText, parseJson } from './conventions/json.ts';
import { KeyTable } from './conventions/key-table.ts';
import { type Field, FIELDS } from './conventions/rule.ts';
import { type CompiledRule, rulesFor, VOCABULARIES } from './conventions/rule-set.ts';
import { isUuid } from './ids.ts';
import type { OwnMappings } from './own-rules/own-mappings.ts';
import { truncate } from './truncate.ts';
import { SpanFlag } from './span.ts';
import { SPAN_KINDS, type ObservationKind } from './span-kinds.ts';
import { type Attributes, decodeAnyValue, type JsonValue } from './span-wire.ts';
import { isAmount } from './wire/amount.ts';
import { isEmptyList, isEmptyValue, isNone, numberOfValue, textOfValue } from './wire/any-value.ts';
import { fnv1a } from './fnv.ts';

const UNSEEN = 0x7fffffff;
const MAX_KEY = 255;

/** Longest text stored for a name in an index: a model, a session, a tag. */
const MAX_NAME = 256;
const MAX_TAGS = 64;
const MAX_METADATA = 64;
/** Limit of token counts and costs. No span exceeds it, and sums over a trace stay within 64 bits. */
export const MAX_AMOUNT = 1e12;

/** Placeholder for content that instrumentations were configured to hide. */
export const REDACTED = '__REDACTED__';
const REDACTED_BYTES = Buffer.from(`\x0a\x0c${REDACTED}`, 'latin1');

const ERROR_LEVELS: ReadonlySet<string> = new Set(['ERROR', 'FATAL', 'CRITICAL']);

const fieldIndex = Object.fromEntries(FIELDS.map((field, index) => [field, index])) as Record<Field, number>;
const LLM = SPAN_KINDS.indexOf('LLM' satisfies ObservationKind);
/** Indexes of fields that every span is checked for. */
const I = fieldIndex;
const FLAGS: readonly (readonly [field: number, flag: number])[] = [
  [I.input, SpanFlag.hasInput],
  [I.inputMessages, SpanFlag.hasInput],
  [I.output, SpanFlag.hasOutput],
  [I.outputMessages, SpanFlag.hasOutput],
  [I.documents, SpanFlag.hasOutput],
  [I.metadata, SpanFlag.hasMetadata],
  [I.traceInput, SpanFlag.hasTraceInput],
  [I.traceOutput, SpanFlag.hasTraceOutput],
  [I.open, SpanFlag.open],
  [I.unpaired, SpanFlag.unpaired],
  [I.delivery, SpanFlag.delivery],
];
const USAGE: ReadonlySet<number> = new Set([
  I.inputTokens,
  I.outputTokens,
  I.totalTokens,
  I.cacheReadTokens,
  I.cacheWriteTokens,
  I.reasoningTokens,
  I.cost,
  I.inputCost,
  I.outputCost,
]);

const AMOUNTS = new Uint8Array(FIELDS.length);
for (const index of USAGE) AMOUNTS[index] = 1;
AMOUNTS[I.cacheWriteHourTokens] = 1;
AMOUNTS[I.audioInputTokens] = 1;
AMOUNTS[I.audioCacheReadTokens] = 1;
AMOUNTS[I.audioOutputTokens] = 1;

/** Fields that are lists, of which an empty one says nothing. */
const IS_LIST = new Uint8Array(FIELDS.length);
IS_LIST[I.tags] = 1;
IS_LIST[I.finishReasons] = 1;

const KEYS = new KeyTable();

/** Beginnings of known keys. Most attributes have no rule, which nearly always shows in the beginning of the key. */
const BEGINNINGS = new Uint8Array(65_536);
for (const { rules } of VOCABULARIES)
  for (const { key } of rules) BEGINNINGS[(key.charCodeAt(0) << 8) | key.charCodeAt(1)] = 1;

/**
 * Reads the fields of one span from the encoded bytes of its attributes, without decoding those that no rule reads.
 * Reused for many spans: call `reset`, then `attribute` for each KeyValue and `event` for each event, then the
 * getters. The getters read the buffer passed to `reset`; for invalid values they return null or 0 and never throw.
 */
export class SpanMapping {
  private buffer: Buffer = Buffer.alloc(0);
  private own: OwnMappings | null = null;
  private readonly rank = new Int32Array(FIELDS.length);
  private readonly rules = new Array<CompiledRule | null>(FIELDS.length).fill(null);
  private readonly valueStart = new Int32Array(FIELDS.length);
  private readonly valueEnd = new Int32Array(FIELDS.length);
  private readonly picked = new Array<JsonValue | undefined>(FIELDS.length);
  /**
   * Attributes that each become one entry of the metadata: rest of the key, rank of the rule, and byte range of the
   * value.
   */
  private readonly entries: { name: string; rank: number; start: number; end: number }[] = [];
  /** Rules of amounts whose value was none; of several rules of one field, the one that takes precedence. */
  private readonly unreadable = new Array<CompiledRule | null>(FIELDS.length).fill(null);
  private mappedKind = 0;
  private hasRedacted = false;
  /** True if tokens or a cost were reported. */
  hasUsage = false;
  /** True if the value of an amount was none. */
  hasUnreadable = false;

  /** `own` are rules of the application, which precede all others. */
  reset(buffer: Buffer, own: OwnMappings | null = null): void {
    this.buffer = buffer;
    this.own = own;
    this.rank.fill(UNSEEN);
    this.entries.length = 0;
    this.mappedKind = 0;
    this.hasRedacted = false;
    this.hasUsage = false;
    if (this.hasUnreadable) this.unreadable.fill(null);
    this.hasUnreadable = false;
  }

  /** Reads one attribute: the byte ranges of its key and of its AnyValue message. */
  attribute(keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void {
    const { buffer } = this;
    const length = keyEnd - keyStart;
    if (length < 2 || length > MAX_KEY) return;
    const { own } = this;
    const isKnown = BEGINNINGS[((buffer[keyStart] as number) << 8) | (buffer[keyStart + 1] as number)] !== 0;
    if (!isKnown && (own === null || !own.hasBeginning(buffer, keyStart))) return;
    const rules = (own === null ? KEYS : own.keys).rulesAt(buffer, keyStart, keyEnd);
    if (rules.length === 0) return;
    const isEmpty = isEmptyValue(buffer, valueStart, valueEnd);
    if (isEmpty && !this.isSentAsText(valueStart, valueEnd)) return;
    this.hasRedacted ||= isRedacted(buffer, valueStart, valueEnd);
    for (const rule of rules) {
      if (rule.isOpen && rule.field === 'metadata')
        this.addEntry(rule, keyStart, keyEnd, valueStart, valueEnd);
      if (rule.rank >= 0) this.apply(rule, valueStart, valueEnd);
      else if (!isEmpty) this.applyOwn(rule, keyStart, keyEnd, valueStart, valueEnd);
    }
  }

  /** Reads an attribute by an own rule; a prefix collects an object. */
  private applyOwn(
    rule: CompiledRule,
    keyStart: number,
    keyEnd: number,
    valueStart: number,
    valueEnd: number,
  ): void {
    const { buffer } = this;
    const { fieldIndex: index } = rule;
    const isFirst = this.rank[index] !== rule.rank;
    const before = isFirst ? undefined : this.picked[index];
    this.apply(rule, valueStart, valueEnd);
    if (rule.collectsAfter === undefined || rule.kindOf !== null || rule.isOpen) return;
    // The rule gave nothing: another precedes it, or the value lacks its path.
    if (this.rank[index] !== rule.rank || (before !== undefined && this.picked[index] === before)) return;
    const entries = isObject(before) ? before : (Object.create(null) as Record<string, JsonValue>);
    const value = this.picked[index] ?? decodeAnyValue(buffer.subarray(valueStart, valueEnd));
    entries[buffer.toString('utf8', keyStart + rule.collectsAfter, keyEnd)] = value;
    this.picked[index] = entries;
  }

  /** Reports whether an empty value is a text of a native event, which is kept as it was sent. Its type comes first. */
  private isSentAsText(valueStart: number, valueEnd: number): boolean {
    return (
      this.rank[I.event] !== UNSEEN &&
      typeof decodeAnyValue(this.buffer.subarray(valueStart, valueEnd)) === 'string'
    );
  }

  /** Reads an event of the span, or a log record that refers to the span. `read` decodes its attributes. */
  event(name: string, read: () => Attributes): void {
    let attributes: Attributes | undefined;
    for (const rule of rulesFor(`event ${name}`)) {
      if (rule.pick) this.applyPicked(rule, rule.pick((attributes ??= read())));
      else this.apply(rule, 0, 0);
    }
  }

  /** Sets the value of an event. Of several events the last one counts, but their amounts are added up. */
  private applyPicked(rule: CompiledRule, value: JsonValue | undefined): void {
    const { fieldIndex: index } = rule;
    if (value === undefined || rule.rank > (this.rank[index] as number)) return;
    if (AMOUNTS[index] !== 0 && !isAmount(this.buffer, { picked: value, start: 0, end: 0 })) {
      this.addUnreadable(rule);
      return;
    }
    const isRepeated = this.rank[index] === rule.rank && this.rules[index] === rule;
    const before = isRepeated ? Number(this.picked[index]) : 0;
    this.set(rule, AMOUNTS[index] === 0 ? value : before + Number(value), 0, 0);
  }

  private apply(rule: CompiledRule, valueStart: number, valueEnd: number): void {
    const { fieldIndex: index } = rule;
    // `>`, because the last one of a repeated key takes precedence.
    if (rule.rank > (this.rank[index] as number)) return;
    if (IS_LIST[index] !== 0 && isEmptyList(this.buffer, valueStart, valueEnd)) return;
    if (rule.isNoneAbsent && isNone(this.buffer, valueStart, valueEnd)) return;
    let picked: JsonValue | undefined;
    if (rule.pick) {
      const value = decodeAnyValue(this.buffer.subarray(valueStart, valueEnd));
      picked = rule.pick(typeof value === 'string' ? parseJson(value) : value);
      if (picked === undefined || picked === '') return;
    }
    if (AMOUNTS[index] !== 0 && !isAmount(this.buffer, { picked, start: valueStart, end: valueEnd })) {
      this.addUnreadable(rule);
      return;
    }
    if (rule.kindOf !== null) {
      const text = typeof picked === 'string' ? picked : textOfValue(this.buffer, valueStart, valueEnd);
      const kind = typeof rule.kindOf === 'number' ? rule.kindOf : kindNamed(rule.kindOf, text ?? '');
      if (kind === undefined) return;
      this.mappedKind = kind;
    }
    this.set(rule, picked, valueStart, valueEnd);
  }

  private addUnreadable(rule: CompiledRule): void {
    const before = this.unreadable[rule.fieldIndex];
    if (!before || rule.rank < before.rank) this.unreadable[rule.fieldIndex] = rule;
    this.hasUnreadable = true;
  }

  private set(rule: CompiledRule, picked: JsonValue | undefined, valueStart: number, valueEnd: number): void {
    const { fieldIndex: index } = rule;
    this.hasUsage ||= USAGE.has(index);
    if (typeof rule.kindOf === 'number') this.mappedKind = rule.kindOf;
    this.rank[index] = rule.rank;
    this.rules[index] = rule;
    this.picked[index] = picked;
    this.valueStart[index] = valueStart;
    this.valueEnd[index] = valueEnd;
  }

  private addEntry(rule: CompiledRule, keyStart: number, keyEnd: number, start: number, end: number): void {
    if (this.entries.length >= MAX_METADATA) return;
    const after = rule.collectsAfter ?? rule.key.length - 1;
    const name = this.buffer.toString('utf8', keyStart + after, keyEnd);
    this.entries.push({ name, rank: rule.rank, start, end });
  }

  has(field: Field): boolean {
    return this.rank[fieldIndex[field]] !== UNSEEN;
  }

  /** Returns the rule that gave a field. */
  ruleOf(field: Field): CompiledRule | null {
    return this.has(field) ? (this.rules[fieldIndex[field]] as CompiledRule) : null;
  }

  /** Returns the key of a value that is no amount, if no other key gave the field. */
  unreadableKey(field: Field): string | null {
    const index = fieldIndex[field];
    return this.rank[index] === UNSEEN ? (this.unreadable[index]?.key ?? null) : null;
  }

  /** Index into SPAN_KINDS. A span with a model and no other kind is a model call. */
  get kind(): number {
    return this.mappedKind === 0 && this.has('model') && !this.has('event') ? LLM : this.mappedKind;
  }

  /** True if the sender marks an error by other means than the status. */
  get isError(): boolean {
    return this.has('level') && ERROR_LEVELS.has((this.text('level') ?? '').toUpperCase());
  }

  /** Bits of SpanFlag that attributes and events determine. */
  get flags(): number {
    const { rank } = this;
    let flags = this.hasRedacted ? SpanFlag.redacted : 0;
    for (const [field, flag] of FLAGS) if (rank[field] !== UNSEEN) flags |= flag;
    if (rank[I.event] !== UNSEEN && this.text('event') === 'trace') flags |= SpanFlag.traceEvent;
    return flags;
  }

  /** Returns the value as text: a string unchanged, anything else as JSON. */
  text(field: Field): string | null {
    const value = this.value(field);
    return value === null ? null : jsonText(value);
  }

  /** Returns a short text for an index, never empty and of limited length. */
  name(field: Field): string | null {
    const text = this.text(field);
    return text === null || text === '' ? null : truncate(text, MAX_NAME);
  }

  /** Returns an amount such as a cost; never negative. */
  amount(field: Field): number {
    const index = fieldIndex[field];
    if (this.rank[index] === UNSEEN) return 0;
    const picked = this.picked[index];
    const number =
      picked === undefined
        ? numberOfValue(this.buffer, this.valueStart[index] as number, this.valueEnd[index] as number)
        : Number(picked);
    return number > 0 ? Math.min(number, MAX_AMOUNT) : 0;
  }

  /** Returns a count of tokens: a whole number, never negative. */
  count(field: Field): number {
    return Math.trunc(this.amount(field));
  }

  /** Returns the value as JSON, as it was sent; null when there is none. */
  value(field: Field): JsonValue {
    const index = fieldIndex[field];
    if (this.rank[index] === UNSEEN) return null;
    const picked = this.picked[index];
    if (picked !== undefined) return picked;
    const start = this.valueStart[index] as number;
    const end = this.valueEnd[index] as number;
    return textOfValue(this.buffer, start, end) ?? decodeAnyValue(this.buffer.subarray(start, end));
  }

  /** Returns the value as JSON, with text that is the JSON of an object or a list parsed. */
  json(field: Field): JsonValue {
    const value = this.value(field);
    return typeof value === 'string' ? parseJson(value) : value;
  }

  /** Returns a 32-bit hash of the encoded value; 0 when there is none. */
  hash(field: Field): number {
    const index = fieldIndex[field];
    if (this.rank[index] === UNSEEN) return 0;
    return fnv1a(this.buffer, this.valueStart[index], this.valueEnd[index]);
  }

  /**
   * Returns the uuid in `service.test.id` in lower case; null when it is absent, `undefined` when it is not a uuid.
   */
  testId(): string | null | undefined {
    const text = this.text('testId');
    if (text === null) return null;
    const id = text.trim().toLowerCase();
    return isUuid(id) ? id : undefined;
  }

  /** Returns the tags, which are sent as an array, as JSON text of one, or as a comma-separated list. */
  tags(): string[] {
    const value = this.json('tags');
    const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
    const tags = list.filter((tag) => typeof tag === 'string').map((tag) => truncate(tag.trim(), MAX_NAME));
    return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, MAX_TAGS);
  }

  /** Returns the metadata by key, from one object and from attributes of their own; null when there is none. */
  metadata(): JsonValue {
    const own = this.ruleOf('metadata')?.isOpen ? null : this.json('metadata');
    if (this.entries.length === 0) return own;
    const all = Object.create(null) as Record<string, JsonValue>;
    // Later values overwrite earlier ones: the rule with precedence comes last, as does the last of a repeated key.
    for (const { name, start, end } of this.entries.toSorted((a, b) => b.rank - a.rank))
      all[name] = textJson(decodeAnyValue(this.buffer.subarray(start, end)));
    return isObject(own ?? undefined) ? Object.assign(all, own) : all;
  }

  /** Returns the metadata as pairs of key and text for the index. */
  metadataPairs(): [key: string, value: string][] {
    const value = this.metadata();
    if (!isObject(value)) return [];
    return Object.entries(value)
      .slice(0, MAX_METADATA)
      .map(([key, item]) => [truncate(key, MAX_NAME), truncate(jsonText(item), MAX_NAME)]);
  }
}

/** Returns the value of metadata, which senders write as the JSON of an object, a list or a text in quotes. */
function textJson(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const list = /^".*"$/s.test(value) ? parseJson(`[${value}]`) : null;
  return Array.isArray(list) && list.length === 1 ? (list[0] as JsonValue) : parseJson(value);
}

/** Returns the name of a kind as rules have it; MLflow writes texts as JSON, in quotes. */
const kindNamed = (kinds: ReadonlyMap<string, number>, text: string): number | undefined =>
  // Nearly every sender writes the name as the conventions do, which needs no pattern.
  kinds.get(text) ?? kinds.get(kindName(text));

function kindName(text: string): string {
  return text.replace(/^"(.*)"$/, '$1').toLowerCase();
}

function isRedacted(buffer: Buffer, start: number, end: number): boolean {
  return (
    end - start === REDACTED_BYTES.length &&
    buffer.compare(REDACTED_BYTES, 0, REDACTED_BYTES.length, start, end) === 0
  );
}
