import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { type JsonObject } from './json.ts';

/** Returns the first of these members that is present and not null. */
export function memberOf(object: JsonObject, ...keys: readonly string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns the first of these members that is text. */
export function textMember(object: JsonObject, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = memberOf(object, key);
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Returns a member that is a number, or the text of a number, which some senders use. */
export function numberMember(object: JsonObject, key: string): number | undefined {
  const value = memberOf(object, key);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns the first of these members that is an object. */
export function objectMember(object: JsonObject, ...keys: readonly string[]): JsonObject | undefined {
  for (const key of keys) {
    const value = memberOf(object, key);
    if (isObject(value)) return value;
  }
  return undefined;
}

/** Removes undefined members, so that a message contains only what was sent. */
export function defined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
