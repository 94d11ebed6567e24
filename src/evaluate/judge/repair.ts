import type { z } from 'zod';
import type { JsonValue } from '../../traces/span-wire.ts';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
]);
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * Returns a copy of a value in which slips of format are corrected where the schema found a fault: another spelling
 * of an option (`"Yes."` or true for `"yes"`), a word for a boolean, a text for a number. Other faults remain.
 */
export function repaired(value: JsonValue, issues: readonly z.core.$ZodIssue[]): JsonValue {
  const copy = { root: structuredClone(value) };
  for (const issue of issues) {
    const path = ['root', ...issue.path];
    const key = path.pop() as string | number;
    const holder = path.reduce<unknown>(childOf, copy);
    const found = childOf(holder, key);
    const better = repairedPart(found, issue);
    if (better !== undefined) (holder as Record<PropertyKey, unknown>)[key] = better;
  }
  return copy.root;
}

const childOf = (holder: unknown, key: PropertyKey): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Record<PropertyKey, unknown>)[key]
    : undefined;

/** Returns the value that was meant; undefined when there is none. */
function repairedPart(found: unknown, issue: z.core.$ZodIssue): unknown {
  if (issue.code === 'invalid_value') return optionFor(found, issue.values);
  if (issue.code !== 'invalid_type' || typeof found !== 'string') return undefined;
  const word = plainWord(found);
  if (issue.expected === 'boolean') return WORDS.get(word);
  if ((issue.expected === 'number' || issue.expected === 'int') && NUMBER.test(word)) return Number(word);
  return undefined;
}

function optionFor(found: unknown, options: readonly unknown[]): unknown {
  if (typeof found === 'boolean')
    return options.find((option) => typeof option === 'string' && WORDS.get(option) === found);
  return typeof found === 'string' ? options.find((option) => option === plainWord(found)) : undefined;
}

const plainWord = (text: string): string => text.trim().replace(/[.!]$/, '').toLowerCase();
