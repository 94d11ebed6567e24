import { type Steps, Turn } from '../../runtime/steps.ts';
import { WIRE_FIXED32, WIRE_VARINT } from '../../traces/wire/reader.ts';
import { WireWriter } from '../../traces/wire/writer.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { JsonMembers } from './json-outline.ts';
import { type ParsedObject } from './json-parse.ts';
import { isObject } from '../../contract/is-object.ts';

const INITIAL_SIZE = 1 << 18;
const MAX_UINT32 = 0xffff_ffff;
const SHORT_DECIMAL = /^\d{1,10}$/;

/** Writes the fields of one message; the caller writes its length. */
export type WriteMessage = (walk: JsonWalk, json: ParsedObject) => void;
/** Writes the fields of one message in steps. */
export type WriteSteps = (walk: JsonWalk, json: ParsedObject) => Steps<void>;

/** Error for a 64-bit integer that the JSON parser may have rounded: the member must be parsed again, exactly. */
export class RoundedNumberError extends Error {
  override readonly name = 'RoundedNumberError';
}

/**
 * One pass over a parsed body that writes protobuf. It tracks the path in the body, so that errors can report it. A
 * field that is absent or null writes nothing; a present one is written even when it is zero.
 */
export class JsonWalk {
  readonly out = new WireWriter(INITIAL_SIZE);
  /** Number of AnyValues that enclose the current position. */
  valueDepth = 0;
  /** True if what is written was parsed without rounding integers. */
  isExact = true;
  private turn = new Turn();
  private readonly path: (string | number)[] = [];

  /** Prepares the walk for another body. */
  reset(): void {
    this.out.reset();
    this.turn = new Turn();
    this.path.length = 0;
    this.valueDepth = 0;
    this.isExact = true;
  }

  enter(step: string | number): void {
    this.path.push(step);
  }

  leave(): void {
    this.path.pop();
  }

  message(field: number, name: string, value: unknown, write: WriteMessage): void {
    if (value == null) return;
    if (!isObject(value)) throw this.expected(name, 'an object', value);
    this.enter(name);
    const start = this.out.begin(field);
    write(this, value);
    this.out.end(start);
    this.leave();
  }

  messages(field: number, name: string, list: unknown, write: WriteMessage, of = 'objects'): void {
    if (list == null) return;
    const items = this.listOf(name, list, of);
    this.enter(name);
    for (let index = 0; index < items.length; index++) this.itemAt(field, items, index, write);
    this.leave();
  }

  /** Writes messages like `messages`, and yields between them when its turn is over. */
  *messagesInTurns(field: number, name: string, list: unknown, write: WriteMessage): Steps<void> {
    if (list == null) return;
    const items = this.listOf(name, list, 'objects');
    this.enter(name);
    for (let index = 0; index < items.length; index++) {
      if (this.turn.isOver()) yield* this.turn.pause();
      this.itemAt(field, items, index, write);
    }
    this.leave();
  }

  /** Writes messages that have lists themselves, each in steps. */
  *messagesInSteps(field: number, name: string, list: unknown, write: WriteSteps): Steps<void> {
    if (list == null) return;
    const items = this.listOf(name, list, 'objects');
    this.enter(name);
    for (let index = 0; index < items.length; index++) {
      this.enter(index);
      const item: unknown = items instanceof JsonMembers ? items.parse(index, true) : items[index];
      if (!isObject(item)) throw this.expected('', 'an object', item);
      const start = this.out.begin(field);
      yield* write(this, item);
      this.out.end(start);
      this.leave();
    }
    this.leave();
  }

  private listOf(name: string, list: unknown, of: string): JsonMembers | readonly unknown[] {
    if (list instanceof JsonMembers || Array.isArray(list)) return list as JsonMembers | readonly unknown[];
    throw this.expected(name, `an array of ${of}`, list);
  }

  private itemAt(
    field: number,
    list: JsonMembers | readonly unknown[],
    index: number,
    write: WriteMessage,
  ): void {
    this.enter(index);
    if (list instanceof JsonMembers) this.unreadItem(field, list, index, write);
    else this.item(field, list[index], write);
    this.leave();
  }

  private item(field: number, item: unknown, write: WriteMessage): void {
    if (!isObject(item)) throw this.expected('', 'an object', item);
    const start = this.out.begin(field);
    write(this, item);
    this.out.end(start);
  }

  /** Parses and writes a member; it is parsed a second time, exactly and several times slower, if an integer was rounded. */
  private unreadItem(field: number, list: JsonMembers, index: number, write: WriteMessage): void {
    const { length } = this.out;
    const depth = this.path.length;
    try {
      this.isExact = false;
      this.item(field, list.parse(index, false), write);
    } catch (error) {
      if (!(error instanceof RoundedNumberError)) throw error;
      this.out.rewind(length);
      this.path.length = depth;
      this.valueDepth = 0;
      this.isExact = true;
      this.item(field, list.parse(index, true), write);
    }
    this.isExact = true;
  }

  string(field: number, name: string, value: unknown): void {
    if (value == null) return;
    if (typeof value !== 'string') throw this.expected(name, 'a string', value);
    this.out.stringField(field, value);
  }

  strings(field: number, name: string, list: unknown): void {
    if (list == null) return;
    if (!Array.isArray(list)) throw this.expected(name, 'an array of strings', list);
    this.enter(name);
    for (const [index, item] of list.entries()) {
      if (typeof item !== 'string') throw this.expected(index, 'a string', item);
      this.out.stringField(field, item);
    }
    this.leave();
  }

  uint32(field: number, name: string, value: unknown): void {
    if (value == null) return;
    this.out.tag(field, WIRE_VARINT);
    this.out.varint(this.toUint32(name, value));
  }

  fixed32(field: number, name: string, value: unknown): void {
    if (value == null) return;
    this.out.tag(field, WIRE_FIXED32);
    this.out.fixed32(this.toUint32(name, value));
  }

  /** Writes an open enum: any 32-bit integer is kept, a name must be one of `names`. */
  enumeration(field: number, name: string, value: unknown, names: ReadonlyMap<string, number>): void {
    if (value == null) return;
    const number = typeof value === 'string' ? names.get(value) : value;
    if (typeof number !== 'number' || (number | 0) !== number) {
      throw this.expected(name, `an integer or one of ${[...names.keys()].join(', ')}`, value);
    }
    this.out.tag(field, WIRE_VARINT);
    if (number >= 0) this.out.varint(number);
    else this.out.int64(BigInt(number));
  }

  /** Returns the error for a value that is not `what`, at `name` below the current path ('' for the path itself). */
  expected(name: string | number, what: string, got: unknown): OtlpDecodeError {
    const steps = name === '' ? this.path : [...this.path, name];
    return new OtlpDecodeError(`${pathText(steps)}: expected ${what}, got ${describe(got)}`);
  }

  private toUint32(name: string, value: unknown): number {
    const number = typeof value === 'string' && SHORT_DECIMAL.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= MAX_UINT32) {
      return number;
    }
    throw this.expected(name, `an integer from 0 to ${MAX_UINT32}`, value);
  }
}

function pathText(steps: readonly (string | number)[]): string {
  let text = '';
  for (const step of steps) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/**
 * Describes a value for an error. Short texts are shown because they reveal a wrong unit or name; long ones are the
 * customer's content.
 */
function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  if (typeof value === 'bigint') return value.toString();
  const text = JSON.stringify(value);
  return text.length <= 40 ? text : 'a long string';
}
