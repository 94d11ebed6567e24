import type { LogRecordMessage } from '../log-record.ts';
import { type Attributes, decodeAnyValue, decodeEvents, type JsonValue } from '../span-wire.ts';
import { KeyValue } from '../wire/key-value.ts';
import { WIRE_BYTES, WireReader } from '../wire/reader.ts';
import { parseJson } from './json.ts';

/**
 * Attributes of a span or of a part of it, by key. Empty values and empty texts count as absent, because senders write
 * them for what they do not have.
 */
export interface AttributeView {
  keys: () => Iterable<string>;
  /** Returns the value as sent: text stays text, even when it is JSON. */
  value: (key: string) => JsonValue | undefined;
}

/** An event during a span: a span event, or a log record that refers to the span. */
export interface SpanHappening {
  name: string;
  /** Time in Unix nanoseconds; 0 when unknown. */
  time: bigint;
  attributes: Attributes;
  /** Body of a log record; null on span events. */
  body: JsonValue;
}

/** Rules of an application that precede those of all vocabularies. */
export interface OwnReader {
  reads: (key: string) => boolean;
  compose: (view: SpanView, field: string) => { value: unknown; vocabulary: string; from: string } | null;
}

/** Shared by the thread, because reads never overlap. */
const keyValue = new KeyValue();

/** A span as the vocabularies read it; nothing is decoded until it is needed. */
export class SpanView implements AttributeView {
  /** Encoded Span message. */
  readonly bytes: Buffer;
  /** Own rules of the application; null without any. */
  readonly own: OwnReader | null;
  private readonly windows = new Map<string, Buffer>();
  /** Values read so far, because readers of several vocabularies use the same keys. */
  private readonly values = new Map<string, JsonValue | undefined>();
  private readonly logs: readonly LogRecordMessage[];
  private happened: readonly SpanHappening[] | null = null;

  constructor(bytes: Buffer, logs: readonly LogRecordMessage[] = [], own: OwnReader | null = null) {
    this.bytes = bytes;
    this.own = own;
    this.logs = logs;
    const reader = new WireReader(bytes);
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === ((9 << 3) | WIRE_BYTES)) this.addAttribute(reader);
      else reader.skip(tag);
    }
  }

  /** Adds an attribute; of a repeated key the last one counts. */
  private addAttribute(reader: WireReader): void {
    const length = reader.length();
    keyValue.read(reader, reader.pos + length);
    const { keyStart, keyEnd, valueStart, valueEnd } = keyValue;
    this.windows.set(
      this.bytes.toString('utf8', keyStart, keyEnd),
      this.bytes.subarray(valueStart, valueEnd),
    );
  }

  keys(): Iterable<string> {
    return this.windows.keys();
  }

  value(key: string): JsonValue | undefined {
    const value = this.sent(key);
    return value === '' ? undefined : value;
  }

  /** Returns the value as sent, an empty text too; undefined for an empty value. */
  sent(key: string): JsonValue | undefined {
    const window = this.windows.get(key);
    if (window === undefined) return undefined;
    if (this.values.has(key)) return this.values.get(key);
    const value = decodeAnyValue(window) ?? undefined;
    this.values.set(key, value);
    return value;
  }

  /** Events of the span, and log records that refer to it, in order of time. */
  get happenings(): readonly SpanHappening[] {
    return (this.happened ??= [
      ...decodeEvents(this.bytes).map((event) => ({ ...event, body: null })),
      ...this.logs.map(({ eventName, ...record }) => ({ ...record, name: eventName })),
    ].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)));
  }
}

/** Returns a view of the attributes of an event, or of an object that was sent as one value. */
export function viewOf(values: Readonly<Record<string, JsonValue>>): AttributeView {
  return {
    keys: () => Object.keys(values),
    value: (key) => {
      const value = Object.hasOwn(values, key) ? (values[key] ?? undefined) : undefined;
      return value === '' ? undefined : value;
    },
  };
}

/** Returns the value of a key, with text that is the JSON of an object or a list parsed. */
export function parsedOfKey(view: AttributeView, key: string): JsonValue | undefined {
  const value = view.value(key);
  return typeof value === 'string' ? parseJson(value) : value;
}

/** Returns the value of a key if it is text. */
export function textOfKey(view: AttributeView, key: string): string | undefined {
  const value = view.value(key);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the elements of a list that was flattened into keys. `prefix.0.a`, `prefix.0.b.1.c` and `prefix.1.a` result
 * in two views: one with the keys `a` and `b.1.c`, one with `a`. They are in order of their index, which may have
 * gaps. An element whose values are all empty is absent. `prefix` ends with a dot.
 */
export function elements(view: AttributeView, prefix: string): AttributeView[] {
  const found = new Map<number, Map<string, string>>();
  for (const key of view.keys()) {
    if (!key.startsWith(prefix)) continue;
    const dot = key.indexOf('.', prefix.length);
    const index = indexOf(key.slice(prefix.length, dot < 0 ? key.length : dot));
    if (index === null) continue;
    let element = found.get(index);
    if (!element) {
      if (view.value(key) === undefined) continue;
      found.set(index, (element = new Map<string, string>()));
    }
    element.set(dot < 0 ? '' : key.slice(dot + 1), key);
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([, names]) => ({
      keys: () => names.keys(),
      value: (name) => {
        const key = names.get(name);
        return key === undefined ? undefined : view.value(key);
      },
    }));
}

/** Returns the attributes under `prefix`, which ends with a dot: the rest of each key, and its value. */
export function under(view: AttributeView, prefix: string): [rest: string, value: JsonValue][] {
  const found: [string, JsonValue][] = [];
  for (const key of view.keys()) {
    if (!key.startsWith(prefix) || key.length === prefix.length) continue;
    const value = view.value(key);
    if (value !== undefined) found.push([key.slice(prefix.length), value]);
  }
  return found;
}

/** Parses an index. Elements after the ten thousandth are dropped, because real lists of a span are shorter. */
function indexOf(digits: string): number | null {
  return /^(0|[1-9]\d{0,3})$/.test(digits) ? Number(digits) : null;
}
