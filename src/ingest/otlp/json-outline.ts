/**
 * Reads the outer lists of an OTLP/JSON body and leaves their members unread: a parsed body takes many times its own
 * memory, a parsed span does not.
 */
import {
  JSON_MEMORY,
  MAX_FIELDS,
  MAX_VALUES_AT_ONCE,
  tooManyFields,
  tooManyValuesAtOnce,
} from '../../contract/json-limits.ts';
import type { Steps } from '../../runtime/steps.ts';
import { COST, type DecodeWork, MAX_MEMBERS, tooMany } from '../decode-work.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { type ParsedObject, parseOtlpJson, parseJsonExactly } from './json-parse.ts';

/** An object of the outline: the lists that it may have, and its other fields. Unknown fields are skipped. */
export interface OutlineLevel {
  /** Name of its objects in the plural, for errors. */
  name: string;
  lists: ReadonlySet<string>;
  fields: ReadonlySet<string>;
  cost: number;
  /** Name of the members of its lists in the plural, of which there may be MAX_MEMBERS; absent for lists of levels. */
  members?: string;
}

/** Estimated memory of an object of the outline, and of the range of a member. */
const OBJECT_BYTES = 256;
const RANGE_BYTES = 16;
/** Depth down to which objects have a number of fields of their own; values of attributes nest far less deeply. */
const MAX_DEPTH = 1_024;
/** Integers that a double may round. */
const LONG_INTEGER = /\d{16}/;
/** Memory that is charged at once, so that the budget is not touched for each object. */
const CHARGE_STEP = 64 * 1024;
/** Bytes that are read in one step. */
const PIECE_BYTES = 256 * 1024;
/** Values after which their time is taken. */
const SPEND_STEP = 1_024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Length of a string from which it is searched for its end instead of read. */
const LONG_STRING = 64;

/** Members of a list, as byte ranges of the body. */
export class JsonMembers {
  private readonly body: Buffer;
  private readonly ends: number[] = [];

  constructor(body: Buffer) {
    this.body = body;
  }

  get length(): number {
    return this.ends.length / 2;
  }

  add(start: number, end: number): void {
    this.ends.push(start, end);
  }

  /** Parses a member. Throws OtlpDecodeError. */
  parse(index: number, isExact: boolean): unknown {
    const text = this.body.toString('utf8', this.ends[index * 2], this.ends[index * 2 + 1]);
    return isExact ? parseJsonExactly(text) : parseOtlpJson(text);
  }
}

/**
 * Reads the objects of `levels`, which nest in lists; the lists of the last level become JsonMembers. What has another
 * type than expected is parsed as it is. Takes the work of reading everything from `work` and the memory of the largest
 * member. Reads in steps. Throws OtlpDecodeError.
 */
export function readOutline(body: Buffer, levels: readonly OutlineLevel[], work: DecodeWork): Steps<unknown> {
  return new OutlineReader(body, levels, work).read();
}

class OutlineReader {
  private readonly body: Buffer;
  private readonly levels: readonly OutlineLevel[];
  private readonly work: DecodeWork;
  private readonly counts: number[];
  private at: number;
  /** True inside of a string that was skipped in part. */
  private isInString = false;
  /** Position at which others have their turn. */
  private pauseAt = PIECE_BYTES;
  /** Values that were read and not yet taken from the work. */
  private values = 0;
  /** Estimated memory that was not yet charged. */
  private uncharged = 0;
  private largestMember = 0;
  /** Estimated memory of the value that was skipped last, besides its text. */
  private skippedMemory = 0;

  constructor(body: Buffer, levels: readonly OutlineLevel[], work: DecodeWork) {
    this.body = body;
    this.levels = levels;
    this.work = work;
    this.counts = levels.map(() => 0);
    // A byte order mark is dropped.
    this.at = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  }

  *read(): Steps<unknown> {
    this.skipSpace();
    const request = yield* this.value(0);
    this.skipSpace();
    if (this.at < this.body.length) throw this.unexpected();
    this.work.spendValues(this.values, COST.jsonValue);
    this.work.charge(this.uncharged + this.largestMember);
    return request;
  }

  /** Reads an object of a level; any other value is parsed. */
  private *value(depth: number): Steps<unknown> {
    const level = this.levels[depth];
    if (level === undefined || this.body[this.at] !== OPEN_BRACE) return yield* this.parsed();
    const count = (this.counts[depth] = (this.counts[depth] as number) + 1);
    if (count > MAX_MEMBERS) throw tooMany(level.name);
    this.work.spend(level.cost);
    this.charge(OBJECT_BYTES);
    const object: ParsedObject = {};
    let fields = 0;
    for (let more = this.begin(OPEN_BRACE, CLOSE_BRACE); more; more = this.next(CLOSE_BRACE)) {
      if (++fields > MAX_FIELDS) throw tooManyFields();
      const key = this.key();
      if (level.lists.has(key) && this.body[this.at] === OPEN_BRACKET)
        object[key] = yield* this.list(depth + 1);
      else {
        const value = yield* this.parsed();
        if (level.lists.has(key) || level.fields.has(key)) object[key] = value;
      }
    }
    return object;
  }

  private *list(depth: number): Steps<unknown> {
    if (depth < this.levels.length) {
      const list: unknown[] = [];
      for (let more = this.begin(OPEN_BRACKET, CLOSE_BRACKET); more; more = this.next(CLOSE_BRACKET)) {
        list.push(yield* this.value(depth));
        if (list.length > MAX_MEMBERS) throw tooMany(this.levels[depth]?.name ?? '');
      }
      return list;
    }
    const members = new JsonMembers(this.body);
    const name = this.levels[depth - 1]?.members;
    for (let more = this.begin(OPEN_BRACKET, CLOSE_BRACKET); more; more = this.next(CLOSE_BRACKET)) {
      const start = this.at;
      yield* this.skip();
      members.add(start, this.at);
      if (members.length > MAX_MEMBERS && name !== undefined) throw tooMany(name);
      this.charge(RANGE_BYTES);
      this.largestMember = Math.max(this.largestMember, this.memoryFrom(start));
    }
    return members;
  }

  /** Reads up to the first item of an object or an array; returns false, behind it, if it has none. */
  private begin(open: number, close: number): boolean {
    this.expect(open);
    this.skipSpace();
    if (this.body[this.at] !== close) {
      this.count();
      return true;
    }
    this.at += 1;
    return false;
  }

  /** Reads from the end of an item to the next one; returns false, behind the object or array, if none follows. */
  private next(close: number): boolean {
    this.skipSpace();
    const byte = this.body[this.at];
    this.at += 1;
    if (byte === close) return false;
    if (byte !== COMMA) throw this.unexpected(this.at - 1);
    this.skipSpace();
    this.count();
    return true;
  }

  private key(): string {
    if (this.body[this.at] !== QUOTE) throw this.unexpected();
    const start = this.at;
    do this.skipString();
    while (this.isInString);
    const key = parseOtlpJson(this.body.toString('utf8', start, this.at)) as string;
    this.skipSpace();
    this.expect(COLON);
    this.skipSpace();
    return key;
  }

  /** Parses the value at the current position without rounding integers. */
  private *parsed(): Steps<unknown> {
    const start = this.at;
    yield* this.skip();
    this.charge(this.memoryFrom(start));
    const text = this.body.toString('utf8', start, this.at);
    return LONG_INTEGER.test(text) ? parseJsonExactly(text) : parseOtlpJson(text);
  }

  /** Skips a value, and counts the values in it. Only its end is found: the parser checks the rest. */
  private *skip(): Steps<void> {
    const { body } = this;
    /** Number of fields of each object that encloses the position. */
    const fields: number[] = [];
    let depth = 0;
    let memory = 0;
    let values = 0;
    for (;;) {
      if (this.at >= this.pauseAt) {
        yield;
        this.pauseAt = this.at + PIECE_BYTES;
      }
      if (this.isInString) this.skipString();
      else
        switch (body[this.at]) {
          case undefined:
            throw this.unexpected();
          case QUOTE:
            this.skipString();
            break;
          case OPEN_BRACE:
          case OPEN_BRACKET:
            depth += 1;
            fields[levelOf(depth)] = 0;
            memory += JSON_MEMORY.container;
            values += 1;
            this.count();
            this.at += 1;
            break;
          case COLON:
            if ((fields[levelOf(depth)] = (fields[levelOf(depth)] ?? 0) + 1) > MAX_FIELDS)
              throw tooManyFields();
            memory += JSON_MEMORY.key;
            values += 1;
            this.at += 1;
            break;
          case CLOSE_BRACE:
          case CLOSE_BRACKET:
            if (depth === 0) return;
            depth -= 1;
            this.at += 1;
            break;
          case COMMA:
            if (depth === 0) return;
            memory += JSON_MEMORY.value;
            values += 1;
            this.count();
            this.at += 1;
            break;
          default:
            this.at += 1;
        }
      this.skippedMemory = memory;
      if (values > MAX_VALUES_AT_ONCE) throw tooManyValuesAtOnce();
      if (depth === 0 && !this.isInString && this.isAtEnd()) return;
    }
  }

  /** Reports whether a value outside of all others ends here. */
  private isAtEnd(): boolean {
    const byte = this.body[this.at];
    return byte === undefined || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
  }

  /** Skips a string, or a piece of one: `isInString` is true if it continues. */
  private skipString(): void {
    const { body } = this;
    let at = this.isInString ? this.at : this.at + 1;
    this.isInString = false;
    const near = Math.min(body.length, at + LONG_STRING);
    for (; at < near; at++) {
      const byte = body[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) {
        this.at = at + 1;
        return;
      }
    }
    const begin = at;
    for (;;) {
      at = body.indexOf(QUOTE, at);
      if (at < 0) throw this.unexpected(body.length);
      let first = at;
      while (first > begin && body[first - 1] === BACKSLASH) first -= 1;
      at += 1;
      if ((at - 1 - first) % 2 === 0) break;
      if (at - begin > PIECE_BYTES) {
        this.isInString = true;
        break;
      }
    }
    this.at = at;
  }

  private skipSpace(): void {
    const { body } = this;
    for (;;) {
      const byte = body[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at += 1;
    }
  }

  private count(): void {
    if (++this.values < SPEND_STEP) return;
    this.work.spendValues(this.values, COST.jsonValue);
    this.values = 0;
  }

  private charge(bytes: number): void {
    this.uncharged += bytes;
    if (this.uncharged < CHARGE_STEP) return;
    this.work.charge(this.uncharged);
    this.uncharged = 0;
  }

  /** Estimates the memory of the text that was skipped from `start` on, and of its parsed value. */
  private memoryFrom(start: number): number {
    return (this.at - start) * 2 + this.skippedMemory;
  }

  private expect(byte: number): void {
    if (this.body[this.at] !== byte) throw this.unexpected();
    this.at += 1;
  }

  private unexpected(at = this.at): OtlpDecodeError {
    const byte = this.body[at];
    const what =
      byte === undefined ? 'Unexpected end of JSON input' : `Unexpected ${shown(byte)} at position ${at}`;
    return new OtlpDecodeError(`the body is not JSON: ${what}`);
  }
}

const shown = (byte: number): string =>
  byte > 0x20 && byte < 0x7f ? `character ${JSON.stringify(String.fromCharCode(byte))}` : `byte ${byte}`;

/** Returns the place of the number of fields of an object at a depth; objects deeper than MAX_DEPTH share one. */
const levelOf = (depth: number): number => Math.min(depth, MAX_DEPTH);
