import { z } from 'zod';
import { compile, IS_PATTERN, patternText, regularExpression } from '../../pattern.ts';
import { quote, textAssertion, yesOrNo } from './assertion.ts';

const expression = z
  .union(
    [patternText.refine((pattern) => compile({ pattern }) !== null, IS_PATTERN), regularExpression],
    'must be a regular expression, or `{ pattern, flags }` of one',
  )
  .transform((given) => (typeof given === 'string' ? { pattern: given } : given))
  .describe('pattern, or `{ pattern, flags }` with some of the flags `gimsuv`');

export const regex = textAssertion({
  passes: 'the regular expression (JavaScript) matches a part of the output',
  score: null,
  example: { value: { pattern: '^paris\\b', flags: 'i' } },
  fields: { value: expression },
  check: (output, { value }) => {
    const compiled = compile(value);
    if (compiled === null) return { lacks: 'the pattern is not a regular expression' };
    const [match] = compiled.exec(output) ?? [];
    return yesOrNo(
      match !== undefined,
      match === undefined ? 'the pattern matches nothing' : `the pattern matches ${quote(match)}`,
    );
  },
});
