import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
const UNITS: Readonly<Record<string, number>> = { '': 1, KIB, MIB, GIB };

/** One setting of the server. */
export interface Setting<T> {
  meaning: string;
  /** Default as text, as a user would write it; null when there is none. */
  default: string | null;
  example: string;
  /** Allowed values; completes "must be …". */
  allowed: string;
  parse: z.ZodType<T, string>;
  /** True for a secret, which is never shown, even when it is invalid. */
  secret?: true;
}

export const setting = <T>(definition: Setting<T>): Setting<T> => definition;

export const wholeNumber = (min: number, max: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

export const byteSize = (min: number, max: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,12} ?(?:[KMG]iB)?$/i)
    .transform((text) => {
      const [, number = '', unit = ''] = /^(\d+) ?(\w*)$/.exec(text) ?? [];
      return Number(number) * (UNITS[unit.toUpperCase()] ?? 1);
    })
    .pipe(z.number().min(min).max(max));

/** A number from 0 to 1. */
export const share: z.ZodType<number, string> = z
  .string()
  .regex(/^\d(?:\.\d{1,9})?$/)
  .transform(Number)
  .pipe(z.number().max(1));

export const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

/** Headers as in `OTEL_EXPORTER_OTLP_HEADERS`: `name=value`, separated by commas; values are percent-decoded. */
export const headers: z.ZodType<Readonly<Record<string, string>>, string> = commaSeparated.transform(
  (parts, context) => {
    const pairs = parts.map((part) => /^([!#$%&'*+.^_`|~\w-]+) *= *(.*)$/.exec(part)?.slice(1, 3));
    const decoded = pairs.map((pair) => [pair?.[0]?.toLowerCase() ?? '', decode(pair?.[1] ?? '')] as const);
    if (decoded.every(([name, value]) => name !== '' && value !== null && /^[\t\x20-\x7e]+$/.test(value)))
      return Object.freeze(Object.fromEntries(decoded as [string, string][]));
    context.addIssue('no headers');
    return z.NEVER;
  },
);

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const path: z.ZodType<string, string> = z
  .string()
  .min(1)
  .transform((text) => resolve(text));

export const oneOf = <T extends string>(...words: T[]): z.ZodType<T, string> =>
  z.enum(words) as z.ZodType<T, string>;

export const frozen = (parts: string[]): readonly string[] => Object.freeze(parts);

export const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** Reports whether the text is an IP address or a host name. */
export const isHost = (text: string): boolean =>
  isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text);

/** Reports whether a text is a network (`10.0.0.0/8`) or a single address. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
