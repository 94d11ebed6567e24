/** Last nanosecond that an int64 can represent: 2262-04-11T23:47:16.854775807Z. */
export const MAX_TIMESTAMP = 2n ** 63n - 1n;

const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;
const NS_PER_MINUTE = 60n * NS_PER_SECOND;
const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Converts an ISO 8601 text, or milliseconds as a number, to Unix nanoseconds. Defaults to UTC without an offset and
 * to midnight without a time; digits beyond nanoseconds are dropped. Returns null for an invalid time and outside
 * 1970 to 2262.
 */
export function parseTimestamp(value: string | number): bigint | null {
  const nanoseconds = typeof value === 'number' ? fromMilliseconds(value) : fromIso(value);
  return nanoseconds !== null && nanoseconds >= 0n && nanoseconds <= MAX_TIMESTAMP ? nanoseconds : null;
}

function fromMilliseconds(value: number): bigint | null {
  if (!Number.isFinite(value)) return null;
  const whole = Math.floor(value);
  return BigInt(whole) * NS_PER_MS + BigInt(Math.round((value - whole) * 1e6));
}

function fromIso(text: string): bigint | null {
  const match = ISO_8601.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Date.UTC reads years below 100 as those of the twentieth century.
  if (year < 1969) return null;
  if (day === 0 || day > daysOfMonth(year, month) || hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(match[8]);
  if (offset === null) return null;
  const fraction = (match[7] ?? '').slice(0, 9).padEnd(9, '0');
  const milliseconds = BigInt(Date.UTC(year, month - 1, day, hour, minute, second));
  return milliseconds * NS_PER_MS + BigInt(fraction) - BigInt(offset) * NS_PER_MINUTE;
}

/** Returns the number of days of a month; 0 for an invalid month. */
function daysOfMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

function offsetMinutes(offset: string | undefined): number | null {
  if (offset === undefined || offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
