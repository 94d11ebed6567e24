/** Parses JSON in which numbers beyond 2^53, such as long ids, become texts, so that none is rounded. Throws SyntaxError. */
export function exactJson(text: string): unknown {
  if (!MAY_BE_LARGE.test(text)) return JSON.parse(text);
  return JSON.parse(text, exactNumber as (key: string, value: unknown) => unknown);
}

const MAY_BE_LARGE = /\d{16}|\d[eE]\+?\d/;

const exactNumber = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && isTooLarge(value) ? source : value;

/** Reports whether a whole number and its neighbours may be the same number. */
export const isTooLarge = (value: number): boolean => Math.abs(value) > Number.MAX_SAFE_INTEGER;
