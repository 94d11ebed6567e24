import { countWords } from '../../measures/words.ts';
import { textAssertion, yesOrNo } from './assertion.ts';
import { countOrRange, isWithin, rangeText } from './values.ts';

export const wordCount = textAssertion({
  passes:
    'the number of words in the output, separated by white space, or in scripts without spaces by the dictionaries of Unicode, is within the bounds',
  score: null,
  example: { value: { min: 1, max: 50 } },
  fields: { value: countOrRange.describe('number, or `{ min, max }`, one or both') },
  check: (output, { value }) => {
    const count = countWords(output);
    return yesOrNo(isWithin(count, value), `the output has ${count} words; expected: ${rangeText(value)}`);
  },
});
