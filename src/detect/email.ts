import { type Detector, matchesOf, type TextRange } from './finding.ts';

/** Matches addresses of the usual form, without quoted local parts and addresses of hosts without a domain. */
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}-])/gu;

/** Longest part before and after the `@`, with a character beside it. */
const [BEFORE, AFTER] = [66, 420];

/** Detects addresses. Only the surroundings of each `@` are searched, because most texts are long and have none. */
export const emails: Detector = function* (text): Generator<TextRange> {
  let searched = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', Math.max(at + 1, searched))) {
    const from = Math.max(searched, at - BEFORE);
    const part = text.slice(from, at + AFTER);
    for (const { start, end } of matchesOf(part, EMAIL)) {
      // A match at the start of a part may be the end of a longer word.
      const isCut = start === 0 && from > 0 && from !== searched;
      if (isCut || part.indexOf('@', start) + from !== at) break;
      yield { start: from + start, end: from + end };
      searched = from + end;
      break;
    }
  }
};
