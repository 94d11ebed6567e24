import { z } from 'zod';

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Merges `key[]`, another form of `key`, with it into one list. */
export function normaliseQuery(raw: RawQuery): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const before = query.get(key);
    const all = [before ?? [], value].flat();
    query.set(key, before === undefined && typeof value === 'string' && key === name ? value : all);
  }
  return Object.fromEntries(query);
}

/** Collects the values of a repeated parameter, each of which may be a comma-separated list. */
function toList(value: unknown): unknown {
  if (typeof value !== 'string' && !Array.isArray(value)) return value;
  const parts = [value as string | string[]].flat().flatMap((text) => text.split(','));
  const values = parts.map((part) => part.trim()).filter((part) => part !== '');
  // An empty parameter differs from an absent one: the element's own schema decides about it.
  return values.length > 0 ? values : [''];
}

const MAX_VALUES = 100;

/**
 * Schema of a list in one of the forms `key=a&key=b`, `key[]=a&key[]=b` and `key=a,b`; undefined when the parameter
 * is absent.
 */
export const several = <T extends z.ZodType>(element: T) =>
  z.preprocess(toList, z.array(element).max(MAX_VALUES).optional());

/** Schema of a list in the same forms that a request must have, with at most `max` values. */
export const oneToSeveral = <T extends z.ZodType>(element: T, max: number) =>
  z.preprocess(toList, z.array(element, `must have 1 to ${max} values`).min(1).max(max));

const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(value) ? Number(value) : value;

/** Schema of a whole number written as text. */
export const queryInteger = (min: number, max: number) =>
  z.preprocess(
    asNumber,
    z.int('must be a whole number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`),
  );

/** Schema of a number written as text. */
export const queryNumber = (min: number, max: number) =>
  z.preprocess(
    asNumber,
    z.number('must be a number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`),
  );

/** Returns the number of a percentage, which has the sign or cannot be meant as a share; other texts as they are. */
const asPercent =
  (isShare: boolean) =>
  (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (value.endsWith('%')) return asNumber(value.slice(0, -1).trimEnd());
    return mayBeShare(value, isShare) ? value : asNumber(value);
  };

function mayBeShare(value: unknown, isShare: boolean): boolean {
  const number = asNumber(value);
  return typeof number === 'number' && number > 0 && (number < 1 || (isShare && number === 1));
}

/**
 * Schema of a percentage written as text, by the same rule as the flags of `touchstone test`: below 1 it needs the sign, because 0.6 may be
 * meant as a share. With `isShare`, 1 needs it too.
 */
export const queryPercent = ({ isShare = false } = {}) =>
  z.preprocess(
    asPercent(isShare),
    z
      .number({
        error: ({ input }) =>
          mayBeShare(input, isShare)
            ? `is a percentage, and ${String(input)} may be meant as a share: write ${Number((100 * Number(input)).toPrecision(12))} or ${String(input)}%`
            : 'must be a number',
      })
      .min(0, 'must be at least 0')
      .max(100, 'must be at most 100'),
  );

/** Schema of a text to look for. */
export const searchText = z.string().min(1).max(1_000).optional();

/** Schema of `true` or `false` written as text. */
export const queryBoolean = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean('must be true or false'),
);
