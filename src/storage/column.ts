import { isoTime } from '../contract/values.ts';
import type { SqlValue } from './sqlite/database.ts';

/** How a field of a record stands in its column. */
export interface Column<In = unknown, Out = In> {
  encode(value: In): SqlValue;
  decode(value: unknown): Out;
}

/** A value that the store keeps as it is; `T` may be narrower than its column. */
export const asIs = <T extends SqlValue>(): Column<T> => ({
  encode: (value) => value,
  decode: (value) => value as T,
});

export const text = asIs<string>();
export const number = asIs<number>();
/** A boolean, stored as 0 or 1. */
export const flag: Column<boolean> = { encode: Number, decode: (value) => value === 1 };
/** A time: Unix milliseconds in the store, ISO 8601 in records. */
export const time: Column<number, string> = {
  encode: (value) => value,
  decode: (value) => isoTime(value as number),
};
/** Anything that JSON can say, stored as its text. */
export const json = <T>(): Column<T> => ({
  encode: (value) => JSON.stringify(value),
  decode: (value) => JSON.parse(value as string) as T,
});

/** The same, or NULL. */
export const nullable = <In, Out>(column: Column<In, Out>): Column<In | null, Out | null> => ({
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (value) => (value === null ? null : column.decode(value)),
});
