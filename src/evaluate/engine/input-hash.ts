import { createHash } from 'node:crypto';
import type { AppliedDefinition, Aspect, Evaluator } from '../evaluator.ts';
import type { Subject } from '../subject.ts';
import { isObject } from '../../contract/is-object.ts';

/** JSON of the parts of a subject, which several definitions read. */
const partsOfSubjects = new WeakMap<Subject, Map<Aspect, string>>();

/**
 * Returns the SHA-256, in hex, of everything that a verdict depends on: the definition, and the parts of the subject
 * that its evaluator reads. Members of objects are in the order of their names.
 */
export function inputHash(definition: AppliedDefinition, evaluator: Evaluator, subject: Subject): string {
  const { definitionId, version, checks, expected, rubric, baseline, styleGuide } = definition;
  const read = evaluator
    .reads(definition)
    .toSorted()
    .map((aspect) => `${JSON.stringify(aspect)}:${partOf(subject, aspect)}`);
  const members = [
    ...Object.entries({ baseline, checks, definitionId, expected }).flatMap(memberOf),
    `"read":{${read.join(',')}}`,
    ...Object.entries({ rubric, styleGuide, version }).flatMap(memberOf),
  ];
  return createHash('sha256')
    .update(`{${members.join(',')}}`)
    .digest('hex');
}

function partOf(subject: Subject, aspect: Aspect): string {
  const parts = partsOfSubjects.get(subject) ?? new Map<Aspect, string>();
  partsOfSubjects.set(subject, parts);
  const part = parts.get(aspect) ?? JSON.stringify(subject[aspect], inOrder);
  parts.set(aspect, part);
  return part;
}

const memberOf = ([name, value]: [string, unknown]): string[] =>
  value === undefined ? [] : [`"${name}":${JSON.stringify(value, inOrder)}`];

/** Sorts the members of objects by name, as a replacer for `JSON.stringify`. */
const inOrder = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
