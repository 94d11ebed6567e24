import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TIMESTAMP, parseTimestamp } from '../../../src/ingest/events/timestamp.ts';

const MINUTE = 60_000_000_000n;
const NOON = 1_769_860_800_000_000_000n;
const LAST_MS = Number(MAX_TIMESTAMP / 1_000_000n);

describe('parseTimestamp', () => {
  it.each<[rule: string, value: string | number, expected: bigint]>([
    ['UTC', '2026-01-31T12:00:00Z', NOON],
    ['no offset as UTC', '2026-01-31T12:00:00', NOON],
    ['lower-case t and z', '2026-01-31t12:00:00z', NOON],
    ['a space for T', '2026-01-31 12:00:00', NOON],
    ['no seconds', '2026-01-31T12:00Z', NOON],
    ['a date alone as midnight', '2026-01-31', NOON - 720n * MINUTE],
    ['an offset east', '2026-01-31T12:00:00+05:30', NOON - 330n * MINUTE],
    ['an offset west', '2026-01-31T12:00:00-08:00', NOON + 480n * MINUTE],
    ['an offset without colon', '2026-01-31T12:00:00-0830', NOON + 510n * MINUTE],
    ['an offset of hours', '2026-01-31T12:00:00+01', NOON - 60n * MINUTE],
    ['an offset that leads to another day', '2026-02-01T01:00:00+13:00', NOON],
    ['a fraction', '2026-01-31T12:00:00.5Z', NOON + 500_000_000n],
    ['a fraction after a comma', '2026-01-31T12:00:00,25Z', NOON + 250_000_000n],
    ['nanoseconds', '2026-01-31T12:00:00.123456789Z', NOON + 123_456_789n],
    ['further digits, cut', '2026-01-31T12:00:00.1234567899999Z', NOON + 123_456_789n],
    ['a leap day', '2024-02-29T00:00:00Z', 1_709_164_800_000_000_000n],
    ['the last moment', '2262-04-11T23:47:16.854775807Z', MAX_TIMESTAMP],
    ['the last hours of 1969, west of London', '1969-12-31T23:00:00-02:00', 60n * MINUTE],
    ['the first moment', '1970-01-01T00:00:00Z', 0n],
    ['milliseconds', 1_769_860_800_123, NOON + 123_000_000n],
    ['fractions of milliseconds', 1_769_860_800_000.5, NOON + 500_000n],
    ['0', 0, 0n],
  ])('takes %s', (_definition, value, expected) => {
    expect(parseTimestamp(value)).toBe(expected);
  });

  it.each<[rule: string, value: string | number]>([
    ['no text', ''],
    ['another text', 'yesterday'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February of no leap year', '2100-02-29'],
    ['31 April', '2026-04-31'],
    ['day 0', '2026-01-00'],
    ['month 0', '2026-00-10'],
    ['month 13', '2026-13-01'],
    ['hour 24', '2026-01-31T24:00:00Z'],
    ['minute 60', '2026-01-31T12:60:00Z'],
    ['second 60', '2026-01-31T12:00:60Z'],
    ['an offset of 24 hours', '2026-01-31T12:00:00+24:00'],
    ['an offset of 60 minutes', '2026-01-31T12:00:00+01:60'],
    ['text around it', ' 2026-01-31'],
    ['a line after it', '2026-01-31\n'],
    ['digits as text', '1769860800000'],
    ['a fraction without digits', '2026-01-31T12:00:00.Z'],
    ['an offset without a time', '2026-01-31Z'],
    ['a moment before 1970', '1969-12-31T23:59:59.999999999Z'],
    ['a year of two digits', '0099-01-01'],
    ['a moment that its offset brings before 1970', '1970-01-01T00:00:00+00:01'],
    ['a moment after the last', '2262-04-11T23:47:16.854775808Z'],
    ['negative milliseconds', -0.001],
    ['milliseconds after the last', 9_223_372_036_855],
    ['a number too large', 1e300],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
  ])('rejects %s', (_definition, value) => {
    expect(parseTimestamp(value)).toBeNull();
  });

  const milliseconds = fc.integer({ min: 0, max: LAST_MS });
  const nanoseconds = fc.integer({ min: 0, max: 999_999_999 }).map((n) => String(n).padStart(9, '0'));

  it('reads what Date writes', () => {
    fc.assert(
      fc.property(milliseconds, (ms) => {
        const expected = BigInt(ms) * 1_000_000n;
        expect(parseTimestamp(new Date(ms).toISOString())).toBe(expected);
        expect(parseTimestamp(ms)).toBe(expected);
      }),
    );
  });

  it('keeps every nanosecond, whatever comes after it', () => {
    fc.assert(
      fc.property(milliseconds, nanoseconds, fc.stringMatching(/^\d{0,5}$/), (ms, fraction, rest) => {
        const second = new Date(ms - (ms % 1000)).toISOString().slice(0, 19);
        const expected = BigInt(ms - (ms % 1000)) * 1_000_000n + BigInt(fraction);
        fc.pre(expected <= MAX_TIMESTAMP);
        expect(parseTimestamp(`${second}.${fraction}${rest}Z`)).toBe(expected);
      }),
    );
  });

  it('gives one moment for each way to write its offset', () => {
    const offset = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(fc.integer({ min: 86_400_000, max: LAST_MS - 86_400_000 }), offset, (ms, minutes) => {
        const local = new Date(ms + minutes * 60_000).toISOString().slice(0, 23);
        const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const sign = minutes < 0 ? '-' : '+';
        const written = `${sign}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
        expect(parseTimestamp(local + written)).toBe(BigInt(ms) * 1_000_000n);
      }),
    );
  });

  it('agrees with Date on which days there are', () => {
    const part = fc.integer({ min: 0, max: 40 }).map((n) => String(n).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2261 }), part, part, (year, month, day) => {
        const text = `${year}-${month}-${day}`;
        const date = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
        expect(parseTimestamp(text) !== null).toBe(exists);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double()), (value) => {
        const time = parseTimestamp(value);
        expect(time === null || (time >= 0n && time <= MAX_TIMESTAMP)).toBe(true);
      }),
    );
  });
});
