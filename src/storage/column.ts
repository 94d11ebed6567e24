import { isoTime } from '../contract/values.ts';
import type { SqlValue } from './database.ts';

/** Encoding of a field of a record in its column. */
export interface Column<In = unknown, Out = In> {
  encode(value: In): SqlValue;
  decode(value: unknown): Out;
  /** The SQL expression that is selected instead of the column, which is given with its table. */
  select?(column: string, table: string): string;
}

/** A value that is stored as it is; `T` may be narrower than its column. */
export const asIs = <T extends SqlValue>(): Column<T> => ({
  encode: (value) => value,
  decode: (value) => value as T,
});

export const text = asIs<string>();
export const number = asIs<number>();
export const bytes = asIs<Uint8Array>();
/** A boolean, stored as 0 or 1. */
export const flag: Column<boolean> = { encode: Number, decode: (value) => value === 1 };
/** A time: Unix milliseconds in the store, ISO 8601 in records. */
export const time: Column<number, string> = {
  encode: (value) => value,
  decode: (value) => isoTime(value as number),
};
/** Anything that JSON can express, stored as its text. */
export const json = <T>(): Column<T> => ({
  encode: (value) => JSON.stringify(value),
  decode: (value) => JSON.parse(value as string) as T,
});

/** The first characters of a text, for lists. */
export const startOfText = (characters: number): Column<string> => ({
  ...text,
  select: (column) => `substr(${column}, 1, ${characters})`,
});

/** The same; NULL is left out of records. */
export const optional = <In, Out>(column: Column<In, Out>): Column<In | null, Out | undefined> => ({
  ...column,
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (value) => (value === null ? undefined : column.decode(value)),
});

/** The same, or NULL. */
export const nullable = <In, Out>(column: Column<In, Out>): Column<In | null, Out | null> => ({
  ...column,
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (value) => (value === null ? null : column.decode(value)),
});
