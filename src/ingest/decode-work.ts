import { AppError } from '../errors.ts';
import type { Charges } from './charges.ts';

/**
 * Estimated processor time of decoding, in nanoseconds, by what is decoded. Measured with `npm run fuzz`, on the machine
 * whose numbers docs/performance.md has, and rounded up.
 */
export const COST = {
  inflatedByte: 4,
  jsonValue: 200,
  /** A value of a native event, which is parsed, checked and written again. */
  eventValue: 500,
  resource: 1_500,
  /** A resource that no other of the request equals, and a byte of it. */
  distinctResource: 8_000,
  resourceByte: 20,
  scope: 1_000,
  /** A span until it is durable. */
  span: 8_000,
  logRecord: 4_000,
  metric: 100,
  /** An attribute, an event, a link or a value within one, in protobuf. */
  value: 80,
  /**
   * A field of protobuf that masking may change, besides the search of its text, whose time MaskingClock limits. 200 to 700 ns
   * were measured for bodies of 200 000 elements, events and texts of one character.
   */
  maskedField: 500,
  /** An attribute, whose key is searched too: with its four fields 0.9 to 2.2 µs were measured. */
  maskedAttribute: 800,
} as const;

/** Most nanoseconds that decoding may take for each byte of a body as received. */
const NS_PER_BYTE = 1_500;
/** Masking the fields of a body may take this many times as long as decoding it. */
const TIMES_MASKING = 5;
/** A smaller body may take as long as one of this size. */
const LEAST_BYTES = 64 * 1024;

/** Most resources of a request, most scopes, and most spans, log records or metrics. */
export const MAX_MEMBERS = 131_072;

/** Most values of JSON, or fields of protobuf, in a body. */
const MAX_VALUES = 16 * 1024 * 1024;
/**
 * Most fields of protobuf in one span or log record, or in what encloses it, which are read in one piece: each takes up to
 * a tenth of a microsecond.
 */
export const MAX_FIELDS_AT_ONCE = 1_000_000;
/** Most values and keys in a call of native events. */
export const MAX_EVENT_VALUES = 2_000_000;

/** Memory of one span between decoding and its command. */
const SPAN_BYTES = 512;
/** Memory of one log record between decoding and its command. */
const LOG_RECORD_BYTES = 256;

/**
 * Counts what decoding one body takes, before it is taken: time, which depends on the size of the body as received,
 * and memory. A compressed body can stand for a thousand times as much as was sent.
 */
export class DecodeWork {
  private readonly charges: Charges | null;
  private left: number;
  private maskingLeft: number;
  private valuesLeft = MAX_VALUES;

  /** Limits no time without a size, for bodies that the service itself wrote. Limits of counts apply to all. */
  constructor(receivedBytes = Number.POSITIVE_INFINITY, charges: Charges | null = null) {
    this.left = Math.max(LEAST_BYTES, receivedBytes) * NS_PER_BYTE;
    this.maskingLeft = this.left * TIMES_MASKING;
    this.charges = charges;
  }

  /** Most bytes to which the body may inflate. */
  get maxInflatedBytes(): number {
    return Math.floor(this.left / COST.inflatedByte);
  }

  /** Takes time. Throws AppError `too_large` when none is left. */
  spend(nanoseconds: number): void {
    this.left -= nanoseconds;
    if (this.left < 0) throw tooMuchWork();
  }

  /** Takes time for masking. Throws AppError `too_large` when none is left. */
  spendMasking(nanoseconds: number): void {
    this.maskingLeft -= nanoseconds;
    if (this.maskingLeft < 0) throw tooMuchWork();
  }

  /** Takes the time of values, each of the given cost. Throws AppError `too_large`. */
  spendValues(count: number, cost: number): void {
    this.valuesLeft -= count;
    if (this.valuesLeft < 0) throw tooMany('values', MAX_VALUES);
    this.spend(count * cost);
  }

  /** Number of fields of protobuf that may be read in one piece, and for which there is time. */
  get maxFields(): number {
    return Math.min(MAX_FIELDS_AT_ONCE, this.valuesLeft, Math.floor(this.left / COST.value));
  }

  /** Takes the time and the memory of one span. */
  span(): void {
    this.spend(COST.span);
    this.charges?.add(SPAN_BYTES);
  }

  /** Takes the time and the memory of one log record. */
  logRecord(): void {
    this.spend(COST.logRecord);
    this.charges?.add(LOG_RECORD_BYTES);
  }

  /** Takes memory until the request ends. Throws AppError `unavailable` or `too_large`. */
  charge(bytes: number): void {
    this.charges?.add(bytes);
  }

  /** Returns memory that was charged. */
  release(bytes: number): void {
    this.charges?.giveBack(bytes);
  }

  /** Returns the error for a body with more fields than `maxFields`. */
  tooManyFields(): AppError {
    if (this.maxFields === MAX_FIELDS_AT_ONCE) return tooManyFieldsAtOnce();
    return this.left >= this.valuesLeft * COST.value ? tooMany('values', MAX_VALUES) : tooMuchWork();
  }
}

export const tooMuchWork = (): AppError =>
  new AppError(
    'too_large',
    'the body contains too much for its compressed size: decoding it would take more than the limit for each byte received; send smaller batches',
  );

const tooManyFieldsAtOnce = (): AppError =>
  new AppError(
    'too_large',
    `more than ${MAX_FIELDS_AT_ONCE} fields in one span, log record, resource or scope; send fewer values in each`,
  );

/** Returns the error for a request with more than `MAX_MEMBERS` of one kind. */
export const tooMany = (what: string, most = MAX_MEMBERS): AppError =>
  new AppError('too_large', `more than ${most} ${what} in one request; send smaller batches`);
