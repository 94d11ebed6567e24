import { createHash } from 'node:crypto';
import type { Evaluator, AppliedDefinition } from '../evaluator.ts';
import type { Subject } from '../subject.ts';

/**
 * Returns the SHA-256, in hex, of everything that a verdict depends on: the definition, and the parts of the subject
 * that its evaluator reads.
 */
export function inputHash(definition: AppliedDefinition, evaluator: Evaluator, subject: Subject): string {
  const { definitionId, version, expected, rubric, baseline, styleGuide } = definition;
  const read = Object.fromEntries(evaluator.reads(definition).map((aspect) => [aspect, subject[aspect]]));
  const text = JSON.stringify(
    { definitionId, version, expected, rubric, baseline, styleGuide, read },
    inOrder,
  );
  return createHash('sha256').update(text).digest('hex');
}

/** Sorts the members of objects by name, as a replacer for `JSON.stringify`. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
