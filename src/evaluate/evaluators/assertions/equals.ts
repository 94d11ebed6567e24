import { isDeepStrictEqual } from 'node:util';
import { textOf } from '../../subject.ts';
import { nfc } from '../../../contract/text-forms.ts';
import { assertion, NO_OUTPUT, quote, yesOrNo } from './assertion.ts';
import { jsonIn } from './find-json.ts';
import { jsonValue } from './values.ts';

export const equals = assertion({
  passes:
    'the output equals the text after Unicode NFC normalisation; for other JSON in `value`: the output, parsed as JSON, equals it in any order of keys',
  score: null,
  example: { value: 'Paris' },
  fields: { value: jsonValue.describe('text, or other JSON') },
  reads: ['output'],
  check: ({ output }, { value }) => {
    const text = textOf(output);
    if (text === null) return NO_OUTPUT;
    const isEqual =
      typeof value === 'string'
        ? nfc(text) === nfc(value)
        : isDeepStrictEqual(typeof output === 'string' ? jsonIn(output) : output, value);
    return yesOrNo(isEqual, `the output is ${quote(text)}`);
  },
});
