/** Rows of versions, and the fields of a document that follow from them. */
import type { Owner } from '../../contract/owner.ts';
import { type FieldsOf, owned } from '../../storage/record.ts';
import { notFound } from '../../storage/require-row.ts';
import type { Database } from '../../storage/database.ts';
import { each, orderedJoin } from '../../storage/dialect.ts';
import { truncate } from '../../traces/truncate.ts';
import { replaceChunks } from './chunk-store.ts';
import { type Document, PREVIEW, type Version, type VersionEntry, type VersionsQuery } from './contract.ts';
import { documents } from './record.ts';
import { sentencesOf } from './sentences.ts';
import { versionEntries, versions } from './version-record.ts';
import type { VersionStatus } from './version-states.ts';

export interface VersionText {
  title: string;
  content: string;
  language: string;
  metadata: Record<string, unknown>;
  /** Sentences as the caller divided them; absent: found by the rules of the language. */
  originalSentences?: string[] | undefined;
}

export interface OfDocument {
  owner: Owner;
  documentId: string;
}

type NumberedAt = OfDocument & { number: number; at: number };

const OF_DOCUMENT = 'document_id = :documentId';
const IS_NUMBER = 'version_number = :number';

export function insertVersion(
  database: Database,
  {
    owner: { application },
    at,
    text,
    ...version
  }: OfDocument & {
    id: string;
    versionNumber: number;
    status: VersionStatus;
    type: Document['type'];
    text: VersionText;
    at: number;
  },
): void {
  versions.insert(database, { application, at }, { ...version, ...withDerived(text) });
}

export function changeVersionText(
  database: Database,
  { text, ...version }: NumberedAt & { text: VersionText },
): void {
  changeVersions(database, version, withDerived(text), IS_NUMBER);
}

const withDerived = ({ title, language, metadata, content, originalSentences }: VersionText) => ({
  title,
  language,
  metadata,
  content,
  preview: truncate(content, PREVIEW),
  originalSentences: originalSentences ?? sentencesOf(content, language),
});

/** Changes the status of a version. When it becomes `APPROVED`, the previously approved version is archived. */
export function setVersionStatus(
  database: Database,
  { to, ...version }: NumberedAt & { to: VersionStatus },
): void {
  if (to === 'APPROVED') changeVersions(database, version, { status: 'ARCHIVED' }, `status = 'APPROVED'`);
  changeVersions(database, version, { status: to }, IS_NUMBER);
}

/** Changes the versions of a document that meet the condition. */
function changeVersions(
  database: Database,
  { owner: { application }, documentId, number, at }: NumberedAt,
  given: Parameters<typeof versions.updateAll>[2],
  condition: string,
): void {
  const values = { documentId, number };
  versions.updateAll(database, { application, at }, given, `${OF_DOCUMENT} AND ${condition}`, values);
}

const titles = versions.pick('versionNumber', 'title', 'status');

/**
 * Sets the fields of the document to its approved version, with its chunks, or to the newest version while none is
 * approved.
 */
export function showCurrentVersion(
  database: Database,
  { owner, documentId, at }: OfDocument & { at: number },
): void {
  const { application } = owner;
  const condition = `${OF_DOCUMENT} ORDER BY status = 'APPROVED' DESC, version_number DESC LIMIT 1`;
  const [current] = titles.all(database, application, condition, { documentId });
  if (!current) throw new Error(`document ${documentId} has no version`);
  const { versionNumber: currentVersion, title, status } = current;
  const shown = documents.require(database, application, documentId);
  // The text of an approved version never changes.
  const isChunked = shown.currentVersion === currentVersion && shown.chunkCount > 0;
  if (status === 'APPROVED' && !isChunked) {
    const { content } = readVersion(database, { owner, documentId, number: currentVersion });
    const chunkCount = replaceChunks(database, { application, documentId, content });
    documents.update(database, { application, id: documentId, at }, { chunkCount });
  }
  documents.update(database, { application, id: documentId, at }, { currentVersion, title });
}

/** Returns a version; throws `not_found`. */
export function readVersion(
  database: Database,
  { owner, documentId, number }: OfDocument & { number: number },
): Version {
  const condition = `${OF_DOCUMENT} AND ${IS_NUMBER}`;
  const [version] = versions.all(database, owner.application, condition, { documentId, number });
  if (!version) throw notFound('version');
  return owned(version, owner);
}

/** Returns the newest versions of a document, up to `size` characters, but at least one. */
export function newestVersions(
  database: Database,
  { owner, documentId, size }: OfDocument & { size: number },
): Version[] {
  const found: Version[] = [];
  const condition = `${OF_DOCUMENT} AND version_number < :below ORDER BY version_number DESC LIMIT 1`;
  for (let [below, left] = [Number.MAX_SAFE_INTEGER, size]; left > 0; ) {
    const [version] = versions.all(database, owner.application, condition, { documentId, below });
    if (!version) break;
    below = version.versionNumber;
    left -= charactersOf(version);
    if (left > 0 || found.length === 0) found.push(owned(version, owner));
  }
  return found;
}

const charactersOf = ({ content, originalSentences, metadata }: FieldsOf<typeof versions>): number =>
  content.length + JSON.stringify(originalSentences).length + JSON.stringify(metadata).length;

export const listVersionEntries = (
  database: Database,
  {
    owner,
    documentId,
    skip,
    limit,
    orderDir,
  }: OfDocument & Pick<VersionsQuery, 'skip' | 'limit' | 'orderDir'>,
): VersionEntry[] =>
  versionEntries
    .all(
      database,
      owner.application,
      `${OF_DOCUMENT} ORDER BY version_number ${orderDir === 'asc' ? 'ASC' : 'DESC'} LIMIT :limit OFFSET :skip`,
      { documentId, limit, skip },
    )
    .map((entry) => owned(entry, owner));

/** Returns at most `limit` of the newest versions of each document, newest first. */
export function newestEntries(
  database: Database,
  owner: Owner,
  documentIds: readonly string[],
  limit: number,
): Map<string, VersionEntry[]> {
  const rows = database.all<object>(
    `SELECT ${versionEntries.selected} FROM ${each(':ids')} AS wanted ${orderedJoin} document_version
     ON document_version.key IN (
       SELECT newest.key FROM document_version AS newest
       WHERE newest.application = :application AND newest.document_id = wanted.value
       ORDER BY newest.version_number DESC LIMIT :limit)
     ORDER BY document_version.version_number DESC`,
    { ids: JSON.stringify(documentIds), application: owner.application, limit },
  );
  const entries = rows.map((row) => owned(versionEntries.decode(row), owner));
  return Map.groupBy(entries, ({ documentId }) => documentId);
}
