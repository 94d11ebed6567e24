import { z } from 'zod';
import type { Issue } from '../../../errors.ts';
import type { Assertion } from './assertion.ts';
import { schemaFault } from './json-schema.ts';
import { ASSERTION_TYPES, ASSERTIONS, type AssertionType } from './list.ts';

/** A check as it is configured. */
export type ConfiguredCheck = SingleCheck | SetOfChecks;

interface Common {
  /** Weight in the score. A check of weight 0 is shown but has no effect. */
  weight: number;
  /** True if the check passes when its condition is false. */
  not: boolean;
}

export interface SingleCheck extends Common {
  type: AssertionType;
  assertion: Assertion;
  /** Configured `value` and `threshold`. */
  given: Readonly<Record<string, unknown>>;
}

export interface SetOfChecks extends Common, Checks {
  type: typeof SET;
}

export interface Checks {
  assertions: ConfiguredCheck[];
  /** Lowest score that passes; when undefined, all checks must pass. */
  threshold?: number | undefined;
}

const SET = 'assert-set';
/** Deepest nesting of sets. */
export const MAX_SETS = 3;

const common = {
  weight: z.number().min(0).max(1_000_000).default(1),
  not: z.boolean().default(false),
};

const SINGLE = new Map<string, z.ZodType<SingleCheck>>(
  ASSERTION_TYPES.map((type) => {
    const { fields } = ASSERTIONS[type];
    const schema = z
      .object({ ...common, ...fields })
      .transform(({ weight, not, ...given }) => ({ type, assertion: ASSERTIONS[type], weight, not, given }));
    return [type, schema];
  }),
);

const hasWeight = (checks: readonly ConfiguredCheck[]): boolean =>
  checks.length === 0 || checks.some(({ weight }) => weight > 0);

/** Returns the fields of an object with a list of checks, in which sets may nest `sets` levels deep. */
function listFields(sets: number) {
  return {
    assertions: z
      .array(checkSchema(sets))
      .min(1)
      .max(100)
      .refine(hasWeight, { error: 'must have one with a weight above 0' }),
    threshold: z.number().min(0).max(1).optional(),
  };
}

function checkSchema(sets: number): z.ZodType<ConfiguredCheck> {
  const byType = new Map<string, z.ZodType<ConfiguredCheck>>(SINGLE);
  if (sets > 0) byType.set(SET, z.object({ type: z.literal(SET), ...common, ...listFields(sets - 1) }));
  // The type is checked first, so that a fault is reported for that type and not as matching none of the types.
  return z.looseObject({ type: z.enum([...byType.keys()]) }).transform((given, context) => {
    const parsed = (byType.get(given.type) as z.ZodType<ConfiguredCheck>).safeParse(given, {
      reportInput: true,
    });
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.issues.push(issue as z.core.$ZodRawIssue);
    return z.NEVER;
  });
}

const ownFields = listFields(MAX_SETS);
/**
 * Fields of the `globalConfig` of `ASSERT`. With `exampleAssertions` the checks of the example of a test are applied too, and a definition
 * needs none of its own.
 */
export const checkFields = {
  ...ownFields,
  assertions: z
    .array(checkSchema(MAX_SETS))
    .max(100)
    .refine(hasWeight, { error: 'must have one with a weight above 0' })
    .default([]),
  exampleAssertions: z.boolean().optional(),
};

/** Schema of the checks of an example. */
export const CHECKS = z.array(checkSchema(MAX_SETS));

/** Returns the faults of the checks of an example. */
export const checksFault = (given: unknown): readonly z.core.$ZodIssue[] =>
  CHECKS.safeParse(given, { reportInput: true }).error?.issues ?? [];

/** Reports whether every output passes, because of thresholds of 0. A check of weight 0 has no effect. */
export function isPassedByAll({ assertions, threshold }: Checks): boolean {
  if (threshold !== undefined) return threshold === 0;
  const counted = assertions.filter(({ weight }) => weight > 0);
  return counted.length > 0 && counted.every((check) => !check.not && holdsForAll(check));
}

const holdsForAll = (check: ConfiguredCheck): boolean =>
  check.type === SET
    ? isPassedByAll(check)
    : check.assertion.isLowest === true && check.given['threshold'] === 0;

/** Returns an issue for each invalid JSON Schema among the checks; `path` leads to their list. */
export function schemaIssues(checks: readonly ConfiguredCheck[], path: readonly string[]): Issue[] {
  return checks.flatMap((check, index) => {
    const at = [...path, String(index)];
    if (check.type === SET) return schemaIssues(check.assertions, [...at, 'assertions']);
    const { value } = check.given;
    const hasSchema = (check.type === 'is-json' || check.type === 'contains-json') && value !== undefined;
    const fault = hasSchema ? schemaFault(value as object) : null;
    return fault === null ? [] : [{ code: 'custom', message: fault, path: [...at, 'value'] }];
  });
}
