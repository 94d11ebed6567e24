import { z } from 'zod';
import { nfc } from './text-forms.ts';

/** Schema of a uuid as the interface defines it; upper case becomes lower case. */
export const uuid = z.string().toLowerCase().check(z.uuid('must be a UUID'));

const HEX = '[0-9a-fA-F]';
/** Pattern of a UUID as the interface defines it, or of 32 hex digits. */
const TRACE_ID = `^(?:${HEX}{32}|${HEX}{8}-${HEX}{4}-[1-8]${HEX}{3}-[89abAB]${HEX}{3}-${HEX}{12}|0{8}-0{4}-0{4}-0{4}-0{12}|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$`;

/** Schema of a title, a name or the identifier of a person, in NFC. */
export const shortText = z.string().trim().min(1).max(256).overwrite(nfc);

/** Schema of a key that callers choose, in NFC but otherwise as given. */
export const textKey = (maxCharacters: number) => z.string().min(1).max(maxCharacters).overwrite(nfc);

/** Schema of a trace id: a uuid, or 32 hex digits as OpenTelemetry writes them. */
export const traceId = z
  .string()
  .toLowerCase()
  .refine((id) => /^[0-9a-f]{32}$/.test(id) || z.uuid().safeParse(id).success, {
    error: 'must be a trace id: a UUID or 32 hex digits',
    params: { code: 'invalid_string' },
  })
  .meta({ pattern: TRACE_ID, description: 'A UUID, or the 32 hex digits of OpenTelemetry.' });

/** Schema of a time in a response: ISO 8601 in UTC, ending in `Z`, with any number of fractional digits. */
export const dateTime = z.iso.datetime(
  'must be an ISO 8601 time with Z or an offset, such as 2026-01-31T12:00:00.123Z',
);

/**
 * Schema of a time in a request: ISO 8601, ending in `Z` or an offset, which becomes UTC. A query may contain the `+` of an
 * offset unescaped, which means a space there.
 */
export const givenTime = z.preprocess(toUtc, dateTime);

const withOffset = z.iso.datetime({ offset: true });

function toUtc(value: unknown): unknown {
  if (typeof value !== 'string' || value.endsWith('Z')) return value;
  const text = value.replace(/ (?=\d\d:\d\d$)/, '+');
  return withOffset.safeParse(text).success ? isoTime(Date.parse(text)) : value;
}

/** Converts Unix milliseconds to the form used in the API. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
