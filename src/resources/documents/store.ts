import { randomUUID } from 'node:crypto';
import { type SqlFragment, oneOf } from '../../storage/sql.ts';
import type { Owner } from '../../contract/owner.ts';
import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { listRows } from '../../storage/list-rows.ts';
import { readApplication } from '../read-application.ts';
import { requireRows } from '../require-rows.ts';
import type { ScrapeJob } from '../scrape-jobs/contract.ts';
import { withGiven } from '../with-given.ts';
import { deleteChunks } from './chunk-store.ts';
import type {
  Document,
  DocumentEntry,
  DocumentFields,
  DocumentsQuery,
  GivenDocumentFields,
} from './contract.ts';
import {
  insertVersion,
  listVersionEntries,
  newestVersions,
  readVersion,
  setVersionStatus,
  showCurrentVersion,
} from './version-rows.ts';

interface ById {
  owner: Owner;
  id: string;
}

/** What a document was made of. */
export interface DocumentOrigin {
  scrapeJobId?: string;
  fileProcessingId?: string;
}

export interface NewDocument extends ById {
  fields: DocumentFields;
  origin?: DocumentOrigin;
  at: number;
}

/** Of the versions in the record of one document, in characters. */
const MAX_VERSIONS_SIZE = 4 * 1024 * 1024;
const MAX_VERSION_ENTRIES = 10;

function createDocument(database: Database, { owner, id, fields, origin, at }: NewDocument): Document {
  insertDocument(database, { owner, id, fields, ...(origin && { origin }), at });
  return readDocument(database, { owner, id });
}

/** Throws `not_found` of the topic or the quickstart before it does anything. */
export function insertDocument(
  database: Database,
  { owner, id, fields, origin = {}, at }: NewDocument,
): void {
  const { application } = owner;
  const { type, status, assignee, isVerified, topicId, quickstartId } = fields;
  checkDocumentPlace(database, { application, topicId, quickstartId });
  database.run(
    `INSERT INTO document (id, application, type, status, title, optimized, is_verified, assignee, scrape_job_id,
       file_processing_id, topic_id, quickstart_id, current_version, chunk_count, created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?10, ?11, 1, 0, ?12, ?12)`,
    id,
    application,
    type,
    status,
    fields.title,
    Number(isVerified),
    assignee,
    origin.scrapeJobId ?? null,
    origin.fileProcessingId ?? null,
    topicId,
    quickstartId,
    at,
  );
  const { title, content, metadata } = fields;
  const language = fields.language ?? readApplication(database, { application }).language;
  insertVersion(database, {
    owner,
    documentId: id,
    id: randomUUID(),
    number: 1,
    status: status === 'ACTIVE' ? 'APPROVED' : 'DRAFT',
    type,
    text: { title, content, language, metadata },
    at,
  });
  showCurrentVersion(database, { owner, documentId: id, at });
}

/** Throws `not_found` unless topic and quickstart are the application's, as far as they are given. */
function checkDocumentPlace(
  database: Database,
  {
    application,
    topicId,
    quickstartId,
  }: { application: number; topicId: string | null; quickstartId: string | null },
): void {
  if (topicId !== null) requireRows(database, application, 'topic', [topicId]);
  if (quickstartId !== null) requireRows(database, application, 'quickstart', [quickstartId]);
}

/** Throws `not_found` of the document or the topic, and `conflict`. */
function updateDocument(
  database: Database,
  { owner, id, given, at }: ById & { given: GivenDocumentFields; at: number },
): void {
  const { application } = owner;
  const before = rowOf(database, { owner, id });
  const { topicId, assignee, isVerified, status } = withGiven(
    { ...before, isVerified: before.isVerified === 1 },
    given,
  );
  if (topicId !== null && topicId !== before.topicId) requireRows(database, application, 'topic', [topicId]);
  if (status === 'ACTIVE' && before.status !== 'ACTIVE' && before.chunkCount === 0)
    throw new AppError('conflict', 'a document becomes ACTIVE only with an APPROVED version');
  database.run(
    `UPDATE document SET topic_id = ?, assignee = ?, is_verified = ?, status = ?, modified_at = ?
     WHERE application = ? AND id = ?`,
    topicId,
    assignee,
    Number(isVerified),
    status,
    at,
    application,
    id,
  );
}

/** Makes a document active, with its newest version when none is approved yet. Throws `not_found`. */
function approveDocument(database: Database, { owner, id, at }: ById & { at: number }): void {
  const { currentVersion, chunkCount } = rowOf(database, { owner, id });
  if (chunkCount === 0) {
    setVersionStatus(database, { owner, documentId: id, number: currentVersion, to: 'APPROVED', at });
    showCurrentVersion(database, { owner, documentId: id, at });
  }
  database.run(
    `UPDATE document SET status = 'ACTIVE', modified_at = ? WHERE application = ? AND id = ?`,
    at,
    owner.application,
    id,
  );
}

/** Characters of versions that one command deletes, as far as it is more than one. */
const STEP_CHARACTERS = 4 * 1024 * 1024;

/** Deletes some versions of a document beside the current one; whether there are more. */
function deleteOtherVersions(
  database: Database,
  { application, id }: { application: number; id: string },
): boolean {
  const versions = database.all<{ number: number; size: number }>(
    `SELECT version_number AS number, length(content) + length(original_sentences) + length(metadata) AS size
     FROM document_version WHERE application = ?1 AND document_id = ?2 AND version_number <> (
       SELECT current_version FROM document WHERE application = ?1 AND id = ?2)
     ORDER BY version_number LIMIT 4`,
    application,
    id,
  );
  let left = STEP_CHARACTERS;
  for (const { number, size } of versions) {
    if (left <= 0) return true;
    left -= size;
    database.run(
      'DELETE FROM document_version WHERE application = ? AND document_id = ? AND version_number = ?',
      application,
      id,
      number,
    );
  }
  return versions.length > 0;
}

/** With all its versions: of many, `deleteOtherVersions` comes first. Throws `not_found`. */
function deleteDocument(database: Database, { application, id }: { application: number; id: string }): void {
  if (database.run('DELETE FROM document WHERE application = ? AND id = ?', application, id) === 0)
    throw new AppError('not_found', 'document not found');
  deleteChunks(database, { application, documentId: id });
  database.run('DELETE FROM document_version WHERE application = ? AND document_id = ?', application, id);
}

type Own = 'id' | 'type' | 'status' | 'title' | 'assignee' | 'scrapeJobId' | 'fileProcessingId';
interface Row extends Pick<Document, Own | 'topicId' | 'quickstartId'> {
  optimized: number;
  isVerified: number;
  currentVersion: number;
  /** None while no version is approved: a content that may be approved has some. */
  chunkCount: number;
  createdAt: number;
  modifiedAt: number;
}
const COLUMNS = `id, type, status, title, optimized, is_verified AS isVerified, assignee, scrape_job_id AS scrapeJobId,
  file_processing_id AS fileProcessingId, topic_id AS topicId, quickstart_id AS quickstartId,
  current_version AS currentVersion, chunk_count AS chunkCount, created_at AS createdAt, modified_at AS modifiedAt`;
const ORDER = {
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
  title: 'title',
  type: 'type',
  status: 'status',
  id: 'id',
};

function rowOf(database: Database, { owner, id }: ById): Row {
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM document WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'document not found');
  return row;
}

/** A scrape job, which has to be there. */
export type FindScrapeJob = (database: Database, args: ById) => ScrapeJob;

/** Throws `not_found`. */
const getDocument =
  (findScrapeJob: FindScrapeJob) =>
  (database: Database, { owner, id }: ById): Document => {
    const document = readDocument(database, { owner, id });
    if (document.scrapeJobId === null) return document;
    return { ...document, scrapeJob: findScrapeJob(database, { owner, id: document.scrapeJobId }) };
  };

/** Throws `not_found`. */
function readDocument(database: Database, { owner, id }: ById): Document {
  const row = rowOf(database, { owner, id });
  return {
    ...fieldsOf(row, owner),
    content: readVersion(database, { owner, documentId: id, number: row.currentVersion }).content,
    versions: newestVersions(database, { owner, documentId: id, size: MAX_VERSIONS_SIZE }),
  };
}

function listDocuments(
  database: Database,
  { owner, query }: { owner: Owner; query: DocumentsQuery },
): { data: DocumentEntry[]; pagination: Pagination } {
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'document',
    columns: COLUMNS,
    where: documentsThat(query),
    order: ORDER,
    page: query,
  });
  const entries = { skip: 0, limit: MAX_VERSION_ENTRIES, orderDir: 'desc' } as const;
  const data = rows.map((row) => ({
    ...fieldsOf(row, owner),
    content: previewOf(database, owner.application, row),
    versions: listVersionEntries(database, { owner, documentId: row.id, ...entries }),
  }));
  return { data, pagination };
}

function previewOf(database: Database, application: number, { id, currentVersion }: Row): string {
  const found = database.get<{ preview: string }>(
    'SELECT preview FROM document_version WHERE application = ? AND document_id = ? AND version_number = ?',
    application,
    id,
    currentVersion,
  );
  return found?.preview ?? '';
}

/** The dearest question is asked last. */
function documentsThat({
  type,
  status,
  topicId,
  assignee,
  quickstartId,
  isVerified,
  search,
}: DocumentsQuery): SqlFragment[] {
  const where: SqlFragment[] = [];
  if (type) where.push(oneOf('type', type));
  if (status) where.push(oneOf('status', status));
  if (topicId) where.push(oneOf('topic_id', topicId));
  if (assignee) where.push(oneOf('assignee', assignee));
  if (quickstartId) where.push(oneOf('quickstart_id', quickstartId));
  if (isVerified !== undefined) where.push({ sql: 'is_verified = ?', values: [Number(isVerified)] });
  if (search !== undefined) where.push({ sql: 'contains_text(?, title)', values: [search] });
  return where;
}

const fieldsOf = (row: Row, { orgId, applicationId }: Owner): Omit<Document, 'content' | 'versions'> => ({
  ...row,
  orgId,
  applicationId,
  optimized: row.optimized === 1,
  isVerified: row.isVerified === 1,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
});

export const storeCommands = {
  createDocument,
  updateDocument,
  approveDocument,
  deleteOtherVersions,
  deleteDocument,
};
export const storeQueries = (findScrapeJob: FindScrapeJob) => ({
  getDocument: getDocument(findScrapeJob),
  listDocuments,
  checkDocumentPlace,
});
