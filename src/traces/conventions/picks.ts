import { isObject } from '../../contract/is-object.ts';
import type { JsonValue } from '../span-wire.ts';
import { memberOf } from './members.ts';

/** Wraps one value in a list, as other senders do. */
export function asList(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value : [value];
}

/** Returns a function that picks the first of these members that an object has. */
export function pickMember(...names: readonly string[]): (value: JsonValue) => JsonValue | undefined {
  return (value) => (isObject(value) ? memberOf(value, ...names) : undefined);
}

/** Returns a function that picks a member of a member: `usage`, `inputTokens`. */
export function pickMemberIn(
  outer: string,
  ...names: readonly string[]
): (value: JsonValue) => JsonValue | undefined {
  const inner = pickMember(...names);
  return (value) => {
    const found = isObject(value) ? memberOf(value, outer) : undefined;
    return found === undefined ? undefined : inner(found);
  };
}

/** Converts seconds to milliseconds. */
export function milliseconds(value: JsonValue): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : undefined;
}
