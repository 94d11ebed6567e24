import { nfc } from '../../../contract/text-forms.ts';
import { includesText } from '../../text-search.ts';
import { type Assertion, type CheckOutcome, quote, quoteAll, textAssertion, yesOrNo } from './assertion.ts';
import { textValue, texts } from './values.ts';

type Fold = (text: string) => string;

const asIs: Fold = nfc;
const lowered: Fold = (given) => asIs(given).toLowerCase();

function one(fold: Fold, how: string): Assertion {
  return textAssertion({
    passes: `the output contains the text${how}`,
    score: null,
    example: { value: 'Paris' },
    fields: { value: textValue },
    check: (output, { value }) => {
      const isThere = includesText(fold(output), fold(value));
      return yesOrNo(isThere, `the output ${isThere ? 'contains' : 'lacks'} ${quote(value)}`);
    },
  });
}

/** Declares a check of many texts. `decide` receives how many of them the output contains. */
function many(passes: string, fold: Fold, decide: (found: number, of: number) => boolean): Assertion {
  return textAssertion({
    passes,
    score: null,
    example: { value: ['Paris', 'France'] },
    fields: { value: texts },
    check: (output, { value }): CheckOutcome => {
      const folded = fold(output);
      const found = value.filter((wanted) => includesText(folded, fold(wanted)));
      const missing = value.filter((wanted) => !found.includes(wanted));
      const seen = [
        ...(found.length > 0 ? [`contains ${quoteAll(found)}`] : []),
        ...(missing.length > 0 ? [`lacks ${quoteAll(missing)}`] : []),
      ];
      return yesOrNo(decide(found.length, value.length), `the output ${seen.join(' and ')}`);
    },
  });
}

const any = (found: number): boolean => found > 0;
const all = (found: number, of: number): boolean => found === of;
const none = (found: number): boolean => found === 0;

export const contains = one(asIs, '');
export const icontains = one(lowered, ', upper or lower case');
export const containsAny = many('the output contains at least one of the texts', asIs, any);
export const icontainsAny = many('as `contains-any`, upper or lower case', lowered, any);
export const containsAll = many('the output contains all of the texts', asIs, all);
export const icontainsAll = many('as `contains-all`, upper or lower case', lowered, all);
export const containsNone = many('the output contains none of the texts', asIs, none);

export const startsWith = textAssertion({
  passes: 'the output begins with the text',
  score: null,
  example: { value: 'Paris' },
  fields: { value: textValue },
  check: (output, { value }) =>
    yesOrNo(output.startsWith(asIs(value)), `the output begins ${quote(output.slice(0, value.length))}`),
});
