import { AppError } from '../errors.ts';

/** Most fields of one object. Adding one takes longer the more distinct ones there are. */
export const MAX_FIELDS = 20_000;

/** Limits of a JSON text. */
export interface JsonLimits {
  depth: number;
  /** Objects, arrays, the values in them and the keys of fields. */
  values: number;
  /** Fields of all objects; default: unlimited. Parsing many distinct names takes long. */
  members?: number;
  /** Called now and then with the number of values since the last call; may throw to end the count. */
  onValues?: (count: number) => void;
}

/** Most values and keys of fields of an object that is parsed at once, which takes up to a microsecond for each. */
export const MAX_VALUES_AT_ONCE = 1_000_000;

/** Estimated memory of an object or array in a parsed document, of a value in one, and of the key of a field. */
export const JSON_MEMORY = { container: 64, value: 16, key: 32 } as const;
const STEP = 1_024;
/** Bytes that are counted in one step. */
const PIECE_BYTES = 256 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Counts what parsing a JSON text would make, and returns an estimate of its memory, with the text itself. The estimate
 * never falls when values are added. Throws AppError `bad_request` beyond a limit; whether the text is JSON is not checked.
 */
export function measureJson(bytes: Uint8Array, limits: JsonLimits): number {
  const count = new JsonCount(bytes, limits);
  count.read(0, bytes.length);
  return count.end();
}

/** Counts like `measureJson`, in steps, between which it yields. */
export function* measureJsonInSteps(bytes: Uint8Array, limits: JsonLimits): Generator<void, number, void> {
  const count = new JsonCount(bytes, limits);
  for (let at = 0; at < bytes.length; ) {
    at = count.read(at, Math.min(bytes.length, at + PIECE_BYTES));
    if (at < bytes.length) yield;
  }
  return count.end();
}

class JsonCount {
  private readonly bytes: Uint8Array;
  private readonly limits: JsonLimits;
  /** Number of fields of each object that encloses the position. */
  private readonly fields: number[] = [0];
  private isInString = false;
  private depth = 0;
  private members = 0;
  private values = 0;
  private reported = 0;
  private memory: number;

  constructor(bytes: Uint8Array, limits: JsonLimits) {
    this.bytes = bytes;
    this.limits = limits;
    this.memory = bytes.length;
  }

  /** Reads from `start` to `end`; returns the position behind what was read, which an escape may end. */
  read(start: number, end: number): number {
    const { bytes } = this;
    let i = start;
    for (; i < end; i++) {
      if (this.isInString) {
        i = endOfString(bytes, i, end);
        if (i >= end) return i;
        this.isInString = false;
        continue;
      }
      switch (bytes[i]) {
        case QUOTE:
          this.isInString = true;
          continue;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          this.open();
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          if (this.depth > 0) this.depth -= 1;
          continue;
        case COLON:
          this.member();
          break;
        case COMMA:
          this.memory += JSON_MEMORY.value;
          this.values += 1;
          break;
        default:
          continue;
      }
      if (this.values - this.reported >= STEP) this.report();
    }
    return i;
  }

  /** Checks the total; returns the estimated memory. */
  end(): number {
    const { members: most } = this.limits;
    if (most !== undefined && this.members > most)
      throw new AppError('bad_request', `The body has ${this.members} members, more than ${most}`);
    this.report();
    return this.memory;
  }

  private open(): void {
    const { depth: most } = this.limits;
    if (++this.depth > most)
      throw new AppError('bad_request', `The body is nested deeper than ${most} levels`);
    this.fields[this.depth] = 0;
    this.memory += JSON_MEMORY.container;
    this.values += 1;
  }

  private member(): void {
    const fields = (this.fields[this.depth] as number) + 1;
    if (fields > MAX_FIELDS) throw tooManyFields();
    this.fields[this.depth] = fields;
    this.members += 1;
    this.memory += JSON_MEMORY.key;
    this.values += 1;
  }

  private report(): void {
    if (this.values > this.limits.values) throw tooManyValues(this.limits.values);
    this.limits.onValues?.(this.values - this.reported);
    this.reported = this.values;
  }
}

/** Bytes of a string that are read one by one before the built-in search takes over, which is faster for long texts. */
const SHORT_STRING = 64;

/** Returns the offset of the quote that ends a string; `end` or more when there is none before. */
function endOfString(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (;;) {
    const short = Math.min(end, at + SHORT_STRING);
    for (; at < short; at++) {
      const byte = bytes[at];
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) return at;
    }
    if (at >= end) return at;
    const found = bytes.subarray(at, end).indexOf(QUOTE);
    const quote = found === -1 ? end : at + found;
    const isEscaped = backslashesBefore(bytes, quote, at) % 2 === 1;
    if (!isEscaped) return quote;
    at = quote + 1;
  }
}

function backslashesBefore(bytes: Uint8Array, end: number, start: number): number {
  let at = end;
  while (at > start && bytes[at - 1] === BACKSLASH) at--;
  return end - at;
}

export const tooManyFields = (): AppError =>
  new AppError('bad_request', `The body has an object with more than ${MAX_FIELDS} fields`);

export const tooManyValuesAtOnce = (): AppError =>
  new AppError('bad_request', `The body has an object or array with more than ${MAX_VALUES_AT_ONCE} values`);

const tooManyValues = (most: number): AppError =>
  new AppError('bad_request', `The body has more than ${most} values`);
