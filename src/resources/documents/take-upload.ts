import { randomUUID } from 'node:crypto';
import type { Owner } from '../../contract/owner.ts';
import type { UploadBody } from '../../contract/upload.ts';
import type { Write } from '../../storage/calls.ts';
import { createDocumentsOf } from './calls.ts';
import type { RejectedRow, documentUploadFields, DocumentUploadReport } from './contract.ts';
import { rowsOfFile } from './upload-file.ts';
import type { NewRow } from './upload-store.ts';

/** Most rows of one commit, so that it occupies the writer only briefly. */
const BATCH_ROWS = 100;
const BATCH_CHARACTERS = 256 * 1024;
/** Number of rows after which the file is not read further. */
const MAX_ROWS = 100_000;
const MAX_IDS = 1_000;
const MAX_REJECTED = 100;

/**
 * Creates documents from a file, piece by piece. Created documents remain even if a later piece fails. Throws
 * AppError `invalid`.
 */
export async function takeUpload(
  body: UploadBody<typeof documentUploadFields>,
  { owner, write, now }: { owner: Owner; write: Write; now: () => number },
): Promise<DocumentUploadReport> {
  const fileProcessingId = randomUUID();
  const report: DocumentUploadReport = {
    fileProcessingId,
    created: 0,
    documentIds: [],
    rejected: [],
    rejectedCount: 0,
  };
  const reject = (rows: readonly RejectedRow[]): void => {
    report.rejectedCount += rows.length;
    report.rejected.push(...rows.slice(0, MAX_REJECTED - report.rejected.length));
  };
  let [batch, characters]: [NewRow[], number] = [[], 0];
  const store = async (): Promise<void> => {
    const { ids, rejected } = await write(createDocumentsOf, {
      owner,
      rows: batch,
      fileProcessingId,
      at: now(),
    });
    report.created += ids.length;
    report.documentIds.push(...ids.slice(0, MAX_IDS - report.documentIds.length));
    reject(rejected);
    [batch, characters] = [[], 0];
  };
  let seen = 0;
  for await (const row of rowsOfFile(body)) {
    if (seen++ === MAX_ROWS) {
      // Leaves space for this entry, however many rows were rejected before.
      report.rejected.splice(MAX_REJECTED - 1);
      reject([
        {
          line: row.line,
          error: `is beyond the limit of ${MAX_ROWS} rows; the rest of the file was not read`,
        },
      ]);
      break;
    }
    if ('error' in row) {
      reject([row]);
      continue;
    }
    batch.push({ ...row, id: randomUUID() });
    characters += row.fields.content.length;
    if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await store();
  }
  if (batch.length > 0) await store();
  report.rejected.sort((a, b) => a.line - b.line);
  return report;
}
