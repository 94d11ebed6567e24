import { AppError } from '../../errors.ts';
import { enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { unindexed, valuesOf } from '../../storage/dialect.ts';
import { moveQuickstart, statusOf } from './move.ts';
import { requireMove } from './states.ts';
import type { MaterialType, QuickstartUpload, UploadReport, UploadWithReport } from './upload-contract.ts';
import { listedUploads, uploads } from './upload-record.ts';

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
    'INSERT INTO upload_part (application, upload_id, seq, bytes) VALUES (:application, :id, :seq, :bytes)',
    { application, id, seq, bytes },
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
    moveQuickstart(database, { application, id: quickstartId, to: 'PROCESSING', actor: 'service', at });
  const status = 'PENDING';
  uploads.insert(
    database,
    { application, at },
    { id, quickstartId, fileName, fileSize, materialType, status, report: NO_ROWS },
  );
  enqueueJob(database, { application, kind: PROCESS_UPLOAD, key: id, dueAt: at, at });
  return uploads.require(database, application, id);
}

/** Begins to process a waiting upload; returns its new state. Throws `not_found`. */
function beginUpload(database: Database, { application, id, at }: ById & { at: number }): UploadWithReport {
  const isWaiting = `id = :id AND status = 'PENDING'`;
  uploads.updateAll(database, { application, at }, { status: 'PROCESSING' }, isWaiting, { id });
  return uploads.require(database, application, id);
}

/**
 * Ends the processing of an upload, and that of its quickstart with the last one. `fault`: what is wrong with the file
 * as a whole.
 */
function endUpload(
  database: Database,
  { application, id, fault, at }: ById & { fault: string | null; at: number },
): void {
  const { quickstartId, report } = uploads.require(database, application, id);
  const errorMessage = fault ?? (report.rejectedCount === report.rows ? NO_USE : null);
  const ended = errorMessage === null ? 'COMPLETED' : 'FAILED';
  uploads.update(database, { application, id, at }, { status: ended, errorMessage });
  const isUnderWay = uploadsOf(database, application, quickstartId).some(
    ({ status }) => status === 'PENDING' || status === 'PROCESSING',
  );
  if (isUnderWay) return;
  moveQuickstart(database, {
    application,
    id: quickstartId,
    to: 'TASKS_TOPICS_REVIEW',
    actor: 'service',
    at,
  });
}

/** Removes at most `limit` parts of an upload; whether none is left. */
function dropUploadParts(database: Database, { application, id, limit }: ById & { limit: number }): boolean {
  const dropped = database.run(
    `DELETE FROM upload_part WHERE application = :application AND upload_id = :id AND seq IN (
       SELECT seq FROM upload_part WHERE application = :application AND upload_id = :id ORDER BY seq LIMIT :limit)`,
    { application, id, limit },
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
    'SELECT bytes FROM upload_part WHERE application = :application AND upload_id = :id AND seq = :seq',
    { application, id, seq },
  );
  return row?.bytes ?? null;
}

/** Throws `not_found`. */
const getUpload = (database: Database, { application, id }: ById): UploadWithReport =>
  uploads.require(database, application, id);

/** The newest first. */
const listUploads = (
  database: Database,
  { application, quickstartId }: { application: number; quickstartId: string | undefined },
): QuickstartUpload[] =>
  quickstartId === undefined
    ? listedUploads.all(database, application, 'true ORDER BY created_at DESC, id DESC LIMIT :limit', {
        limit: MAX_LISTED,
      })
    : uploadsOf(database, application, quickstartId);

/** All uploads of a quickstart, the newest first. */
export const uploadsOf = (
  database: Database,
  application: number,
  quickstartId: string,
): QuickstartUpload[] => uploadsByQuickstart(database, application, [quickstartId]).get(quickstartId) ?? [];

/** All uploads of these quickstarts, the newest first. */
export function uploadsByQuickstart(
  database: Database,
  application: number,
  quickstartIds: readonly string[],
): Map<string, QuickstartUpload[]> {
  // The plus makes SQLite find them by their quickstarts and sort them, instead of searching all uploads in that order.
  const condition = `quickstart_id IN ${valuesOf(':ids')} ORDER BY ${unindexed('created_at')} DESC, id DESC`;
  const found = listedUploads.all(database, application, condition, { ids: JSON.stringify(quickstartIds) });
  return Map.groupBy(found, ({ quickstartId }) => quickstartId);
}

export const uploadCommands = { storeUploadPart, createUpload, beginUpload, endUpload, dropUploadParts };
export const uploadQueries = { checkUploadable, brokenUploads, readUploadPart, getUpload, listUploads };
