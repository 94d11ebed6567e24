/** Longest name of a model or provider that is looked up, in UTF-16 units. */
export const MAX_NAME = 256;

/**
 * A gateway, host, region or vendor before a name: `azure/`, `models/`, `openai:`, `us.`, `anthropic.`.
 * Not `ft:`, since a fine-tuned model has prices of its own.
 */
const PREFIX = /^(?:.*\/|(?!ft:)[a-z][a-z_-]*:|[a-z][a-z-]*\.(?=[a-z]))/i;

/** A release, alias or variant after a name that leaves the model what it is. */
const SUFFIX = new RegExp(
  `(?:${[
    '[@-]latest|@default|:thinking|:beta|:free|-preview',
    '[@-]\\d{8}|-\\d{4}-\\d\\d-\\d\\d|-\\d\\d-\\d\\d|-\\d\\d-\\d{4}',
    '[@-]\\d{3}|-v\\d+|:\\d+k?',
    '(?<=^ft:[^:]*):.*',
  ].join('|')})$`,
  'i',
);

const MAX_STRIPS = 4;

/**
 * The names that a model may stand in a price table under, the most specific first:
 * `bedrock/us.anthropic.claude-3-5-haiku-20241022-v1:0` … `claude-3-5-haiku`.
 */
export function spellings(name: string): string[] {
  return stripped(name, PREFIX).flatMap((rest) => stripped(rest, SUFFIX));
}

/** `text`, and what remains of it after each removal of `pattern`. */
function stripped(text: string, pattern: RegExp): string[] {
  const texts = [text];
  for (let last = text; texts.length <= MAX_STRIPS; texts.push(last)) {
    const shorter = last.replace(pattern, '');
    if (shorter === last || shorter === '') break;
    last = shorter;
  }
  return texts;
}

/** One form for names that differ in case or write versions in two ways: `Claude-3.5-Haiku`, `claude-3-5-haiku`. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/(?<=\d)\.(?=\d)/g, '-');
}
