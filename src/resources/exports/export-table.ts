/** Contents of a column of an exported file, for each row. */
export type ExportColumn<Row> =
  | { type: 'STRING' | 'TIME'; of: (row: Row) => string | null }
  | { type: 'DOUBLE' | 'INT32'; of: (row: Row) => number | null };

/** Rows of an exported file: columns for CSV and Parquet, and objects for JSONL. */
export interface ExportTable<Row> {
  columns: Readonly<Record<string, ExportColumn<Row>>>;
  object: (row: Row) => unknown;
}

export const textColumn = <Row>(of: (row: Row) => string | null): ExportColumn<Row> => ({
  type: 'STRING',
  of,
});
/** A column of times in ISO 8601 with `Z`. */
export const timeColumn = <Row>(of: (row: Row) => string | null): ExportColumn<Row> => ({ type: 'TIME', of });
export const integerColumn = <Row>(of: (row: Row) => number | null): ExportColumn<Row> => ({
  type: 'INT32',
  of,
});
export const exportNumber = <Row>(of: (row: Row) => number | null): ExportColumn<Row> => ({
  type: 'DOUBLE',
  of,
});
/** A column of values that are written as JSON. */
export const jsonColumn = <Row>(of: (row: Row) => unknown): ExportColumn<Row> =>
  textColumn((row) => jsonCell(of(row)));

export const jsonCell = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);
