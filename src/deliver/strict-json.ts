import { AppError } from '../errors.ts';

/** A place in a JSON text where parsers differ or lose information, so that two of them may see different values. */
export interface Oddity {
  kind: 'duplicate_key' | 'proto_key' | 'lone_surrogate' | 'unsafe_number';
  /** Steps of the JSON pointer, unescaped. */
  path: string[];
}

export interface StrictJson {
  /**
   * Value as JSON.parse returns it, except that objects have no prototype and `__proto__` is a key like any other.
   */
  value: unknown;
  /** First few oddities, in text order. */
  oddities: Oddity[];
}

const MAX_ODDITIES = 20;

const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NOT_ZERO = /^-?[0.]*[1-9]/;
const HEX4 = /^[\da-fA-F]{4}$/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON with exactly the grammar of JSON.parse for UTF-8 text. Rejects objects and arrays nested deeper than
 * `maxDepth`. Throws AppError `bad_request` with the position in UTF-16 code units.
 */
export function parseStrictJson(bytes: Uint8Array, maxDepth: number): StrictJson {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON: it is not encoded in UTF-8');
  }
  const parser = new StrictJsonParser(text, maxDepth);
  return { value: parser.document(), oddities: parser.oddities };
}

class StrictJsonParser {
  readonly oddities: Oddity[] = [];
  private readonly source: string;
  private readonly maxDepth: number;
  private at = 0;
  /** One step for each object or array around the current value. */
  private readonly path: string[] = [];

  constructor(source: string, maxDepth: number) {
    this.source = source;
    this.maxDepth = maxDepth;
  }

  document(): unknown {
    const value = this.value();
    this.skipSpace();
    if (this.at < this.source.length) throw this.unexpected();
    return value;
  }

  private value(): unknown {
    this.skipSpace();
    switch (this.source[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.text();
      case 't':
        return this.literal('true', true);
      case 'f':
        return this.literal('false', false);
      case 'n':
        return this.literal('null', null);
      default:
        return this.number();
    }
  }

  private object(): Record<string, unknown> {
    const object = Object.create(null) as Record<string, unknown>;
    this.open();
    if (this.takes('}')) return object;
    do {
      const key = this.key();
      this.expect(':');
      this.path.push(key);
      this.noteKey(object, key);
      object[key] = this.value();
      this.path.pop();
    } while (this.takes(','));
    this.expect('}');
    return object;
  }

  private array(): unknown[] {
    const array: unknown[] = [];
    this.open();
    if (this.takes(']')) return array;
    do {
      this.path.push(String(array.length));
      array.push(this.value());
      this.path.pop();
    } while (this.takes(','));
    this.expect(']');
    return array;
  }

  /** Reads the opening bracket. */
  private open(): void {
    if (this.path.length === this.maxDepth) {
      throw new AppError('bad_request', `The body is nested deeper than ${this.maxDepth} levels`);
    }
    this.at++;
  }

  private key(): string {
    this.skipSpace();
    if (this.source[this.at] !== '"') throw this.unexpected();
    return this.string();
  }

  private noteKey(object: object, key: string): void {
    if (key === '__proto__') this.note('proto_key');
    if (Object.hasOwn(object, key)) this.note('duplicate_key');
    if (!key.isWellFormed()) this.note('lone_surrogate');
  }

  private text(): string {
    const text = this.string();
    if (!text.isWellFormed()) this.note('lone_surrogate');
    return text;
  }

  private string(): string {
    const { source } = this;
    let result = '';
    let start = ++this.at;
    for (;;) {
      const code = source.charCodeAt(this.at);
      if (code === QUOTE) {
        result += source.slice(start, this.at++);
        return result;
      }
      if (code === BACKSLASH) {
        result += source.slice(start, this.at) + this.escape();
        start = this.at;
      } else if (code >= FIRST_PRINTABLE) this.at++;
      else throw this.unexpected();
    }
  }

  private escape(): string {
    const letter = this.source[++this.at];
    const escaped = letter === 'u' ? this.codeUnit() : ESCAPES.get(letter ?? '');
    if (escaped === undefined) throw this.unexpected();
    this.at++;
    return escaped;
  }

  /** Reads the four digits of a \u escape and stops at the last one. */
  private codeUnit(): string {
    const digits = this.source.slice(this.at + 1, this.at + 5);
    if (!HEX4.test(digits)) throw this.unexpected();
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private number(): number {
    NUMBER.lastIndex = this.at;
    const [digits] = NUMBER.exec(this.source) ?? [];
    if (digits === undefined) throw this.unexpected();
    this.at += digits.length;
    const number = Number(digits);
    if (!isSafe(number, digits)) this.note('unsafe_number');
    return number;
  }

  private literal<T>(word: string, value: T): T {
    if (!this.source.startsWith(word, this.at)) throw this.unexpected();
    this.at += word.length;
    return value;
  }

  private skipSpace(): void {
    while (' \n\r\t'.includes(this.source[this.at] ?? 'end')) this.at++;
  }

  private takes(mark: string): boolean {
    this.skipSpace();
    if (this.source[this.at] !== mark) return false;
    this.at++;
    return true;
  }

  private expect(mark: string): void {
    if (!this.takes(mark)) throw this.unexpected();
  }

  private note(kind: Oddity['kind']): void {
    if (this.oddities.length < MAX_ODDITIES) this.oddities.push({ kind, path: [...this.path] });
  }

  private unexpected(): AppError {
    const what = this.at < this.source.length ? 'unexpected character' : 'unexpected end';
    return new AppError('bad_request', `The body is not valid JSON: ${what} at position ${this.at}`);
  }
}

/** Reports whether a double represents the written number, except for its last digits. */
function isSafe(number: number, digits: string): boolean {
  if (number === 0) return !NOT_ZERO.test(digits);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}
