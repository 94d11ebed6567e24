/** Longest name of a model or provider that is looked up, in UTF-16 units. */
export const MAX_NAME = 256;

/**
 * Pattern of a gateway, host, region or vendor in front of a name: `azure/`, `models/`, `openai:`, `us.`,
 * `anthropic.`. Not `ft:`, because a fine-tuned model has prices of its own.
 */
const PREFIX = /^(?:.*\/|(?!ft:)[a-z][a-z_-]*:|[a-z][a-z-]*\.(?=[a-z])|[a-z]+--|databricks-)/i;

/** Pattern of a release, alias or variant after a name that does not change the model. */
const SUFFIX = new RegExp(
  `(?:${[
    '[@:-]latest|@default|:(?:thinking|beta|free|online|nitro|floor|extended|exacto)|-preview',
    '\\[\\d+[km]\\]|(?<=^(?:claude|gemini)-.*)-thinking',
    '(?<=^(?:gpt-5|o\\d|claude|gemini|grok).*)-(?:minimal|low|medium|high|xhigh)',
    '-\\d:\\d+',
    '[@-]\\d{8}|-\\d{4}-\\d\\d-\\d\\d|-\\d\\d-\\d\\d|-\\d\\d-\\d{4}',
    '[@-]\\d{3}|-v\\d+|:\\d+k?',
    '(?<=^ft:[^:]*):.*',
  ].join('|')})$`,
  'i',
);

const MAX_STRIPS = 4;

/**
 * Returns the names under which a model may be in a price table, the most specific first:
 * `bedrock/us.anthropic.claude-3-5-haiku-20241022-v1:0` … `claude-3-5-haiku`.
 */
export function spellings(name: string): string[] {
  const names = stripped(name, PREFIX).flatMap((rest) => stripped(dateLast(rest), SUFFIX));
  return [...names, ...names.flatMap((known) => versionLast(known) ?? [])];
}

/** Returns `gpt-4o-2024-05-13` for `2024-05-13-gpt-4o`: a release may have a price of its own. */
const dateLast = (name: string): string =>
  name.replace(/^(20\d{6}|20\d\d-\d\d-\d\d)[-_.@:]([a-z].*)$/i, '$2-$1');

/** Returns `claude-sonnet-4-5` for `claude-4-5-sonnet`: the order of words that names had before version 4. */
function versionLast(name: string): string | null {
  const [, version, family] = /^claude-([4-9](?:[.-]\d)?)-(opus|sonnet|haiku)$/i.exec(name) ?? [];
  return version === undefined || family === undefined ? null : `claude-${family}-${version}`;
}

/** Returns `text`, and the rest of it after each removal of `pattern`. */
function stripped(text: string, pattern: RegExp): string[] {
  const texts = [text];
  for (let last = text; texts.length <= MAX_STRIPS; texts.push(last)) {
    const shorter = last.replace(pattern, '');
    if (shorter === last || shorter === '') break;
    last = shorter;
  }
  return texts;
}

/** Normalises names that differ in case or in the form of versions: `Claude-3.5-Haiku`, `claude-3-5-haiku`. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/(?<=\d)\.(?=\d)/g, '-');
}
