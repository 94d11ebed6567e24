import type { z } from 'zod';
import type { Aspect } from '../../evaluator.ts';
import { type Subject, textOf } from '../../subject.ts';
import { nfc } from '../../../contract/text-forms.ts';

/** Result of one check of a subject. */
export interface CheckOutcome {
  passed: boolean;
  /** Score from 0 to 1. */
  score: number;
  /** Observation in words. It is true both for a check that is wanted and, with `not`, for one that is unwanted. */
  reason: string;
}

/** The subject lacks the data that the check reads: it fails, with `not` too. */
export interface Lack {
  lacks: string;
}

/** The check cannot decide, and does not count. */
interface Undecided {
  undecided: string;
}

/** Finding of a check. */
type Finding = CheckOutcome | Lack | Undecided;

interface Described {
  /** Condition for docs/evaluators.md; completes "passes when …". */
  passes: string;
  /** Definition of the score; null for 1 when the check passes, else 0. */
  score: string | null;
  /** Example of `value` and `threshold`. */
  example: Readonly<Record<string, unknown>>;
  /** True if every output reaches a `threshold` of 0. Default: false. */
  isLowest?: boolean;
  reads: readonly Aspect[];
}

/** One type of check. */
export interface Assertion extends Described {
  /** Schemas of `value` and `threshold`, as far as the check has them. */
  fields: Fields;
  check(subject: Subject, given: Readonly<Record<string, unknown>>): Finding;
}

type Fields = Readonly<{ value?: z.ZodType; threshold?: z.ZodType }>;
type Given<F extends Fields> = { [Key in keyof F]: F[Key] extends z.ZodType ? z.output<F[Key]> : never };

/** Declares a type of check whose `check` receives the parsed configuration. */
export function assertion<F extends Fields>(
  parts: Described & { fields: F; check: (subject: Subject, given: Given<F>) => Finding },
): Assertion {
  return parts;
}

/** Declares a check of the text of the output. */
export function textAssertion<F extends Fields>({
  check,
  ...parts
}: Omit<Described, 'reads'> & {
  fields: F;
  check: (text: string, given: Given<F>) => Finding;
}): Assertion {
  return assertion({
    ...parts,
    reads: ['output'],
    check: ({ output }, given: Given<F>) => {
      const text = textOf(output);
      return text === null ? NO_OUTPUT : check(nfc(text), given);
    },
  });
}

export const NO_OUTPUT: Lack = { lacks: 'there is no output' };

/** Returns the finding of a check that either passes or fails. */
export const yesOrNo = (passed: boolean, reason: string): CheckOutcome => ({
  passed,
  score: passed ? 1 : 0,
  reason,
});

const MAX_REASON = 500;

/** Shortens a text of any length for a reason. */
export const truncateReason = (text: string, max = MAX_REASON): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;

const MAX_QUOTE = 100;

/** Quotes a text for a reason. */
export const quote = (text: string): string => JSON.stringify(truncateReason(text, MAX_QUOTE));

const MAX_LISTED = 10;

/** Quotes a list of texts for a reason. */
export function quoteAll(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_LISTED).map(quote).join(', ');
  return texts.length > MAX_LISTED ? `${shown} and ${texts.length - MAX_LISTED} more` : shown;
}
