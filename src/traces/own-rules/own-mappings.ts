import { isObject } from '../../contract/is-object.ts';
import { readChatMessages } from '../conventions/chat-messages.ts';
import { documentsAt } from '../conventions/gen-ai-documents.ts';
import { instructionsAt, toolsAt } from '../conventions/gen-ai-messages.ts';
import { jsonText, parseJson } from '../conventions/json.ts';
import { KeyTable } from '../conventions/key-table.ts';
import { readParts } from '../conventions/message-parts.ts';
import { FIELDS } from '../conventions/rule.ts';
import { type CompiledRule, rulesFor } from '../conventions/rule-set.ts';
import type { Composed } from '../conventions/sources.ts';
import { type AttributeView, type SpanView, viewOf } from '../conventions/span-view.ts';
import { SPAN_KINDS, type ObservationKind } from '../span-kinds.ts';
import type { JsonValue } from '../span-wire.ts';
import { OWN_VOCABULARY, type OwnRule, parsePath } from './own-rule.ts';

const NONE: readonly CompiledRule[] = [];
/** Own rules precede all others; those of one field precede each other in their order. */
const FIRST_RANK = -10_000;
const SLOTS = 2_048;
const BEGINNINGS = 1_024;

/** Mapping rules of one application, ready for use. */
export class OwnMappings {
  private readonly exact = new Map<string, CompiledRule[]>();
  /** The longest prefix first. */
  private readonly prefixes: { prefix: string; rules: CompiledRule[] }[] = [];
  private readonly composite: { field: string; rule: CompiledRule }[] = [];
  /** Rules of keys, own ones first: one search finds both. */
  readonly keys = new KeyTable((key) => this.withOthers(key), SLOTS);
  /** Beginnings of the keys, by a hash of two bytes. */
  private readonly beginnings = new Uint8Array(BEGINNINGS);

  constructor(rules: readonly OwnRule[]) {
    for (const [index, rule] of rules.entries()) this.add(rule, FIRST_RANK + index);
    this.prefixes.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  /** Reports whether a key that begins with the two bytes at `start` may have an own rule. */
  hasBeginning(buffer: Buffer, start: number): boolean {
    return this.beginnings[hashOf(buffer[start] as number, buffer[start + 1] as number)] !== 0;
  }

  /** Reports whether a rule reads this attribute. */
  reads(key: string): boolean {
    return this.find(encoded(key)).length > 0;
  }

  /** Composes a field of several parts from the first rule whose attribute has it. */
  compose(view: SpanView, field: string): Composed<unknown> | null {
    for (const { field: given, rule } of this.composite) {
      if (given !== field) continue;
      const sent = view.value(rule.key);
      if (sent === undefined) continue;
      const parsed = typeof sent === 'string' ? parseJson(sent) : sent;
      const value = rule.pick ? rule.pick(parsed) : parsed;
      const composed = value === undefined ? undefined : COMPOSERS[field]?.(value);
      if (composed !== undefined) return { value: composed, vocabulary: OWN_VOCABULARY, from: rule.key };
    }
    return null;
  }

  private add(rule: OwnRule, rank: number): void {
    const key = encoded(rule.key);
    const isPrefix = key.endsWith('*');
    const prefix = isPrefix ? key.slice(0, -1) : key;
    const compiled = compile(rule, rank, isPrefix);
    const [first, ...more] = isPrefix ? this.rulesOfPrefix(prefix) : [this.rulesOfKey(key)];
    for (const list of [first, ...more]) list?.push(...compiled);
    this.beginnings[hashOf(prefix.charCodeAt(0), prefix.charCodeAt(1))] = 1;
    if (rule.field in COMPOSERS)
      this.composite.push({ field: rule.field, rule: compiled[0] as CompiledRule });
  }

  private rulesOfKey(key: string): CompiledRule[] {
    const rules = this.exact.get(key) ?? [];
    this.exact.set(key, rules);
    return rules;
  }

  private rulesOfPrefix(prefix: string): [CompiledRule[]] {
    const known = this.prefixes.find((one) => one.prefix === prefix);
    if (known) return [known.rules];
    const rules: CompiledRule[] = [];
    this.prefixes.push({ prefix, rules });
    return [rules];
  }

  private withOthers(key: string): readonly CompiledRule[] {
    const own = this.find(key);
    const others = rulesFor(key);
    return own.length === 0 ? others : [...own, ...others];
  }

  private find(key: string): readonly CompiledRule[] {
    const own = this.exact.get(key) ?? NONE;
    const open = this.prefixes.find(({ prefix }) => key.length > prefix.length && key.startsWith(prefix));
    return open ? [...own, ...open.rules] : own;
  }
}

/** Returns the key as the table of keys has it: its bytes, one character each. */
const encoded = (key: string): string => Buffer.from(key, 'utf8').toString('latin1');

const hashOf = (first: number, second: number): number => (first * 31 + second) & (BEGINNINGS - 1);

function compile(rule: OwnRule, rank: number, isPrefix: boolean): CompiledRule[] {
  const base = { vocabulary: OWN_VOCABULARY, rank, key: rule.key, isOpen: false };
  const pick = pickOf(rule);
  const given: CompiledRule = {
    ...base,
    field: rule.field,
    fieldIndex: FIELDS.indexOf(rule.field),
    kindOf: rule.field === 'kind' ? kindsOf(rule) : null,
    isOpen: isPrefix && rule.field === 'metadata',
    ...(pick && { pick }),
    ...(isPrefix && { collectsAfter: Buffer.byteLength(rule.key) - 1 }),
  };
  if (rule.kind === undefined || rule.field === 'kind') return [given];
  const kindOf = SPAN_KINDS.indexOf(rule.kind);
  return [given, { ...base, field: 'kind', fieldIndex: FIELDS.indexOf('kind'), kindOf }];
}

function kindsOf({ kind, kinds }: OwnRule): CompiledRule['kindOf'] {
  if (kind !== undefined) return SPAN_KINDS.indexOf(kind);
  const named: Readonly<Record<string, ObservationKind>> =
    kinds ?? Object.fromEntries(SPAN_KINDS.map((one) => [one, one]));
  return new Map(
    Object.entries(named).flatMap(([value, one]) => {
      const index = SPAN_KINDS.indexOf(one);
      return [
        [value, index],
        [value.toLowerCase(), index],
      ] as const;
    }),
  );
}

function pickOf({ path, type }: OwnRule): CompiledRule['pick'] {
  const segments = parsePath(path ?? '') ?? [];
  if (segments.length === 0 && type === undefined) return undefined;
  return (value) => {
    let part: JsonValue | undefined = value;
    for (const segment of segments) {
      if (part === undefined || part === null) return undefined;
      if (typeof part === 'string') part = parseJson(part);
      part = memberOf(part, segment);
    }
    return part === undefined || part === null ? undefined : converted(part, type);
  };
}

function memberOf(value: JsonValue, segment: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return typeof segment === 'number' ? value[segment] : undefined;
  if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined;
  return (value as Record<string, JsonValue>)[segment];
}

function converted(value: JsonValue, type: OwnRule['type']): JsonValue | undefined {
  if (type === 'text') return jsonText(value);
  if (type === 'json') return typeof value === 'string' ? parseJson(value) : value;
  if (type !== 'number' || typeof value === 'number') return value;
  const number = Number(jsonText(value).replace(/[\s,_$]/g, '') || Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

const KEY = 'value';
const of = (value: JsonValue): AttributeView => viewOf({ [KEY]: value });

const messages =
  (role: string) =>
  (value: JsonValue): unknown =>
    readChatMessages(value) ?? (typeof value === 'string' ? [{ role, parts: readParts(value) }] : undefined);

/** Readers of the fields that have several parts. */
const COMPOSERS: Readonly<Partial<Record<string, (value: JsonValue) => unknown>>> = {
  inputMessages: messages('user'),
  outputMessages: messages('assistant'),
  systemInstructions: (value) => instructionsAt(KEY)(of(value)),
  toolDefinitions: (value) => toolsAt(KEY)(of(value)),
  documents: (value) => documentsAt(KEY)(of(value)),
};
