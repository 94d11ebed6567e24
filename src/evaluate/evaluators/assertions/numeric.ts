import { z } from 'zod';
import { textAssertion, yesOrNo } from './assertion.ts';

type Decimal = '.' | ',';

/** A sign counts only when no word or number precedes it, unlike in `2024-05`. */
const SIGN = '(?:(?<![\\p{L}\\p{N}])[-+\\u2212])?';
const EXPONENT = '(?:e[-+]?\\d+(?![\\p{L}\\p{N}]))?';
/** Separators of thousands in every style; a space could separate two numbers. */
const SPACES = "'\\u2019\\u00a0\\u202f";

/**
 * Returns the pattern of numbers with this sign before the fraction. A number with both signs is read right in either
 * style: the last one begins its fraction.
 */
function numbersWith(decimal: Decimal): RegExp {
  const [point, thousands] = decimal === '.' ? ['\\.', ','] : [',', '\\.'];
  const other = `(?<other>\\d{1,3}(?:[${point}${SPACES}]\\d{3})+${thousands}\\d+)(?![\\d.,]*\\d)`;
  const own = `(?:\\d{1,3}(?:[${thousands}${SPACES}]\\d{3})+(?!\\d)|\\d+)(?:${point}\\d+)?`;
  return new RegExp(`${SIGN}(?:${other}|${own})${EXPONENT}`, 'giu');
}

const NUMBERS = { '.': numbersWith('.'), ',': numbersWith(',') } as const;
const OTHER = { '.': ',', ',': '.' } as const;

const margin = z.number().min(0).optional();
const wanted = z
  .union(
    [
      z.number(),
      z.strictObject({
        value: z.number(),
        absolute: margin,
        relative: margin,
        decimal: z.enum(['.', ',']).optional(),
        pick: z.enum(['first', 'last']).optional(),
      }),
    ],
    'must be a number, or `{ value, absolute, relative, decimal, pick }`',
  )
  .transform((given) => (typeof given === 'number' ? { value: given } : given))
  .describe(
    'number, or `{ value, absolute, relative, decimal, pick }`: the larger of the two margins counts, `relative` is a share of `value`; `decimal` (`.` or `,`, default `.`) begins the fraction; `pick` (`last` or `first`, default `last`)',
  );

export const numeric = textAssertion({
  passes:
    'the last number in the output, or the first by `pick`, equals `value`, within the margins. `1,234.50` and `1.234,50` are read right; of `1.234` and `1,5`, `decimal` decides which is a fraction. In `42 (see section 3)` the last number is 3',
  score: null,
  example: { value: { value: 42, relative: 0.01 } },
  fields: { value: wanted },
  check: (output, { value: { value, absolute = 0, relative = 0, decimal = '.', pick = 'last' } }) => {
    const found = numberIn(output, decimal, pick);
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

function numberIn(text: string, decimal: Decimal, pick: 'first' | 'last'): number | null {
  let found: RegExpExecArray | null = null;
  for (const match of text.matchAll(NUMBERS[decimal])) {
    found = match;
    if (pick === 'first') break;
  }
  if (found === null) return null;
  const point = found.groups?.['other'] === undefined ? decimal : OTHER[decimal];
  const plain = found[0].replaceAll(
    point === '.' ? /[,'\u2019\u00a0\u202f]/g : /[.'\u2019\u00a0\u202f]/g,
    '',
  );
  return Number(plain.replace(',', '.').replace('\u2212', '-'));
}
