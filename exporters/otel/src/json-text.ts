/** Longest text of one value. What is longer is truncated. */
export const MAX_CHARACTERS = 2 ** 20;
const MAX_MEMBERS = 50_000;
const MAX_DEPTH = 32;
/** A limit for plain values, below all others: a character stands for at least one member. */
const PLAIN_CHARACTERS = 40_000;

/** A value as the text of an attribute. */
export interface ContentText {
  text: string;
  mimeType: 'text/plain' | 'application/json';
}

/**
 * Returns a value as text: a string as it is, anything else in JSON. Never throws, calls no function of the value except `toJSON` and
 * getters, and reads no stream. Cycles, bytes, streams and what is too large become a text in brackets.
 */
export function contentText(value: unknown): ContentText {
  if (typeof value === 'string') return { text: truncated(value, MAX_CHARACTERS), mimeType: 'text/plain' };
  return { text: textOfPlain(value) ?? new JsonWriter().write(value), mimeType: 'application/json' };
}

/** Returns the text of what JSON has and no limit concerns, which most values are: the runtime writes that in half the time. */
function textOfPlain(value: unknown): string | undefined {
  try {
    return roomAfter(value, PLAIN_CHARACTERS, 0) >= 0 ? JSON.stringify(value) : undefined;
  } catch {
    // A getter threw.
    return undefined;
  }
}

/** Returns how much is left of a number of characters after a value, roughly; a negative number if the value is not plain. */
function roomAfter(value: unknown, room: number, depth: number): number {
  switch (typeof value) {
    case 'string':
      return room - value.length;
    case 'number':
      return Number.isFinite(value) ? room - 1 : -1;
    case 'boolean':
    case 'undefined':
      return room - 1;
    case 'object':
      return value === null ? room - 1 : roomAfterObject(value as Record<string, unknown>, room, depth + 1);
    default:
      return -1;
  }
}

function roomAfterObject(value: Record<string, unknown>, room: number, depth: number): number {
  if (depth > MAX_DEPTH || value['toJSON'] !== undefined) return -1;
  let left = room - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1)
      left = roomAfter(value[index], left - 1, depth);
    return left;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype || isActive(value)) return -1;
  for (const key in value) {
    left = roomAfter(value[key], left - key.length - 1, depth);
    if (left < 0) return left;
  }
  return left;
}

class JsonWriter {
  #json = '';
  readonly #open = new Set<object>();
  #characters = MAX_CHARACTERS;
  #members = MAX_MEMBERS;

  write(value: unknown): string {
    this.#value(value);
    return this.#json;
  }

  #value(value: unknown): void {
    if (this.#members-- <= 0 || this.#characters <= 0) return this.#text('[truncated]');
    switch (typeof value) {
      case 'string':
        return this.#text(truncated(value, this.#characters));
      case 'number':
        return Number.isFinite(value) ? this.#add(String(value)) : this.#text(String(value));
      case 'boolean':
        return this.#add(String(value));
      case 'undefined':
        return this.#add('null');
      case 'object':
        return value === null ? this.#add('null') : this.#object(value);
      case 'function':
        return this.#text('[function]');
      default:
        return this.#text(String(value));
    }
  }

  #object(value: object): void {
    if (this.#open.has(value)) return this.#text('[circular]');
    if (this.#open.size >= MAX_DEPTH) return this.#text('[too deep]');
    this.#open.add(value);
    const written = this.#json;
    try {
      this.#contents(value);
    } catch {
      // A getter or `toJSON` threw, or a proxy was revoked.
      this.#json = written;
      this.#text('[unreadable]');
    }
    this.#open.delete(value);
  }

  #contents(value: object): void {
    if (Array.isArray(value) || isVector(value)) return this.#list(value);
    // Most values are plain: nothing else is asked of them.
    const isOfClass = !isPlain(value);
    const bytes = isOfClass ? byteLengthOf(value) : undefined;
    if (bytes !== undefined) return this.#text(`[${bytes} bytes]`);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.#value(Reflect.apply(toJSON, value, ['']));
    if (isOfClass && value instanceof Error)
      return this.#fields(['name', 'message'], (key) => value[key as 'name' | 'message']);
    if (isOfClass && value instanceof Set) return this.#list(value);
    if (isOfClass && value instanceof Map)
      return [...value.keys()].every((key) => typeof key === 'string')
        ? this.#fields(value.keys() as Iterable<string>, (key) => value.get(key))
        : this.#list(value);
    if (isActive(value)) return this.#text(`[${nameOf(value)}]`);
    const keys = Object.keys(value);
    if (isOfClass && keys.length === 0) return this.#text(`[${nameOf(value)}]`);
    return this.#fields(keys, (key) => fieldOf(value, key));
  }

  #list(items: Iterable<unknown>): void {
    let separator = '[';
    for (const item of items) {
      this.#add(separator);
      this.#value(item);
      separator = ',';
      if (this.#isFull()) break;
    }
    this.#add(separator === '[' ? '[]' : ']');
  }

  #fields(keys: Iterable<string>, valueOf: (key: string) => unknown): void {
    let separator = '{';
    for (const key of keys) {
      const value = valueOf(key);
      if (value === undefined || typeof value === 'function') continue;
      this.#add(separator);
      this.#text(truncated(key, this.#characters));
      this.#add(':');
      this.#value(value);
      separator = ',';
      if (this.#isFull()) break;
    }
    this.#add(separator === '{' ? '{}' : '}');
  }

  #isFull(): boolean {
    return this.#members < 0 || this.#characters <= 0;
  }

  #text(text: string): void {
    this.#add(JSON.stringify(text));
  }

  #add(json: string): void {
    this.#json += json;
    this.#characters -= json.length;
  }
}

function fieldOf(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return '[unreadable]';
  }
}

/** Lists of numbers, such as embeddings. */
const isVector = (value: object): value is Float32Array | Float64Array =>
  value instanceof Float32Array || value instanceof Float64Array;

function byteLengthOf(value: object): number | undefined {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? value.byteLength : undefined;
}

/** Reports whether an object is a stream, a socket or a request, whose members are those of the runtime. */
function isActive(value: object): boolean {
  const { on, emit, pipe } = value as Record<string, unknown>;
  const emits = typeof on === 'function' && (typeof emit === 'function' || typeof pipe === 'function');
  return emits || Symbol.asyncIterator in value || value instanceof Promise;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const { constructor } = value as { constructor?: { name?: unknown } };
  const name = constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'object';
}

function truncated(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, Math.max(limit, 0)).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… [${text.length - kept.length} characters left out]`;
}
