import { z } from 'zod';
import { type Decimal, type NumberToken, numbersInText } from '../../numbers-in-text.ts';
import { quote, textAssertion, yesOrNo } from './assertion.ts';

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
    'the last number in the output, or the first by `pick`, equals `value`, within the margins. `1,234.50` and `1.234,50` are read right, as are `1,23,45,678`, `$9{,}500`, `.5`, `10 000`, `1.5 × 10^3`, `1½`, `3/4`, `5k`, `$5M`, `5 million` and digits of other scripts; of `1.234` and `1,5`, `decimal` decides which is a fraction. A number is read completely or not at all: `1,5` is none without `decimal`, nor is the version `1.2.3`, a date, a time, `300K` (thousands or kelvin) or, without `decimal: ","`, `100 200 300` (a list or one number). In `42 (see section 3)` the last number is 3',
  score: null,
  example: { value: { value: 42, relative: 0.01 } },
  fields: { value: wanted },
  check: (output, { value: { value, absolute = 0, relative = 0, decimal = '.', pick = 'last' } }) => {
    const found = numberIn(output, decimal, pick);
    if (found === null) return { lacks: 'the output contains no number' };
    if (found.value === null)
      return { lacks: `the output has ${quote(found.text)}, which cannot be read as one number` };
    const most = Math.max(absolute, relative * Math.abs(value));
    // A difference of doubles is imprecise by the last digit of the larger one.
    const noise = Number.EPSILON * (Math.abs(value) + most);
    return yesOrNo(
      Math.abs(found.value - value) <= most + noise,
      `the output has ${found.value}; expected: ${value} ± ${most}`,
    );
  },
});

function numberIn(text: string, decimal: Decimal, pick: 'first' | 'last'): NumberToken | null {
  let found: NumberToken | null = null;
  for (const token of numbersInText(text, decimal)) {
    found = token;
    if (pick === 'first') break;
  }
  return found;
}
