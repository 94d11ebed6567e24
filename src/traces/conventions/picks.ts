import type { JsonValue } from '../span-wire.ts';

/** Wraps one value in a list, as other senders do. */
export function asList(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value : [value];
}
