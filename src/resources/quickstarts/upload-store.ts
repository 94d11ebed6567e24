import { AppError } from '../../errors.ts';
import { enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { unindexed, valuesOf } from '../../storage/dialect.ts';
import { moveQuickstart, statusOf } from './move.ts';
import { requireMove } from './states.ts';
import type { MaterialType, QuickstartUpload, UploadReport, UploadWithReport } from './upload-contract.ts';
import { listedUploads, uploads } from './upload-record.ts';

/** Kind of the jobs that process uploads; their key is the id of an upload. */
export const PROCESS_UPLOAD = 'process-upload';
/** Most uploads of a quickstart, because its record lists all of them. */
const MAX_UPLOADS = 100;
const MAX_LISTED = 1_000;

interface ById {
  application: number;
  id: string;
}

/** Stores a part of an incoming file. */
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

const NO_USE = 'None of its rows could be used';

interface NewUpload extends ById {
  quickstartId: string;
  fileName: string;
  fileSize: number;
  materialType: MaterialType;
  at: number;
}

/** Throws `not_found`, and `conflict` when the quickstart accepts no upload now. */
function checkUploadable(
  database: Database,
  { application, quickstartId }: { application: number; quickstartId: string },
): void {
  const status = statusOf(database, application, quickstartId);
  if (status !== 'PROCESSING') requireMove(status, 'PROCESSING', 'service');
  if (uploadsOf(database, application, quickstartId).length >= MAX_UPLOADS)
    throw new AppError('conflict', `A quickstart accepts at most ${MAX_UPLOADS} uploads`);
}

/** Creates an upload from the stored parts, and enqueues its processing. Throws the errors of `checkUploadable`. */
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
 * Ends the processing of an upload, and with the last one that of its quickstart. `fault` is the fault of the
 * complete file.
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

/** Removes at most `limit` parts of an upload; returns whether none is left. */
function dropUploadParts(database: Database, { application, id, limit }: ById & { limit: number }): boolean {
  const dropped = database.run(
    `DELETE FROM upload_part WHERE application = :application AND upload_id = :id AND seq IN (
       SELECT seq FROM upload_part WHERE application = :application AND upload_id = :id ORDER BY seq LIMIT :limit)`,
    { application, id, limit },
  );
  return dropped < limit;
}

/** Returns files that were only partly received before the process ended. Call it before new uploads arrive. */
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

/** Returns an upload; throws `not_found`. */
const getUpload = (database: Database, { application, id }: ById): UploadWithReport =>
  uploads.require(database, application, id);

/** Returns uploads, newest first. */
const listUploads = (
  database: Database,
  { application, quickstartId }: { application: number; quickstartId: string | undefined },
): QuickstartUpload[] =>
  quickstartId === undefined
    ? listedUploads.all(database, application, 'true ORDER BY created_at DESC, id DESC LIMIT :limit', {
        limit: MAX_LISTED,
      })
    : uploadsOf(database, application, quickstartId);

/** Returns all uploads of a quickstart, newest first. */
export const uploadsOf = (
  database: Database,
  application: number,
  quickstartId: string,
): QuickstartUpload[] => uploadsByQuickstart(database, application, [quickstartId]).get(quickstartId) ?? [];

/** Returns all uploads of these quickstarts, newest first. */
export function uploadsByQuickstart(
  database: Database,
  application: number,
  quickstartIds: readonly string[],
): Map<string, QuickstartUpload[]> {
  // The plus makes SQLite find the uploads by their quickstarts and sort them, instead of scanning all uploads in
  // that order.
  const condition = `quickstart_id IN ${valuesOf(':ids')} ORDER BY ${unindexed('created_at')} DESC, id DESC`;
  const found = listedUploads.all(database, application, condition, { ids: JSON.stringify(quickstartIds) });
  return Map.groupBy(found, ({ quickstartId }) => quickstartId);
}

export const quickstartUploadCommands = {
  storeUploadPart,
  createUpload,
  beginUpload,
  endUpload,
  dropUploadParts,
};
export const uploadQueries = { checkUploadable, brokenUploads, readUploadPart, getUpload, listUploads };
