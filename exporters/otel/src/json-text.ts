/** Longest text of one value. What is longer is truncated. */
export const MAX_CHARACTERS = 2 ** 20;
const MAX_MEMBERS = 50_000;
const MAX_DEPTH = 32;

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
  return { text: new JsonWriter().write(value), mimeType: 'application/json' };
}

class JsonWriter {
  readonly #parts: string[] = [];
  readonly #open = new Set<object>();
  #characters = MAX_CHARACTERS;
  #members = MAX_MEMBERS;

  write(value: unknown): string {
    this.#value(value);
    return this.#parts.join('');
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
    const written = this.#parts.length;
    try {
      this.#contents(value);
    } catch {
      // A getter or `toJSON` threw, or a proxy was revoked.
      this.#parts.length = written;
      this.#text('[unreadable]');
    }
    this.#open.delete(value);
  }

  #contents(value: object): void {
    const bytes = byteLengthOf(value);
    if (bytes !== undefined) return this.#text(`[${bytes} bytes]`);
    if (Array.isArray(value) || isVector(value)) return this.#list(value);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.#value(Reflect.apply(toJSON, value, ['']));
    if (value instanceof Error)
      return this.#fields([
        ['name', value.name],
        ['message', value.message],
      ]);
    if (value instanceof Set) return this.#list(value);
    if (value instanceof Map)
      return [...value.keys()].every((key) => typeof key === 'string')
        ? this.#fields(value as Map<string, unknown>)
        : this.#list(value);
    if (isActive(value)) return this.#text(`[${nameOf(value)}]`);
    const keys = Object.keys(value);
    if (keys.length === 0 && !isPlain(value)) return this.#text(`[${nameOf(value)}]`);
    return this.#fields(fieldsOf(value, keys));
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

  #fields(fields: Iterable<readonly [key: string, value: unknown]>): void {
    let separator = '{';
    for (const [key, value] of fields) {
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
    this.#parts.push(json);
    this.#characters -= json.length;
  }
}

function* fieldsOf(value: object, keys: readonly string[]): Generator<[key: string, value: unknown]> {
  for (const key of keys) {
    let field: unknown;
    try {
      field = (value as Record<string, unknown>)[key];
    } catch {
      field = '[unreadable]';
    }
    yield [key, field];
  }
}

/** Lists of numbers, such as embeddings. */
const isVector = (value: object): value is Float32Array | Float64Array =>
  value instanceof Float32Array || value instanceof Float64Array;

function byteLengthOf(value: object): number | undefined {
  if (isVector(value)) return undefined;
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
