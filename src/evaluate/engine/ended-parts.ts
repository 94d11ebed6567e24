import type { EndedEval } from './finish.ts';

/** Limits of one command: evals, and the characters stored with them, after which it stores no further eval. */
const STEP_EVALS = 200;
const STEP_CHARACTERS = 2 * 1024 * 1024;

/** Splits ended evals into parts that are bounded work to store. Returns at least one part, which may be empty. */
export function endedParts(ended: readonly EndedEval[]): EndedEval[][] {
  let last: EndedEval[] = [];
  let characters = 0;
  const parts = [last];
  for (const one of ended) {
    if (last.length >= STEP_EVALS || characters >= STEP_CHARACTERS) {
      parts.push((last = []));
      characters = 0;
    }
    last.push(one);
    characters += JSON.stringify([one.verdict, one.by?.definition]).length;
  }
  return parts;
}
