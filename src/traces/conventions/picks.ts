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

/** Returns the name of a service tier, which AWS writes as an object with a type. */
export function tierName(value: JsonValue | undefined): string | undefined {
  const name = isObject(value) ? memberOf(value, 'type') : value;
  return typeof name === 'string' ? name : undefined;
}

/** Picks the service tier among the parameters of a request. */
export function requestedTier(parameters: JsonValue): string | undefined {
  return isObject(parameters) ? tierName(memberOf(parameters, 'service_tier', 'serviceTier')) : undefined;
}

/** Converts seconds to milliseconds. */
export function milliseconds(value: JsonValue): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : undefined;
}
