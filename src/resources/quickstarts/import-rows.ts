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

/**
 * Yields the rows below the header of a file in batches, without the first `skip` rows. Throws AppError `invalid`
 * with a sentence about the file.
 */
export async function* importBatches(
  content: AsyncIterable<Uint8Array>,
  { materialType, skip }: { materialType: MaterialType; skip: number },
): AsyncGenerator<ImportRow[]> {
  let [batch, characters, seen]: [ImportRow[], number, number] = [[], 0, 0];
  for await (const row of importRows(content, materialType)) {
    if (seen++ < skip) continue;
    batch.push(row);
    characters += JSON.stringify(row).length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (seen === 0) throw new AppError('invalid', 'The file has no rows below its header');
  if (batch.length > 0) yield batch;
}

async function* importRows(
  content: AsyncIterable<Uint8Array>,
  materialType: MaterialType,
): AsyncGenerator<ImportRow> {
  let read: ((values: Values) => ImportedRow) | null = null;
  for await (const entry of readCsvRows(content)) {
    if ('error' in entry) {
      yield entry;
      continue;
    }
    read ??= readerOf(Object.keys(entry.row), materialType);
    yield readRow(entry, read);
  }
}

type ImportedRow = { conversation: ConversationRow } | { document: DocumentRow };

function readerOf(columns: readonly string[], materialType: MaterialType): (values: Values) => ImportedRow {
  if (materialType === 'conversations') {
    const read = conversationReader(columns);
    return (values) => ({ conversation: read(values) });
  }
  const read = documentReader(columns);
  return (values) => ({ document: read(values) });
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
