import { isoTime } from '../contract/values.ts';
import type { SqlValue } from './database.ts';

/** Encoding of a field of a record in its column. */
export interface Column<In = unknown, Out = In> {
  encode(value: In): SqlValue;
  decode(value: unknown): Out;
  /** Returns the SQL expression to select instead of the column of `table`. */
  select?(column: string, table: string): string;
}

/** Column whose value is stored unchanged; `T` may be narrower than the type of the column. */
export const asIs = <T extends SqlValue>(): Column<T> => ({
  encode: (value) => value,
  decode: (value) => value as T,
});

export const text = asIs<string>();
export const number = asIs<number>();
export const bytes = asIs<Uint8Array>();
/** Column of a boolean, stored as 0 or 1. */
export const flag: Column<boolean> = { encode: Number, decode: (value) => value === 1 };
/** Column of a time: Unix milliseconds in the store, ISO 8601 in records. */
export const time: Column<number, string> = {
  encode: (value) => value,
  decode: (value) => isoTime(value as number),
};
/** Column of a JSON value, stored as text. */
export const json = <T>(): Column<T> => ({
  encode: (value) => JSON.stringify(value),
  decode: (value) => JSON.parse(value as string) as T,
});

/** Column of a number that is stored as text; null for other text. */
export const numberAsText: Column<number, number | null> = {
  encode: String,
  decode: (value) => (Number.isFinite(Number(value)) ? Number(value) : null),
};

/** Column that reads the first characters of a text, for lists. */
export const startOfText = (characters: number): Column<string> => ({
  ...text,
  select: (column) => `substr(${column}, 1, ${characters})`,
});

/** Column that reads a text made from other columns of the table. */
export const computedText = (select: (table: string) => string): Column<string> => ({
  ...text,
  select: (_column, table) => select(table),
});

/** Column that may be NULL; records omit a NULL. */
export const optional = <In, Out>(column: Column<In, Out>): Column<In | null, Out | undefined> => ({
  ...column,
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (value) => (value === null ? undefined : column.decode(value)),
});

/** Column that may be NULL. */
export const nullable = <In, Out>(column: Column<In, Out>): Column<In | null, Out | null> => ({
  ...column,
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (value) => (value === null ? null : column.decode(value)),
});
