import { z } from 'zod';
import { textAssertion, yesOrNo } from './assertion.ts';

/** Matches numbers. A sign counts only when no word or number precedes it, unlike in `2024-05`. */
const NUMBERS =
  /(?:(?<![\p{L}\p{N}])[-+\u2212])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[-+]?\d+(?![\p{L}\p{N}]))?/giu;

const margin = z.number().min(0).optional();
const wanted = z
  .union(
    [z.number(), z.strictObject({ value: z.number(), absolute: margin, relative: margin })],
    'must be a number, or `{ value, absolute, relative }`',
  )
  .transform((given) => (typeof given === 'number' ? { value: given } : given))
  .describe(
    'number, or `{ value, absolute, relative }`: the larger of the two margins counts, `relative` is a share of `value`',
  );

export const numeric = textAssertion({
  passes:
    'the last number in the output equals `value`, within the margins; commas may separate thousands, a point begins the fraction',
  score: null,
  example: { value: { value: 42, relative: 0.01 } },
  fields: { value: wanted },
  check: (output, { value: { value, absolute = 0, relative = 0 } }) => {
    const found = lastNumber(output);
    if (found === null) return { lacks: 'the output contains no number' };
    const most = Math.max(absolute, relative * Math.abs(value));
    // A difference of doubles is imprecise by the last digit of the larger one.
    const noise = Number.EPSILON * (Math.abs(value) + most);
    return yesOrNo(
      Math.abs(found - value) <= most + noise,
      `the output has ${found}; expected: ${value} ± ${most}`,
    );
  },
});

function lastNumber(text: string): number | null {
  let last: string | null = null;
  for (const [number] of text.matchAll(NUMBERS)) last = number;
  return last === null ? null : Number(last.replaceAll(',', '').replace('\u2212', '-'));
}
