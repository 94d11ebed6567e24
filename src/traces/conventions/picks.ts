import type { JsonValue } from '../span-wire.ts';

/** One of something, where others send a list. */
export function asList(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value : [value];
}
