/** First words after which a doc comment is neither a sentence with a verb nor a noun phrase. */
const WRONG_OPENINGS = new Set(
  [
    'of what how whether that why who whose whom which where when while if because since so than though unless',
    'as and or but nor either neither',
    'it they he she we you its their them him her his our us',
    'to by in on at from for with without within into until before after through between among beside about over',
    'is are was were be has have had did do can may must will would should could',
    'not mostly only also even just then here there',
  ].flatMap((words) => words.split(' ')),
);

/** Returns what is wrong with the beginning of a doc comment; null for a good one. */
export function openingFault(comment: string): string | null {
  if (comment.startsWith('@')) return null;
  const words = comment.split(/\s+/).filter((word) => word !== '');
  if (words.length < 2) return 'is a fragment; write a verb or a noun phrase';
  const first = words[0]!.replace(/[,.:;]+$/, '');
  if (first === 'US' || !WRONG_OPENINGS.has(first.toLowerCase())) return null;
  return `begins with "${first}"; begin with a verb ("Returns …") or a noun phrase ("Time of …")`;
}
