/** Most characters that are parsed; RFC 9309 requires at least 500 KiB. */
const MAX_LENGTH = 512 * 1024;

/** Limits of rules with wildcards, which take time for each URL; further or longer ones are ignored. */
const MAX_WILDCARD_RULES = 500;
const MAX_WILDCARD_RULE = 256;

interface Rule {
  allows: boolean;
  /** Length of the pattern: the longer it is, the more specific. */
  length: number;
  /** Pieces between its asterisks; the path begins with the first. */
  pieces: readonly string[];
  /** True if the last piece must be at the end of the path. */
  isEnd: boolean;
}

export interface Robots {
  /** Reports whether a path with its query may be fetched. */
  allows: (path: string) => boolean;
  /** Sitemaps of the site, as written. */
  sitemaps: readonly string[];
}

/** Parses robots.txt (RFC 9309) for the crawler `agent`, a name in lower case. */
export function readRobots(text: string, agent: string): Robots {
  const sitemaps: string[] = [];
  const ours: Rule[] = [];
  const everybodys: Rule[] = [];
  let isNamed = false;
  let group = { isOurs: false, isEverybodys: false };
  let isAgentLine = false;
  for (const line of wholeLines(text).split(/\r\n|\r|\n/)) {
    const [field, value] = fieldOf(line);
    if (field === 'sitemap') sitemaps.push(value);
    if (field === 'user-agent') {
      // A list of agents ends only with the first rule for them.
      if (!isAgentLine) group = { isOurs: false, isEverybodys: false };
      const name = nameOf(value);
      group.isOurs ||= name === agent;
      group.isEverybodys ||= name === '*';
      isNamed ||= group.isOurs;
      isAgentLine = true;
    }
    if (field !== 'allow' && field !== 'disallow') continue;
    isAgentLine = false;
    if (value === '') continue;
    const rule = readRule(value, field === 'allow');
    if (group.isOurs) ours.push(rule);
    if (group.isEverybodys) everybodys.push(rule);
  }
  const rules = mostSpecificFirst(isNamed ? ours : everybodys);
  return {
    sitemaps,
    allows: (path) => {
      const wanted = encoded(path);
      return rules.find((rule) => matches(rule, wanted))?.allows ?? true;
    },
  };
}

/** Returns the complete lines of a text that is too long, because a truncated rule has another meaning. */
function wholeLines(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const end = Math.max(text.lastIndexOf('\n', MAX_LENGTH - 1), text.lastIndexOf('\r', MAX_LENGTH - 1));
  return text.slice(0, end + 1);
}

function fieldOf(line: string): [field: string, value: string] {
  const content = line.split('#', 1)[0] ?? '';
  const colon = content.indexOf(':');
  if (colon < 0) return ['', ''];
  return [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
}

/** Returns the name of an agent without its version. */
const nameOf = (agent: string): string => agent.toLowerCase().split(/[\s/]/, 1)[0] ?? '';

function readRule(pattern: string, allows: boolean): Rule {
  const isEnd = pattern.endsWith('$');
  const pieces = encoded(isEnd ? pattern.slice(0, -1) : pattern).split('*');
  return { allows, length: pattern.length, pieces, isEnd };
}

/** Sorts rules by specificity; of two equally specific rules the one that allows is first. */
function mostSpecificFirst(rules: readonly Rule[]): Rule[] {
  let wildcards = 0;
  return rules
    .filter(
      ({ pieces, length }) =>
        pieces.length === 1 || (length <= MAX_WILDCARD_RULE && ++wildcards <= MAX_WILDCARD_RULES),
    )
    .toSorted((a, b) => b.length - a.length || Number(b.allows) - Number(a.allows));
}

function matches({ pieces, isEnd }: Rule, path: string): boolean {
  const [first = '', ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, piece] of rest.entries()) {
    if (isEnd && index === rest.length - 1) return path.length - piece.length >= at && path.endsWith(piece);
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !isEnd || at === path.length;
}

/** Normalises the encoding of paths and patterns so that they can be compared. */
function encoded(path: string): string {
  return path
    .replaceAll(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character.toWellFormed()))
    .replaceAll(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
}
