import { z } from 'zod';
import { findLanguage, type LanguageFinding, LANGUAGES, SIMILAR_LANGUAGES } from '../../measures/language.ts';
import { textAssertion, yesOrNo } from './assertion.ts';

const known: ReadonlySet<string> = new Set(LANGUAGES);

/** Returns the language of a code such as `de`, `DE` or `pt-BR`. */
function languageOf(code: string): string {
  const [language = ''] = code.trim().toLowerCase().split(/[-_]/, 1);
  return SIMILAR_LANGUAGES[language] ?? language;
}

const code = z
  .string()
  .max(35)
  .transform(languageOf)
  .refine((language) => known.has(language), {
    error: `must be the ISO 639-1 code of a language that is recognised: ${LANGUAGES.join(', ')}`,
  });

const codes = z
  .union([z.string(), z.array(z.string()).min(1).max(LANGUAGES.length)], 'must be a code, or a list of codes')
  .transform((given) => [given].flat())
  .pipe(z.array(code))
  .describe(
    `ISO 639-1 code, or list of codes, one of which is enough, of ${LANGUAGES.join(', ')}; a region such as in \`pt-BR\` does not count, Serbian (sr) is Cyrillic, and ${Object.entries(
      SIMILAR_LANGUAGES,
    )
      .map(([similar, one]) => `${similar} is ${one}`)
      .join(', ')}`,
  );

const NAMES = new Intl.DisplayNames('en', { type: 'language' });
const nameOf = (language: string): string => `${NAMES.of(language)} (${language})`;

export const language = textAssertion({
  passes:
    'most of the output is in one of the languages, by their n-grams; code in fences, addresses and the names of members of JSON do not count. With fewer than 20 letters (5 in scripts such as Chinese or Thai), or between two languages, the check does not count',
  score: null,
  example: { value: 'de' },
  fields: { value: codes },
  check: (output, { value }) => {
    const found = findLanguage(output, new Set(value));
    if (found.is === 'unknown') return { undecided: doubtOf(found) };
    const expected = value.map(nameOf).join(' or ');
    return yesOrNo(
      found.is === 'expected',
      `the output is in ${nameOf(found.language)}; expected: ${expected}`,
    );
  },
});

/** Returns why a language was not recognised. */
function doubtOf(found: Extract<LanguageFinding, { is: 'unknown' }>): string {
  if ('languages' in found)
    return `the output is too short to tell ${found.languages.map(nameOf).join(' from ')}`;
  return found.why === 'short'
    ? `the output is too short to tell its language: ${found.letters} letters`
    : 'the output is in no language that is recognised';
}
