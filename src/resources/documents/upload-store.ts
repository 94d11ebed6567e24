import { AppError } from '../../errors.ts';
import type { Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import type { DocumentFields, RejectedRow } from './contract.ts';
import { insertDocument } from './store.ts';

export interface NewRow {
  line: number;
  id: string;
  fields: DocumentFields;
}

/** Creates the documents of valid rows, and reports rows whose topic does not exist. */
function createDocumentsOf(
  database: Database,
  {
    owner,
    rows,
    fileProcessingId,
    at,
  }: { owner: Owner; rows: NewRow[]; fileProcessingId: string; at: number },
): { ids: string[]; rejected: RejectedRow[] } {
  const ids: string[] = [];
  const rejected: RejectedRow[] = [];
  for (const { line, id, fields } of rows) {
    try {
      insertDocument(database, { owner, id, fields, origin: { fileProcessingId }, at });
      ids.push(id);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      rejected.push({ line, error: error.message });
    }
  }
  return { ids, rejected };
}

export const documentUploadCommands = { createDocumentsOf };
