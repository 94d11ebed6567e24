import { isObject } from '../contract/is-object.ts';
import type { JsonValue } from '../traces/span-wire.ts';

/** Returns a value as JSON with the members of objects in the order of their names: equal values have equal texts. */
export const sortedJson = (value: JsonValue): string => JSON.stringify(value, sorted);

function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
