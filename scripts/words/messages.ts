/** Words without which two messages still report the same fault. */
const FILLERS = new Set(
  'a an the is are was were be been has have had it its this that there of to for in on at by with and or not no'.split(
    ' ',
  ),
);
/** Words that say the same thing in a message; the first of each line stands for the others. */
const SYNONYMS = new Map(
  [
    'unknown nosuch missing absent found exist exists existing find',
    'large larger long longer big bigger exceeds exceed over more above',
    'invalid wrong malformed bad',
    'must should need needs needed required require requires expected',
    'cannot impossible possible could can allowed permitted',
    'failed fail fails failure error',
    'again retried retry retries tried',
  ].flatMap((line) => {
    const [first, ...others] = line.split(' ');
    return others.map((word) => [word, first!] as const);
  }),
);

/** Returns the groups of texts that report the same fault in different words. */
export function nearDuplicates(messages: readonly string[]): string[][] {
  const groups = new Map<string, Set<string>>();
  for (const message of messages) {
    const key = meaningOf(message);
    if (key === '') continue;
    groups.set(key, (groups.get(key) ?? new Set<string>()).add(message));
  }
  return [...groups.values()].filter((texts) => texts.size > 1).map((texts) => [...texts]);
}

/** Returns the words of a message that carry its meaning, in one spelling and in alphabetical order. */
function meaningOf(message: string): string {
  const words = message.toLowerCase().match(/…|[\p{L}\d_-]+/gu) ?? [];
  const telling = words.filter((word) => !FILLERS.has(word));
  if (telling.filter((word) => word !== '…').length < 2) return '';
  return [...new Set(telling.map((word) => SYNONYMS.get(word) ?? singular(word)))].toSorted().join(' ');
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
