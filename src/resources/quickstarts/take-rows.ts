import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { readOwner } from '../applications/read-application.ts';
import { type ImportBatch, TopicsByTitle } from './import-batch.ts';
import type { ConversationRow, DocumentRow } from './import-formats.ts';
import { ConversationBatch } from './take-conversations.ts';
import { takeDocument } from './take-documents.ts';
import { uploads } from './upload-record.ts';

const MAX_REJECTED = 100;

/** A row of a file, or the reason why it cannot be used. */
export type ImportRow = { line: number } & (
  | { conversation: ConversationRow }
  | { document: DocumentRow }
  | { error: string }
);

interface TakeRows {
  application: number;
  id: string;
  /** Number of earlier rows of the file. */
  skip: number;
  rows: readonly ImportRow[];
  unusedColumns: string[];
  at: number;
}

/**
 * Creates drafts from the next rows of an upload and adds them to its report. Rows that the report already contains
 * are skipped; a rejected row creates nothing and does not affect others.
 */
export function takeUploadRows(
  database: Database,
  { application, id, skip, rows, unusedColumns, at }: TakeRows,
): void {
  const { report, ...upload } = uploads.require(database, application, id);
  if (report.rows !== skip) return;
  report.unusedColumns = unusedColumns;
  report.startedAt ??= isoTime(at);
  report.reused ??= [];
  report.notCarried ??= { knownPrompts: 0, promptsBeyondLimit: 0 };
  const batch: ImportBatch = {
    database,
    owner: readOwner(database, { application }),
    upload,
    created: report.created,
    reused: report.reused,
    notCarried: report.notCarried,
    startedAt: Date.parse(report.startedAt),
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
}

/** Runs `make`; if it throws an AppError, undoes its changes and returns the message. */
function attempt({ database, created, reused, notCarried }: ImportBatch, make: () => void): string | null {
  const before = { created: { ...created }, reused: reused.length, notCarried: { ...notCarried } };
  let message: string | null = null;
  database.run('SAVEPOINT import_row');
  try {
    make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    database.run('ROLLBACK TO import_row');
    Object.assign(created, before.created);
    Object.assign(notCarried, before.notCarried);
    reused.length = before.reused;
    message = error.message;
  }
  database.run('RELEASE import_row');
  return message;
}
