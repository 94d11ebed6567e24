import { AppError } from '../../errors.ts';
import { readCsvRows } from '../documents/csv-rows.ts';
import {
  type ConversationRow,
  conversationReader,
  type DocumentRow,
  documentReader,
  type Values,
} from './import-formats.ts';
import type { ImportRow } from './take-rows.ts';
import type { MaterialType } from './upload-contract.ts';

/** Most rows of one batch, so that storing it occupies the writer only briefly. */
const BATCH_ROWS = 25;
const BATCH_CHARACTERS = 128 * 1024;

interface ImportedRows {
  rows: ImportRow[];
  /** Columns of the file that no field was taken from. */
  unusedColumns: string[];
}

/**
 * Yields the rows below the header of a file in batches, without the first `skip` rows. Throws AppError `invalid`
 * with a sentence about the file.
 */
export async function* importBatches(
  content: AsyncIterable<Uint8Array>,
  { materialType, skip }: { materialType: MaterialType; skip: number },
): AsyncGenerator<ImportedRows> {
  let [batch, characters, seen]: [ImportRow[], number, number] = [[], 0, 0];
  let unusedColumns: string[] = [];
  const onHeader = (unused: string[]): void => {
    unusedColumns = unused;
  };
  for await (const row of importRows(content, materialType, onHeader)) {
    if (seen++ < skip) continue;
    batch.push(row);
    characters += JSON.stringify(row).length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield { rows: batch, unusedColumns };
    [batch, characters] = [[], 0];
  }
  if (seen === 0) throw new AppError('invalid', 'The file has no rows below its header');
  if (batch.length > 0) yield { rows: batch, unusedColumns };
}

async function* importRows(
  content: AsyncIterable<Uint8Array>,
  materialType: MaterialType,
  onHeader: (unusedColumns: string[]) => void,
): AsyncGenerator<ImportRow> {
  let read: ((values: Values) => ImportedRow) | null = null;
  for await (const entry of readCsvRows(content)) {
    if ('error' in entry) {
      yield entry;
      continue;
    }
    if (read === null) {
      const reader = readerOf(Object.keys(entry.row), materialType);
      read = reader.read;
      onHeader(reader.unusedColumns);
    }
    yield readRow(entry, read);
  }
}

type ImportedRow = { conversation: ConversationRow } | { document: DocumentRow };

function readerOf(
  columns: readonly string[],
  materialType: MaterialType,
): { read: (values: Values) => ImportedRow; unusedColumns: string[] } {
  if (materialType === 'conversations') {
    const { read, unusedColumns } = conversationReader(columns);
    return { read: (values) => ({ conversation: read(values) }), unusedColumns };
  }
  const { read, unusedColumns } = documentReader(columns);
  return { read: (values) => ({ document: read(values) }), unusedColumns };
}

function readRow(
  { line, row }: { line: number; row: Values },
  read: (values: Values) => ImportedRow,
): ImportRow {
  try {
    return { line, ...read(row) };
  } catch (error) {
    if (error instanceof AppError) return { line, error: error.message };
    throw error;
  }
}
