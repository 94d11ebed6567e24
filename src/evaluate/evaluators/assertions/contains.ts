import { containsText, nfc } from '../../text-search.ts';
import { type Assertion, type Finding, quote, quoteAll, textAssertion, yesOrNo } from './assertion.ts';
import { text, texts } from './values.ts';

type Fold = (text: string) => string;

const asIs: Fold = nfc;
const lowered: Fold = (given) => asIs(given).toLowerCase();

function one(fold: Fold, how: string): Assertion {
  return textAssertion({
    passes: `the output contains the text${how}`,
    score: null,
    example: { value: 'Paris' },
    fields: { value: text },
    check: (output, { value }) => {
      const isThere = containsText(fold(output), fold(value));
      return yesOrNo(isThere, `the output ${isThere ? 'contains' : 'lacks'} ${quote(value)}`);
    },
  });
}

/** Declares a check of many texts. `decide` receives how many of them the output contains. */
function many(passes: string, fold: Fold, decide: (there: number, of: number) => boolean): Assertion {
  return textAssertion({
    passes,
    score: null,
    example: { value: ['Paris', 'France'] },
    fields: { value: texts },
    check: (output, { value }): Finding => {
      const folded = fold(output);
      const there = value.filter((wanted) => containsText(folded, fold(wanted)));
      const missing = value.filter((wanted) => !there.includes(wanted));
      const seen = [
        ...(there.length > 0 ? [`contains ${quoteAll(there)}`] : []),
        ...(missing.length > 0 ? [`lacks ${quoteAll(missing)}`] : []),
      ];
      return yesOrNo(decide(there.length, value.length), `the output ${seen.join(' and ')}`);
    },
  });
}

const any = (there: number): boolean => there > 0;
const all = (there: number, of: number): boolean => there === of;
const none = (there: number): boolean => there === 0;

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
  fields: { value: text },
  check: (output, { value }) =>
    yesOrNo(output.startsWith(asIs(value)), `the output begins ${quote(output.slice(0, value.length))}`),
});
