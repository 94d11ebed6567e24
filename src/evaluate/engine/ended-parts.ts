import type { EndedEval } from './finish.ts';

/** Evals, and characters of what they are stored with, after which a command stores no more of them. */
const STEP_EVALS = 200;
const STEP_CHARACTERS = 2 * 1024 * 1024;

/** Splits evals that have ended so that storing each part is bounded work; at least one part, if an empty one. */
export function partsOf(ended: readonly EndedEval[]): EndedEval[][] {
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
