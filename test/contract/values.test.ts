import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { dateTime, givenTime, isoTime, traceId, uuid } from '../../src/contract/values.ts';

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

describe('uuid', () => {
  it.each([
    '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '7f1d8a52-6c1b-1f0e-8a43-2d5b8c7e1f60',
    '7f1d8a52-6c1b-8f0e-ba43-2d5b8c7e1f60',
  ])('takes %s in either case, and gives it in lower case', (text) => {
    expect(uuid.parse(text)).toBe(text);
    expect(uuid.parse(text.toUpperCase())).toBe(text);
  });

  it.each([
    '',
    '7f1d8a52-6c1b-0f0e-9a43-2d5b8c7e1f60',
    '7f1d8a52-6c1b-9f0e-9a43-2d5b8c7e1f60',
    '7f1d8a52-6c1b-4f0e-7a43-2d5b8c7e1f60',
    '7f1d8a526c1b4f0e9a432d5b8c7e1f60',
    '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60\n',
    ' 7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
    '{7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60}',
    7,
    null,
  ])('does not take %j', (text) => {
    expect(accepts(uuid, text)).toBe(false);
  });
});

describe('a trace id', () => {
  it.each([
    ['7F1D8A52-6C1B-4F0E-9A43-2D5B8C7E1F60', '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60'],
    ['0AF7651916CD43DD8448EB211C80319C', '0af7651916cd43dd8448eb211c80319c'],
  ])('is a uuid or 32 hex digits: %s', (text, id) => {
    expect(traceId.parse(text)).toBe(id);
  });
  it.each(['0af7651916cd43dd8448eb211c80319', '0af7651916cd43dd8448eb211c80319cc', 'g'.repeat(32), ''])(
    'is not %j',
    (text) => {
      expect(accepts(traceId, text)).toBe(false);
    },
  );
});

describe('a date-time', () => {
  it.each([
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.1Z',
    '2026-01-31T12:00:00.123456789Z',
    '2024-02-29T00:00:00Z',
  ])('may be %s', (text) => {
    expect(dateTime.parse(text)).toBe(text);
  });
  it.each([
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31T12:00:00+00:00',
    '2026-01-31 12:00:00Z',
    '2026-02-30T12:00:00Z',
    '2026-13-01T00:00:00Z',
    '1700000000000',
  ])('may not be %s', (text) => {
    expect(accepts(dateTime, text)).toBe(false);
  });
  it('is what milliseconds are shown as', () => {
    expect(accepts(dateTime, isoTime(1_700_000_000_123))).toBe(true);
  });
});

describe('a time in a request', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456789Z'],
    ['2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+05:30', '2026-01-31T06:30:00.000Z'],
    ['2026-01-01T00:30:00-01:00', '2026-01-01T01:30:00.000Z'],
    // A `+` that a query did not escape.
    ['2026-01-31T12:00:00 02:00', '2026-01-31T10:00:00.000Z'],
  ])('may have an offset: %s', (text, utc) => {
    expect(givenTime.parse(text)).toBe(utc);
  });

  it.each(['2026-01-31', '2026-01-31T12:00:00', '2026-02-31T12:00:00Z', '2026-01-31T12:00:00+2', 'now', ''])(
    'must be complete and exist: %j',
    (text) => {
      expect(givenTime.safeParse(text).success).toBe(false);
    },
  );
});
