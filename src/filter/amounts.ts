/** Reads the amounts and times of a filter line. Each function returns null for a text that is none. */
import type { FieldKind } from './fields.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
/** Largest amount of any kind, so that no bound overflows. */
const MAX_AMOUNT = 1e15;

const NUMBER = String.raw`(\d{1,15}(?:\.\d{1,9})?|\.\d{1,9})`;
const DURATION = new RegExp(`^${NUMBER}(ms|s|min|m|h|d|w)?$`);
const DOLLARS = new RegExp(`^\\$?${NUMBER}$`);
const COUNT = new RegExp(`^${NUMBER}([kKmM])?$`);

/** Reads a length of time such as `2s`, `500ms` or `1.5min`, in milliseconds; a bare number is milliseconds. */
export function readDuration(text: string): number | null {
  const [, number, unit = 'ms'] = DURATION.exec(text) ?? [];
  return number === undefined ? null : within(Number(number) * (UNITS[unit] ?? 1));
}

function readDollars(text: string): number | null {
  const [, number] = DOLLARS.exec(text) ?? [];
  return number === undefined ? null : within(Number(number));
}

function readCount(text: string): number | null {
  const [, number, unit = ''] = COUNT.exec(text) ?? [];
  const factor = { k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1;
  return number === undefined ? null : within(Number((Number(number) * factor).toFixed(6)));
}

const readShare = (text: string): number | null => {
  const number = readDollars(text);
  return number === null || number > 1 || text.startsWith('$') ? null : number;
};

const within = (amount: number): number | null => (amount <= MAX_AMOUNT ? amount : null);

/** Reads an amount of a kind of field; null also for kinds without amounts. */
export function readAmount(kind: FieldKind, text: string): number | null {
  switch (kind) {
    case 'duration':
    case 'length':
      return readDuration(text);
    case 'dollars':
      return readDollars(text);
    case 'count':
      return readCount(text);
    case 'share':
      return readShare(text);
    default:
      return null;
  }
}

/** Returns the amount as a filter line has it. */
export const amountText = (kind: FieldKind, amount: number): string => {
  const digits = amount.toFixed(9).replace(/\.?0+$/, '');
  return kind === 'duration' || kind === 'length' ? `${digits}ms` : digits;
};

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:\d\d)?)?$/i;
/** Largest time: the year 2262, where nanoseconds exceed 64 bits. */
const MAX_TIME_MS = 9_223_372_036_853;
const DAY_MS = 86_400_000;

/** First and last millisecond of the day, minute, second or millisecond that a text names. */
export interface NamedMoment {
  first: number;
  last: number;
}

/** Reads a day or a moment such as `2026-03-31`, `2026-03-31T10:00` or `2026-03-31T10:00+02:00`; UTC without an offset. */
export function readMoment(text: string): NamedMoment | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const iso = `${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}.${(fraction ?? '').padEnd(3, '0')}${(zone ?? 'Z').toUpperCase()}`;
  const first = Date.parse(iso);
  // Date.parse moves 31 February to March.
  const isOfMonth =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (Number.isNaN(first) || !isOfMonth || first < 0 || first > MAX_TIME_MS) return null;
  const length =
    hour === undefined ? DAY_MS : second === undefined ? 60_000 : fraction === undefined ? 1000 : 1;
  return { first, last: first + length - 1 };
}
