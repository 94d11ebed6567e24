/** Converts 64-bit integers and doubles, in all forms that OTLP/JSON senders write. */
import { WIRE_FIXED64, WIRE_VARINT } from '../../traces/wire/reader.ts';
import { type JsonWalk, RoundedNumberError } from './json-walk.ts';
import { isObject } from '../../contract/is-object.ts';

const MAX_UINT64 = 2n ** 64n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
/** Length up to which a double represents every integer exactly. */
const SAFE_LENGTH = 15;
/** Length above which a number exceeds 64 bits; a bigint of unbounded length would cost unbounded time. */
const MAX_LENGTH = 40;
const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** Writes Unix nanoseconds as a fixed64. */
export function writeTime(walk: JsonWalk, field: number, name: string, value: unknown): void {
  if (value == null) return;
  const time = toNumber(walk, value);
  const isWhole = typeof time === 'bigint' || Number.isInteger(time);
  if (time === null || !isWhole || time < 0 || time > MAX_UINT64) {
    throw walk.expected(name, 'Unix nanoseconds as a decimal string', value);
  }
  walk.out.tag(field, WIRE_FIXED64);
  walk.out.fixed64(BigInt(time));
}

/**
 * Writes the `intValue` of an AnyValue; a number that is not a 64-bit integer is written as `doubleValue` instead.
 */
export function writeIntValue(walk: JsonWalk, intField: number, doubleField: number, value: unknown): void {
  const number = toNumber(walk, value);
  if (number === null) throw walk.expected('intValue', 'an integer as a decimal string', value);
  if (Number.isSafeInteger(number) && number >= 0) {
    walk.out.tag(intField, WIRE_VARINT);
    walk.out.varint(number as number);
  } else if (isInt64(number)) {
    walk.out.tag(intField, WIRE_VARINT);
    walk.out.int64(BigInt(number));
  } else {
    writeDouble(walk, doubleField, Number(number));
  }
}

export function writeDoubleValue(walk: JsonWalk, field: number, value: unknown): void {
  const number = typeof value === 'string' ? (NOT_FINITE.get(value) ?? decimalOf(value)) : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') {
    throw walk.expected('doubleValue', 'a number', value);
  }
  writeDouble(walk, field, Number(number));
}

function writeDouble(walk: JsonWalk, field: number, value: number): void {
  walk.out.tag(field, WIRE_FIXED64);
  walk.out.double(value);
}

function isInt64(value: number | bigint): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  return value >= MIN_INT64 && value <= MAX_INT64;
}

/** Returns the number that `value` represents: a bigint if a double might round it; null for an invalid value. */
function toNumber(walk: JsonWalk, value: unknown): number | bigint | null {
  switch (typeof value) {
    case 'string':
      return isInteger(value) ? integerOf(value) : decimalOf(value);
    case 'number':
      if (!walk.isExact && Number.isInteger(value) && !Number.isSafeInteger(value)) {
        throw new RoundedNumberError();
      }
      return value;
    case 'bigint':
      return value;
    default:
      return isObject(value) ? longOf(value.low, value.high, value.unsigned === true) : null;
  }
}

function isInteger(text: string): boolean {
  const first = text.charCodeAt(0) === 0x2d ? 1 : 0;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return text.length > first;
}

function integerOf(text: string): number | bigint {
  return text.length <= SAFE_LENGTH || text.length > MAX_LENGTH ? Number(text) : BigInt(text);
}

function decimalOf(text: string): number | null {
  return DECIMAL.test(text) ? Number(text) : null;
}

/** Combines the two halves in which long.js, and older JavaScript exporters, write a 64-bit integer. */
function longOf(low: unknown, high: unknown, unsigned: boolean): bigint | null {
  if (!Number.isInteger(low) || !Number.isInteger(high)) return null;
  const bits =
    (BigInt.asUintN(32, BigInt(high as number)) << 32n) | BigInt.asUintN(32, BigInt(low as number));
  return unsigned ? bits : BigInt.asIntN(64, bits);
}
