import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import { enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { requireRow } from '../../storage/require-row.ts';
import { moveQuickstart, statusOf } from './move.ts';
import { requireMove } from './states.ts';
import type { MaterialType, QuickstartUpload, UploadReport, UploadWithReport } from './upload-contract.ts';

/** The kind of the jobs that process uploads; their key is the id of one. */
export const PROCESS_UPLOAD = 'process-upload';
/** The record of a quickstart names all of them. */
const MAX_UPLOADS = 100;
const MAX_LISTED = 1_000;

interface ById {
  application: number;
  id: string;
}

/** Keeps a piece of a file that is coming in. */
function storeUploadPart(
  database: Database,
  { application, id, seq, bytes }: ById & { seq: number; bytes: Uint8Array },
): void {
  database.run(
    'INSERT INTO upload_part (application, upload_id, seq, bytes) VALUES (?, ?, ?, ?)',
    application,
    id,
    seq,
    bytes,
  );
}

const NO_ROWS: UploadReport = {
  rows: 0,
  created: { topics: 0, tasks: 0, inputExamples: 0, conversations: 0, documents: 0, definitions: 0 },
  rejected: [],
  rejectedCount: 0,
};

const NO_USE = 'Nothing could be made of any of its rows';

interface NewUpload extends ById {
  quickstartId: string;
  fileName: string;
  fileSize: number;
  materialType: MaterialType;
  at: number;
}

/** Throws `not_found`, and `conflict` when the quickstart takes no upload now. */
function checkUploadable(
  database: Database,
  { application, quickstartId }: { application: number; quickstartId: string },
): void {
  const status = statusOf(database, application, quickstartId);
  if (status !== 'PROCESSING') requireMove(status, 'PROCESSING', 'service');
  if (uploadsOf(database, application, quickstartId).length >= MAX_UPLOADS)
    throw new AppError('conflict', `A quickstart takes at most ${MAX_UPLOADS} uploads`);
}

/** Makes an upload of the parts that are stored, and asks for its processing. Throws as `checkUploadable` does. */
function createUpload(
  database: Database,
  { application, id, quickstartId, fileName, fileSize, materialType, at }: NewUpload,
): QuickstartUpload {
  checkUploadable(database, { application, quickstartId });
  if (statusOf(database, application, quickstartId) !== 'PROCESSING')
    moveQuickstart(database, { application, id: quickstartId, to: 'PROCESSING', mover: 'service', at });
  database.run(
    `INSERT INTO upload (id, application, quickstart_id, file_name, file_size, status, material_type, report,
       created_at, modified_at) VALUES (?1, ?2, ?3, ?4, ?5, 'PENDING', ?6, ?7, ?8, ?8)`,
    id,
    application,
    quickstartId,
    fileName,
    fileSize,
    materialType,
    JSON.stringify(NO_ROWS),
    at,
  );
  enqueueJob(database, { application, kind: PROCESS_UPLOAD, key: id, dueAt: at, at });
  return getUpload(database, { application, id });
}

/** Begins to process an upload that waits; the upload as it is then. Throws `not_found`. */
function beginUpload(database: Database, { application, id, at }: ById & { at: number }): UploadWithReport {
  database.run(
    `UPDATE upload SET status = 'PROCESSING', modified_at = ? WHERE application = ? AND id = ? AND status = 'PENDING'`,
    at,
    application,
    id,
  );
  return getUpload(database, { application, id });
}

/**
 * Ends the processing of an upload, and that of its quickstart with the last one. `fault`: what is wrong with the file
 * as a whole.
 */
function endUpload(
  database: Database,
  { application, id, fault, at }: ById & { fault: string | null; at: number },
): void {
  const { quickstartId, report } = getUpload(database, { application, id });
  const errorMessage = fault ?? (report.rejectedCount === report.rows ? NO_USE : null);
  database.run(
    'UPDATE upload SET status = ?, error_message = ?, modified_at = ? WHERE application = ? AND id = ?',
    errorMessage === null ? 'COMPLETED' : 'FAILED',
    errorMessage,
    at,
    application,
    id,
  );
  const isUnderWay = uploadsOf(database, application, quickstartId).some(
    ({ status }) => status === 'PENDING' || status === 'PROCESSING',
  );
  if (isUnderWay) return;
  moveQuickstart(database, {
    application,
    id: quickstartId,
    to: 'TASKS_TOPICS_REVIEW',
    mover: 'service',
    at,
  });
}

/** Removes at most `limit` parts of an upload; whether none is left. */
function dropUploadParts(database: Database, { application, id, limit }: ById & { limit: number }): boolean {
  const dropped = database.run(
    `DELETE FROM upload_part WHERE application = ?1 AND upload_id = ?2 AND seq IN (
       SELECT seq FROM upload_part WHERE application = ?1 AND upload_id = ?2 ORDER BY seq LIMIT ?3)`,
    application,
    id,
    limit,
  );
  return dropped < limit;
}

/** Files of which some parts came before an end of the process, and never the rest. To be asked before any come in. */
function brokenUploads(database: Database): ById[] {
  return database.all<ById>(
    `SELECT DISTINCT application, upload_id AS id FROM upload_part
     WHERE NOT EXISTS (SELECT 1 FROM upload WHERE upload.id = upload_id AND upload.application = upload_part.application)`,
  );
}

function readUploadPart(
  database: Database,
  { application, id, seq }: ById & { seq: number },
): Uint8Array | null {
  const row = database.get<{ bytes: Uint8Array }>(
    'SELECT bytes FROM upload_part WHERE application = ? AND upload_id = ? AND seq = ?',
    application,
    id,
    seq,
  );
  return row?.bytes ?? null;
}

interface Row extends Omit<QuickstartUpload, 'createdAt' | 'modifiedAt' | 'errorMessage'> {
  createdAt: number;
  modifiedAt: number;
  errorMessage: string | null;
}
const COLUMNS = `id, quickstart_id AS quickstartId, file_name AS fileName, file_size AS fileSize, status,
  material_type AS materialType, created_at AS createdAt, modified_at AS modifiedAt, error_message AS errorMessage`;

/** Throws `not_found`. */
export function getUpload(database: Database, { application, id }: ById): UploadWithReport {
  const { report, ...upload } = requireRow<Row & { report: string }>(
    database,
    { application, table: 'upload', noun: 'upload', id },
    `${COLUMNS}, report`,
  );
  return { ...uploadOf(upload), report: JSON.parse(report) as UploadReport };
}

/** The newest first. */
function listUploads(
  database: Database,
  { application, quickstartId }: { application: number; quickstartId: string | undefined },
): QuickstartUpload[] {
  if (quickstartId !== undefined) return uploadsOf(database, application, quickstartId);
  return database
    .all<Row>(
      `SELECT ${COLUMNS} FROM upload WHERE application = ? ORDER BY created_at DESC, id DESC LIMIT ?`,
      application,
      MAX_LISTED,
    )
    .map(uploadOf);
}

/** All uploads of a quickstart, the newest first. */
export function uploadsOf(database: Database, application: number, quickstartId: string): QuickstartUpload[] {
  return database
    .all<Row>(
      `SELECT ${COLUMNS} FROM upload WHERE application = ? AND quickstart_id = ? ORDER BY created_at DESC, id DESC`,
      application,
      quickstartId,
    )
    .map(uploadOf);
}

const uploadOf = ({ createdAt, modifiedAt, errorMessage, ...row }: Row): QuickstartUpload => ({
  ...row,
  createdAt: isoTime(createdAt),
  modifiedAt: isoTime(modifiedAt),
  ...(errorMessage === null ? {} : { errorMessage }),
});

export const uploadCommands = { storeUploadPart, createUpload, beginUpload, endUpload, dropUploadParts };
export const uploadQueries = { checkUploadable, brokenUploads, readUploadPart, getUpload, listUploads };
