import { isObject } from '../contract/is-object.ts';
import { errorWordsIn, jsonOfBody } from './error-words.ts';
import { isBusyStatus } from './retry.ts';

/** Response headers; names are in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;

/** Request of an endpoint to be called less often. */
export interface SlowDown {
  /** Delay before the next request, in milliseconds; null if the response names none. */
  delayMs: number | null;
  /** True if a quota is used up that waiting does not refill soon: the credit, or the quota of a day or a month. */
  isExhausted: boolean;
}

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
// Repetitions have limits, because the bodies of errors may be long: without them, each digit would begin a search to the end.
const PART =
  /(\d{1,15}(?:\.\d{1,15})?)\s{0,10}(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])/gi;
/** Advice such as `Please retry after 26 seconds` or `Retry in 34.5s`. */
const ADVICE =
  /(?:try again|retry|retrying|wait|resets?)\s{1,10}(?:(?:after|in|for|at least|about)\s{1,10}){0,4}((?:\d{1,15}(?:\.\d{1,15})?\s{0,10}(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])\s{0,10}){1,8})/i;
/** Members of a body that hold a delay, and the unit of their numbers in milliseconds. */
const DELAYS: ReadonlyMap<string, number> = new Map([
  ['retrydelay', 1_000],
  ['retryafter', 1_000],
  ['retryafterseconds', 1_000],
  ['retryaftersecs', 1_000],
  ['retryafterms', 1],
  ['estimatedtime', 1_000],
  ['retryaftermillis', 1],
]);
const EXHAUSTED =
  /insufficient_quota|billing_hard_limit|billing_not_active|credit balance is too low|insufficient (?:credits?|balance|funds)|PerDay\w{0,100}-|free-models-per-day|too many tokens per day|calls \/ month/i;
/** Words by which an endpoint rejects requests as too many with a status that means something else. */
const TOO_MANY =
  /throttling|rate.?limit(?:ed|s)?\b|too many (?:concurrent )?requests|rate exceeded|overloaded_error|(?:server|model|engine|service) is (?:currently |temporarily )?overloaded|capacity (?:exceeded|constraints)/i;
/** Words of a request that alone exceeds the quota of a minute. */
const NEVER_FITS = /request too large for|must be reduced in order to run/i;
const MAX_DEPTH = 6;
const MAX_BODY = 64 * 1024;
/** Most characters of a duration or a date. */
const MAX_DURATION = 100;
/** Least number that is a date in seconds, and in milliseconds, rather than a duration. */
const EPOCH_S = 1e9;
const EPOCH_MS = 1e12;

/** Reads what a response that rejects a request as too frequent says about the next one. `now` is used without a `date` header. */
export function slowDownOf(headers: Headers, body: string, now: number): SlowDown {
  const text = body.slice(0, MAX_BODY);
  const delayMs =
    requestedDelay(headers, now) ??
    ofMembers(jsonOfBody(text), now) ??
    adviceIn(text) ??
    resetOf(headers, now) ??
    soleReset(headers, now);
  return { delayMs, isExhausted: EXHAUSTED.test(text) };
}

/**
 * Reports whether an endpoint rejects a request because they are too many: by its status, or with one that means something else by
 * its headers and words.
 */
export function isRejectedAsTooMany(status: number, headers: Headers, body: string): boolean {
  if (isBusyStatus(status)) return true;
  if (!UNCLEAR.has(status)) return false;
  const isLimited = resetOf(headers, Date.now()) !== null || TOO_MANY.test(headers['x-amzn-errortype'] ?? '');
  const { names, message } = errorWordsIn(body);
  // The message of an invalid request may quote it.
  return isLimited || TOO_MANY.test(status === 400 ? names : `${names} ${message}`);
}

/** Statuses with which some endpoints reject too many requests, and others something else. */
const UNCLEAR: ReadonlySet<number> = new Set([400, 403, 500, 502]);

/** Reports whether a request exceeds the quota of a minute by itself, so that waiting does not help. */
export const isLargerThanQuota = (body: string): boolean => NEVER_FITS.test(body.slice(0, MAX_BODY));

/** Parses `retry-after`, in seconds or as a date, or one of its variants; returns milliseconds, null when there is none. */
export function requestedDelay(headers: Headers, now: number): number | null {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms', 'x-retry-after-ms']) {
    const ms = numberIn(headers[name]);
    if (ms !== null) return ms;
  }
  const clock = clockOf(headers, now);
  for (const name of ['retry-after', 'x-retry-after', 'x-ratelimit-retry-after', 'x-ratelimit-reset-after']) {
    const delay = timeUntil(headers[name], clock);
    if (delay !== null) return delay;
  }
  return null;
}

/** Returns the time until a limit is reset of which a rejection does not report what remains; null when there is none. */
function soleReset(headers: Headers, now: number): number | null {
  const delays = Object.keys(headers).flatMap((name) => {
    const isAlone = name.includes('ratelimit') && name.includes('reset');
    if (!isAlone || headers[name.replace('reset', 'remaining')] !== undefined) return [];
    return timeUntil(headers[name], clockOf(headers, now)) ?? [];
  });
  return delays.length === 0 ? null : Math.max(...delays);
}

/** Returns the time until a limit that a response reports as used up is reset, in milliseconds; null when none is. */
export function resetOf(headers: Headers, now: number): number | null {
  const clock = clockOf(headers, now);
  const delays = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || !name.includes('ratelimit')) return [];
    if (name.includes('remaining')) {
      if (numberIn(value) !== 0) return [];
      return timeUntil(headers[name.replace('remaining', 'reset')], clock) ?? [];
    }
    return name === 'ratelimit' ? (structuredReset(value) ?? []) : [];
  });
  return delays.length === 0 ? null : Math.max(...delays);
}

/** Reads `RateLimit: "default";r=0;t=30`, or `limit=10, remaining=0, reset=30` of earlier drafts of the IETF. */
function structuredReset(value: string): number | null {
  const remaining = /(?:\br|\bremaining)=(\d+)/.exec(value)?.[1];
  const reset = /(?:\bt|\breset)=(\d+)/.exec(value)?.[1];
  return remaining !== undefined && Number(remaining) === 0 && reset !== undefined
    ? Number(reset) * 1_000
    : null;
}

/** Returns the time of the server's clock, which dates in its headers refer to. */
const clockOf = (headers: Headers, now: number): number => {
  const date = Date.parse(headers['date'] ?? '');
  return Number.isNaN(date) ? now : date;
};

/** Parses a duration such as `30`, `1.5s` or `6m0s`, or a time as a date or in seconds or milliseconds since 1970. */
function timeUntil(value: unknown, clock: number): number | null {
  if (typeof value === 'number') return value >= 0 ? ofNumber(value, clock) : null;
  if (typeof value !== 'string' || value.length > MAX_DURATION || value.trim() === '') return null;
  const number = numberIn(value);
  if (number !== null) return ofNumber(number, clock);
  const duration = durationIn(value);
  if (duration !== null) return duration;
  // A negative number would be read as a year.
  if (/^\s*-/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - clock);
}

function ofNumber(number: number, clock: number): number {
  if (number >= EPOCH_MS) return Math.max(0, number - clock);
  return number >= EPOCH_S ? Math.max(0, number * 1_000 - clock) : number * 1_000;
}

const numberIn = (value: string | undefined): number | null =>
  value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null;

/** Parses a text that consists of numbers with units only. */
function durationIn(text: string): number | null {
  let ms = 0;
  const rest = text.replace(PART, (_part, number: string, unit: string) => {
    ms += Number(number) * unitMs(unit);
    return '';
  });
  return rest.trim() === '' && text.trim() !== '' ? ms : null;
}

function unitMs(unit: string): number {
  const lower = unit.toLowerCase();
  return UNITS_MS.get(/^(?:ms|milli)/.test(lower) ? 'ms' : lower.charAt(0)) ?? 0;
}

const adviceIn = (text: string): number | null => {
  const advice = ADVICE.exec(text)?.[1];
  return advice === undefined ? null : durationIn(advice);
};

/** Returns the longest delay that members of a body name, such as Google's `RetryInfo`. */
function ofMembers(value: unknown, now: number, depth = 0): number | null {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return null;
  const found = Object.entries(value).map(([key, member]) => {
    const name = key.toLowerCase().replaceAll(/[-_]/g, '');
    const unit = DELAYS.get(name);
    if (unit !== undefined) return delayOf(member, unit, now);
    if (name === 'headers' && isObject(member)) return ofHeaders(member, now);
    return ofMembers(member, now, depth + 1);
  });
  const delays = found.filter((delay) => delay !== null);
  return delays.length === 0 ? null : Math.max(...delays);
}

/** Returns the delay in a member: a number, a duration, or a duration of protobuf as an object. */
function delayOf(member: unknown, unit: number, now: number): number | null {
  if (isObject(member)) {
    const { seconds = 0, nanos = 0 } = member;
    const ms = Number(seconds) * 1_000 + Number(nanos) / 1e6;
    return Number.isFinite(ms) && ms >= 0 ? ms : null;
  }
  if (unit !== 1) return timeUntil(member, now);
  const ms = Number(member);
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

/** Reads headers of the provider that a gateway repeats in its body. */
function ofHeaders(members: Readonly<Record<string, unknown>>, now: number): number | null {
  const headers = Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name.toLowerCase(), String(value)]] : [],
    ),
  );
  return requestedDelay(headers, now) ?? resetOf(headers, now);
}
