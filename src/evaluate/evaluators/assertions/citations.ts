import { z } from 'zod';
import { settled } from '../../statistics/settled.ts';
import { type Subject, textOf } from '../../subject.ts';
import { assertion, NO_OUTPUT, quoteAll, yesOrNo } from './assertion.ts';
import { noteTruncation, readsAll } from './truncation.ts';

/** Most citations that are looked up. */
const MAX_CITATIONS = 1_000;
/** Numbers in brackets, such as `[1]`, `[2, 3]`, `[^4]`, `[doc 5]` or `【6†source】`. */
const NUMBERS =
  /\[(?:\^|(?:doc|document|source|ref)s?\.? ?)?(\d{1,4}(?:(?:, ?|; ?|–|-)\d{1,4}){0,20})\]|【(\d{1,4})(?::\d{1,4})?†[^】]{0,100}】/giu;
const ADDRESS = /https?:\/\/[^\s<>()[\]"'，。）]+/g;

export const citations = assertion({
  passes:
    'the output cites the documents of the trace at least as often as `value` says, and at least the share `threshold` of its citations is right: `[2]` is the second document, an address or `[name]` must be an id or in the text of a document',
  score: 'share of the citations that are right; 0 with too few',
  example: { value: 1, threshold: 1 },
  fields: {
    value: z.int().min(0).max(1_000).default(1).describe('least number of citations; default 1'),
    threshold: z.number().min(0).max(1).default(1).describe('lowest share of right citations; default 1'),
  },
  reads: readsAll('output', 'documents'),
  check: (subject, { value, threshold }) => {
    const text = textOf(subject.output);
    if (text === null) return NO_OUTPUT;
    const cited = citationsIn(text, subject);
    if (cited.size < value)
      return noteTruncation(
        subject,
        yesOrNo(false, `the output has ${cited.size} citations; expected: at least ${value}`),
      );
    const wrong = [...cited].filter(([, isRight]) => !isRight).map(([citation]) => citation);
    const score = cited.size === 0 ? 1 : settled(1 - wrong.length / cited.size);
    const reason =
      wrong.length === 0
        ? `all ${cited.size} citations are of documents`
        : `${wrong.length} of ${cited.size} citations are of no document: ${quoteAll(wrong)}`;
    return noteTruncation(subject, { passed: score >= threshold, score, reason });
  },
});

/** Returns the different citations in a text, and whether each is of a document. */
function citationsIn(text: string, { documents }: Subject): Map<string, boolean> {
  const cited = new Map<string, boolean>();
  const add = (citation: string, isRight: boolean): void => {
    if (cited.size < MAX_CITATIONS) cited.set(citation, isRight);
  };
  const ids = new Set(documents.flatMap(({ id }) => (id === null ? [] : [id])));
  for (const [, listed, single] of text.matchAll(NUMBERS))
    for (const number of numbersOf(listed ?? single ?? ''))
      add(`[${number}]`, (number >= 1 && number <= documents.length) || ids.has(String(number)));
  for (const [found] of text.matchAll(ADDRESS)) {
    const address = found.replace(/[.,;:!?]+$/, '');
    add(address, ids.has(address) || documents.some(({ content }) => content.includes(address)));
  }
  for (const id of ids) if (!/^\d+$/.test(id) && text.includes(`[${id}]`)) add(`[${id}]`, true);
  return cited;
}

/** Reads `1, 3` and `2–4`. */
function numbersOf(listed: string): number[] {
  return listed.split(/[,;] ?/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map(Number);
    return last >= first && last - first < 100
      ? Array.from({ length: last - first + 1 }, (_, i) => first + i)
      : [first, last];
  });
}
