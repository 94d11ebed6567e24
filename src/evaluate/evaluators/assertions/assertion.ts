import type { z } from 'zod';
import type { Aspect } from '../../evaluator.ts';
import { type Subject, textOf } from '../../subject.ts';
import { nfc } from '../../text-search.ts';

/** Result of one check of a subject. */
export interface Finding {
  passed: boolean;
  /** 0 to 1. */
  score: number;
  /** Observation in words; true whether it is wanted or, with `not`, unwanted. */
  reason: string;
}

/** The subject has nothing to look at: the check fails, with `not` as well. */
export interface Lack {
  lacks: string;
}

interface Described {
  /** Condition for docs/evaluators.md, as the end of "passes when …". */
  passes: string;
  /** Null = 1 when it passes, else 0. */
  score: string | null;
  /** `value` and `threshold` of a check of this type. */
  example: Readonly<Record<string, unknown>>;
  reads: readonly Aspect[];
}

/** One type of check. */
export interface Assertion extends Described {
  /** Schemas of `value` and `threshold`, those that it has. */
  fields: Fields;
  check(subject: Subject, given: Readonly<Record<string, unknown>>): Finding | Lack;
}

type Fields = Readonly<{ value?: z.ZodType; threshold?: z.ZodType }>;
type Given<F extends Fields> = { [Key in keyof F]: F[Key] extends z.ZodType ? z.output<F[Key]> : never };

/** A type of check whose `check` is given what `fields` made of the configuration. */
export function assertion<F extends Fields>(
  parts: Described & { fields: F; check: (subject: Subject, given: Given<F>) => Finding | Lack },
): Assertion {
  return parts;
}

/** A check of what the output reads like. */
export function textAssertion<F extends Fields>({
  check,
  ...parts
}: Omit<Described, 'reads'> & {
  fields: F;
  check: (text: string, given: Given<F>) => Finding | Lack;
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

/** Finding of a check that either passes or fails. */
export const yesOrNo = (passed: boolean, reason: string): Finding => ({
  passed,
  score: passed ? 1 : 0,
  reason,
});

const MAX_REASON = 500;

/** A reason that tells of text of any length. */
export const truncate = (text: string, max = MAX_REASON): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;

const MAX_QUOTE = 100;

/** A text as a reason shows it. */
export const quote = (text: string): string => JSON.stringify(truncate(text, MAX_QUOTE));

const MAX_LISTED = 10;

/** Texts as a reason shows them. */
export function quoteAll(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_LISTED).map(quote).join(', ');
  return texts.length > MAX_LISTED ? `${shown} and ${texts.length - MAX_LISTED} more` : shown;
}
