import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { readOwner } from '../applications/read-application.ts';
import type { Services } from './services.ts';
import { type ImportBatch, TopicsByTitle } from './import-batch.ts';
import type { ConversationRow, DocumentRow } from './import-formats.ts';
import { ConversationBatch } from './take-conversations.ts';
import { takeDocument } from './take-documents.ts';
import { uploads } from './upload-record.ts';

const MAX_REJECTED = 100;

/** A row of a file, or why nothing can be made of it. */
export type ImportRow = { line: number } & (
  | { conversation: ConversationRow }
  | { document: DocumentRow }
  | { error: string }
);

interface TakeRows {
  application: number;
  id: string;
  /** Number of rows of the file before these. */
  skip: number;
  rows: readonly ImportRow[];
  at: number;
}

/**
 * Makes drafts of the next rows of an upload and adds them to its report. Rows that are in the report already make
 * nothing; a row that is refused makes nothing either, and leaves the others alone.
 */
export const takeUploadRows =
  (services: Services) =>
  (database: Database, { application, id, skip, rows, at }: TakeRows): void => {
    const { report, ...upload } = uploads.require(database, application, id);
    if (report.rows !== skip) return;
    const batch: ImportBatch = {
      database,
      services,
      owner: readOwner(database, { application }),
      upload,
      created: report.created,
      at,
    };
    const topics = new TopicsByTitle(batch);
    const conversations = new ConversationBatch(batch, topics);
    for (const row of rows) {
      const error = attempt(batch, () => {
        if ('error' in row) throw new AppError('invalid', row.error);
        if ('conversation' in row) conversations.take(row.conversation);
        else takeDocument(batch, topics, row.document);
      });
      report.rows += 1;
      if (error === null) continue;
      topics.forget();
      report.rejectedCount += 1;
      if (report.rejected.length < MAX_REJECTED) report.rejected.push({ line: row.line, error });
    }
    conversations.store();
    uploads.update(database, { application, id, at }, { report });
  };

/** Undoes what `make` has made when it throws an AppError, whose message it answers. */
function attempt({ database, created }: ImportBatch, make: () => void): string | null {
  const before = { ...created };
  let message: string | null = null;
  database.run('SAVEPOINT material_row');
  try {
    make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    database.run('ROLLBACK TO material_row');
    Object.assign(created, before);
    message = error.message;
  }
  database.run('RELEASE material_row');
  return message;
}
