import { randomUUID } from 'node:crypto';
import { createdWithin, isOneOf, oneOfEach, type SqlFragment } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import { containsText, each, jsonField, orderedJoin } from '../../storage/dialect.ts';
import { readApplication } from '../applications/read-application.ts';
import { deleteChunks } from './chunk-store.ts';
import {
  CURRENT_VERSION_STATUSES,
  type Document,
  type DocumentEntry,
  type DocumentFields,
  type DocumentsQuery,
  type GivenDocumentFields,
} from './contract.ts';
import { documents } from './record.ts';
import { removeTagsOfDocument, tagsOfDocuments } from './tag-store.ts';
import {
  insertVersion,
  newestEntries,
  newestVersions,
  readVersion,
  setVersionStatus,
  showCurrentVersion,
} from './version-rows.ts';
import { quickstarts } from '../quickstarts/record.ts';
import { getScrapeJob, scrapeJobs } from '../scrape-jobs/record.ts';
import { topics } from '../topics/record.ts';

/** Origin of a document. */
export interface DocumentOrigin {
  scrapeJobId?: string;
  fileProcessingId?: string;
}

export interface NewDocument extends ById {
  fields: DocumentFields;
  origin?: DocumentOrigin;
  at: number;
}

/** Most characters of the versions in the record of one document. */
const MAX_VERSIONS_SIZE = 4 * 1024 * 1024;
const MAX_VERSION_ENTRIES = 10;

function createDocument(database: Database, { owner, id, fields, origin, at }: NewDocument): Document {
  insertDocument(database, { owner, id, fields, ...(origin && { origin }), at });
  return wholeDocument(database, { owner, id });
}

/** Creates a document. Throws `not_found` for the topic or the quickstart before anything is stored. */
export function insertDocument(
  database: Database,
  { owner, id, fields, origin = {}, at }: NewDocument,
): void {
  const { application } = owner;
  const { title, content, metadata, type, status, originalSentences, scrapeJobId } = fields;
  const isApproved = status === 'ACTIVE' || status === 'APPROVED';
  checkDocumentPlace(database, { application, ...fields });
  scrapeJobs.requireAll(database, application, [scrapeJobId]);
  documents.insert(
    database,
    { application, at },
    {
      ...fields,
      scrapeJobId: scrapeJobId ?? null,
      ...origin,
      id,
      status: isApproved ? 'ACTIVE' : 'DRAFT',
      optimized: false,
      currentVersion: 1,
      chunkCount: 0,
    },
  );
  const language = fields.language ?? readApplication(database, { application }).language;
  insertVersion(database, {
    owner,
    documentId: id,
    id: randomUUID(),
    versionNumber: 1,
    status: isApproved ? 'APPROVED' : status,
    type,
    text: { title, content, language, metadata, originalSentences },
    at,
  });
  showCurrentVersion(database, { owner, documentId: id, at });
  // No caller has seen an earlier version of it.
  database.run('UPDATE document SET modified_at = created_at WHERE application = :application AND id = :id', {
    application,
    id,
  });
}

/** Throws `not_found` unless the given topic and quickstart belong to the application. */
function checkDocumentPlace(
  database: Database,
  {
    application,
    topicId,
    quickstartId,
  }: { application: number; topicId: string | null; quickstartId: string | null },
): void {
  topics.requireAll(database, application, [topicId]);
  quickstarts.requireAll(database, application, [quickstartId]);
}

/** Updates a document. Throws `not_found` for the document or the topic, and `conflict`. */
function updateDocument(
  database: Database,
  { owner, id, given, at }: ById & { given: GivenDocumentFields; at: number },
): void {
  const { application } = owner;
  const before = documents.get(database, { owner, id });
  const { topicId, status } = given;
  if (topicId && topicId !== before.topicId) topics.requireAll(database, application, [topicId]);
  if (status === 'ACTIVE' && before.status !== 'ACTIVE' && before.chunkCount === 0)
    throw new AppError('conflict', 'a document becomes ACTIVE only with an APPROVED version');
  documents.update(database, { application, id, at }, given);
}

/** Activates a document, approving its newest version when none is approved. Throws `not_found`. */
export function approveDocument(database: Database, { owner, id, at }: ById & { at: number }): void {
  const { currentVersion, chunkCount } = documents.get(database, { owner, id });
  if (chunkCount === 0) {
    setVersionStatus(database, { owner, documentId: id, number: currentVersion, to: 'APPROVED', at });
    showCurrentVersion(database, { owner, documentId: id, at });
  }
  documents.update(database, { application: owner.application, id, at }, { status: 'ACTIVE' });
}

/** Most characters of versions that one command deletes, unless it is a single one. */
const STEP_CHARACTERS = 4 * 1024 * 1024;

/** Deletes some versions of a document except the current one; returns whether there are more. */
function deleteOtherVersions(
  database: Database,
  { application, id }: { application: number; id: string },
): boolean {
  const versions = database.all<{ number: number; size: number }>(
    `SELECT version_number AS number, length(content) + length(original_sentences) + length(metadata) AS size
     FROM document_version WHERE application = :application AND document_id = :id AND version_number <> (
       SELECT current_version FROM document WHERE application = :application AND id = :id)
     ORDER BY version_number LIMIT 4`,
    { application, id },
  );
  let left = STEP_CHARACTERS;
  for (const { number, size } of versions) {
    if (left <= 0) return true;
    left -= size;
    database.run(
      'DELETE FROM document_version WHERE application = :application AND document_id = :id AND version_number = :number',
      { application, id, number },
    );
  }
  return versions.length > 0;
}

/**
 * Deletes a document with all its versions; for many versions, call `deleteOtherVersions` first. Throws `not_found`.
 */
function deleteDocument(database: Database, { application, id }: { application: number; id: string }): void {
  documents.delete(database, { application, id });
  removeTagsOfDocument(database, { application, documentId: id });
  deleteChunks(database, { application, documentId: id });
  database.run('DELETE FROM document_version WHERE application = :application AND document_id = :id', {
    application,
    id,
  });
}

/** Returns a document with its scrape job; throws `not_found`. */
function getDocument(database: Database, { owner, id }: ById): Document {
  const document = wholeDocument(database, { owner, id });
  if (document.scrapeJobId === null) return document;
  return { ...document, scrapeJob: getScrapeJob(database, { owner, id: document.scrapeJobId }) };
}

/** Returns a document; throws `not_found`. */
export function wholeDocument(database: Database, { owner, id }: ById): Document {
  const record = documents.get(database, { owner, id });
  return {
    ...record,
    content: readVersion(database, { owner, documentId: id, number: record.currentVersion }).content,
    versions: newestVersions(database, { owner, documentId: id, size: MAX_VERSIONS_SIZE }),
  };
}

function listDocuments(
  database: Database,
  { owner, query }: { owner: Owner; query: DocumentsQuery },
): ListOf<DocumentEntry> {
  const where = documentsThat(owner.application, query);
  const last = query.orderDir === 'asc' ? LAST_TEXT : `''`;
  const order = { assignee: `coalesce(assignee, ${last})` };
  const found = documents.list(database, owner, { where, order, page: query });
  const ids = found.data.map(({ id }) => id);
  const previews = previewsOf(database, owner.application, ids);
  const entries = newestEntries(database, owner, ids, MAX_VERSION_ENTRIES);
  const tags = tagsOfDocuments(database, { application: owner.application, ids });
  const data = found.data.map((record) => ({
    ...record,
    content: previews.get(record.id) ?? '',
    versions: entries.get(record.id) ?? [],
    tags: tags.get(record.id) ?? [],
  }));
  return { data, pagination: found.pagination };
}

/** Returns the beginning of the text of each document, by id. */
function previewsOf(database: Database, application: number, ids: readonly string[]): Map<string, string> {
  const rows = database.all<{ id: string; preview: string }>(
    `SELECT document.id, preview FROM ${each(':ids')} AS wanted
     ${orderedJoin} document ON document.application = :application AND document.id = wanted.value
     ${orderedJoin} document_version AS version ON version.application = :application
       AND version.document_id = document.id AND version.version_number = document.current_version`,
    { application, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map(({ id, preview }) => [id, preview]));
}

/** Greater than every name, so that documents without an assignee are last in both directions. */
const LAST_TEXT = `'\u{10ffff}'`;

/** Returns the condition that a document, or its current version, has one of these statuses. */
function hasStatus(status: NonNullable<DocumentsQuery['status']>): SqlFragment {
  const own = isOneOf('status', status);
  const ofVersion = status.filter((one) => CURRENT_VERSION_STATUSES.some((version) => version === one));
  if (ofVersion.length === 0) return own;
  const { sql, values } = ofCurrentVersion(isOneOf('version.status', ofVersion));
  return { sql: `(${own.sql} OR ${sql})`, values: [...own.values, ...values] };
}

/** Returns the condition that the current version of a document, `version`, meets another one. */
const ofCurrentVersion = ({ sql, values }: SqlFragment): SqlFragment => ({
  sql: `EXISTS (SELECT 1 FROM document_version AS version
    WHERE version.application = document.application AND version.document_id = document.id
      AND version.version_number = document.current_version AND ${sql})`,
  values,
});

/** Returns the conditions of a list; the most expensive one is last. */
function documentsThat(application: number, query: DocumentsQuery): SqlFragment[] {
  const { type, status, topicId, assignee, quickstartId, tagId, isVerified, search, metadataStep } = query;
  const where = oneOfEach({
    type,
    status: query.documentStatus,
    topic_id: topicId,
    assignee,
    quickstart_id: quickstartId,
    scrape_job_id: query.scrapeJobId,
    file_processing_id: query.fileProcessingId,
  });
  where.push(...createdWithin(query));
  if (status) where.push(hasStatus(status));
  if (metadataStep)
    where.push(ofCurrentVersion(isOneOf(jsonField('version.metadata', 'step'), metadataStep)));
  if (tagId) {
    const { sql, values } = isOneOf('tag_id', tagId);
    where.push({
      sql: `id IN (SELECT document_id FROM document_tag WHERE application = ? AND ${sql})`,
      values: [application, ...values],
    });
  }
  if (isVerified !== undefined) where.push({ sql: 'is_verified = ?', values: [Number(isVerified)] });
  if (search !== undefined) where.push({ sql: containsText('?', 'title'), values: [search] });
  return where;
}

export const storeCommands = {
  createDocument,
  updateDocument: ifUnchanged(documents, updateDocument),
  deleteOtherVersions,
  deleteDocument,
};
export const storeQueries = { getDocument, listDocuments, checkDocumentPlace };
