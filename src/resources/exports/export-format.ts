import { queryBoolean } from '../../contract/query.ts';
import { csvLine } from './csv-line.ts';
import type { ExportTable } from './export-table.ts';
import { ParquetFile } from './parquet-file.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const MEDIA_TYPE_OF: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};
/** Media types of all formats, without parameters. */
export const EXPORT_MEDIA_TYPES = Object.values(MEDIA_TYPE_OF).map((type) => type.replace(/;.*/, ''));

/** Parameter of exports. */
export const byteOrderMark = queryBoolean
  .default(false)
  .describe(
    '`true` to begin a CSV file with a byte-order mark, by which Excel recognises UTF-8. Other formats have none.',
  );

/** Formats a file: its beginning, its rows in the order in which they are added, and its end. */
export interface FormattedFile<Row> {
  begin: () => string | Uint8Array;
  add: (rows: readonly Row[]) => string | Uint8Array;
  end: () => string | Uint8Array;
}

/** Begins a file in this format. */
export function fileInFormat<Row>(
  { format, bom }: { format: ExportFormat; bom: boolean },
  table: ExportTable<Row>,
): FormattedFile<Row> {
  if (format === 'csv') return csvFile(table, bom ? '\ufeff' : '');
  if (format === 'jsonl') return jsonlFile(table);
  const file = new ParquetFile(table);
  return { begin: () => '', add: (rows) => file.add(rows), end: () => file.end() };
}

function csvFile<Row>({ columns }: ExportTable<Row>, mark: string): FormattedFile<Row> {
  const cells = Object.values(columns);
  return {
    begin: () => mark + csvLine(Object.keys(columns)),
    add: (rows) => rows.map((row) => csvLine(cells.map(({ of }) => of(row)))).join(''),
    end: () => '',
  };
}

const jsonlFile = <Row>({ object }: ExportTable<Row>): FormattedFile<Row> => ({
  begin: () => '',
  add: (rows) => rows.map((row) => `${JSON.stringify(object(row))}\n`).join(''),
  end: () => '',
});
