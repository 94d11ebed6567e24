/**
 * Canonical text of a JSON value (RFC 8785, JCS). Rejects, beyond the standard, values that some JSON parsers change:
 * a signature over them could not be verified from the parsed value.
 */

/** Deepest nesting of objects and arrays in a payload. */
export const MAX_DEPTH = 128;
/** Deepest nesting in a part of a payload, which leaves room for the enclosing objects. */
const MAX_PART_DEPTH = 120;

/** A place that has no canonical form; `reason` completes "the value …". */
export interface Uncanonical {
  /** Steps of the JSON pointer, unescaped. */
  path: string[];
  reason: string;
}

/**
 * Error of a value without a canonical form. Its message is the reason alone, because the path contains the
 * customer's keys.
 */
export class UncanonicalError extends Error {
  override readonly name = 'UncanonicalError';
  readonly path: readonly string[];

  constructor({ path, reason }: Uncanonical) {
    super(reason);
    this.path = path;
  }
}

/** Returns the canonical text of a tree of plain objects, arrays and primitives; throws UncanonicalError. */
export function canonicalJson(value: unknown): string {
  return new CanonicalWriter(MAX_DEPTH).text(value);
}

/** Finds the first place, in canonical order, that prevents a value from being part of a payload. */
export function findUncanonical(part: unknown): Uncanonical | null {
  try {
    new CanonicalWriter(MAX_PART_DEPTH).text(part);
    return null;
  } catch (error) {
    if (!(error instanceof UncanonicalError)) throw error;
    return { path: [...error.path], reason: error.message };
  }
}

class CanonicalWriter {
  private readonly maxDepth: number;
  /** One step for each object or array around the current value. */
  private readonly path: string[] = [];

  constructor(maxDepth: number) {
    this.maxDepth = maxDepth;
  }

  text(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return this.string(value);
      case 'number':
        return this.number(value);
      case 'boolean':
        return String(value);
      case 'object':
        return value === null ? 'null' : this.container(value);
      default:
        throw this.problem(`is of type ${typeof value}, which JSON does not have`);
    }
  }

  private string(text: string): string {
    if (!text.isWellFormed()) throw this.problem('contains half of a surrogate pair');
    return JSON.stringify(text);
  }

  private number(number: number): string {
    if (!Number.isFinite(number)) throw this.problem('is not a finite number');
    if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
      throw this.problem('is an integer beyond ±(2^53−1)');
    }
    return JSON.stringify(number);
  }

  private container(value: object): string {
    if (this.path.length === this.maxDepth)
      throw this.problem(`is nested deeper than ${this.maxDepth} levels`);
    if (Array.isArray(value)) {
      const items = Array.from(value, (item: unknown, index) => this.item(String(index), item));
      return `[${items.join(',')}]`;
    }
    if (!isPlain(value)) throw this.problem('is not a plain object');
    // The default order is that of UTF-16 code units, as RFC 8785 requires.
    const members = Object.keys(value)
      .sort()
      .map((key) => this.member(key, value[key]));
    return `{${members.join(',')}}`;
  }

  private item(index: string, value: unknown): string {
    this.path.push(index);
    const text = this.text(value);
    this.path.pop();
    return text;
  }

  private member(key: string, value: unknown): string {
    this.path.push(key);
    if (key === '__proto__') throw this.problem('has the key __proto__');
    const text = `${this.string(key)}:${this.text(value)}`;
    this.path.pop();
    return text;
  }

  private problem(reason: string): UncanonicalError {
    return new UncanonicalError({ path: [...this.path], reason });
  }
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
