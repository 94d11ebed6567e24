import { textAssertion, yesOrNo } from './assertion.ts';
import { countOrRange, isWithin, rangeText } from './values.ts';

export const wordCount = textAssertion({
  passes: 'the number of words in the output, separated by white space, is within the bounds',
  score: null,
  example: { value: { min: 1, max: 50 } },
  fields: { value: countOrRange.describe('number, or `{ min, max }`, one or both') },
  check: (output, { value }) => {
    let count = 0;
    for (const _ of output.matchAll(/\S+/g)) count += 1;
    return yesOrNo(isWithin(count, value), `the output has ${count} words; expected: ${rangeText(value)}`);
  },
});
