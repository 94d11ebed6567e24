/** The rows of versions, and what the row of a document says of them. */
import { isoTime } from '../../contract/values.ts';
import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { cut } from '../../traces/cut.ts';
import { replaceChunks } from './chunk-store.ts';
import { type Document, PREVIEW, type Version, type VersionEntry } from './contract.ts';
import { sentencesOf } from './sentences.ts';
import type { VersionStatus } from './version-states.ts';

export interface VersionText {
  title: string;
  content: string;
  language: string;
  metadata: Record<string, unknown>;
}

export interface OfDocument {
  owner: Owner;
  documentId: string;
}

type EntryRow = Omit<VersionEntry, 'orgId' | 'applicationId' | 'createdAt' | 'modifiedAt'> &
  Record<'createdAt' | 'modifiedAt', number>;
type Row = EntryRow & Record<'content' | 'metadata' | 'originalSentences', string>;

const ENTRY = `id, title, language, status, type, version_number AS versionNumber, document_id AS documentId,
  created_at AS createdAt, modified_at AS modifiedAt`;
const FULL = `${ENTRY}, metadata, original_sentences AS originalSentences, content`;
const OF_DOCUMENT = 'application = ? AND document_id = ?';

export function insertVersion(
  database: Database,
  {
    owner: { application },
    documentId,
    id,
    number,
    status,
    type,
    text,
    at,
  }: OfDocument & {
    id: string;
    number: number;
    status: VersionStatus;
    type: Document['type'];
    text: VersionText;
    at: number;
  },
): void {
  database.run(
    `INSERT INTO document_version (title, language, metadata, content, preview, original_sentences,
       application, document_id, version_number, id, status, type, created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)`,
    ...columnsOf(text),
    application,
    documentId,
    number,
    id,
    status,
    type,
    at,
  );
}

export function changeVersionText(
  database: Database,
  { owner, documentId, number, text, at }: OfDocument & { number: number; text: VersionText; at: number },
): void {
  database.run(
    `UPDATE document_version SET title = ?, language = ?, metadata = ?, content = ?, preview = ?,
       original_sentences = ?, modified_at = ?
     WHERE ${OF_DOCUMENT} AND version_number = ?`,
    ...columnsOf(text),
    at,
    owner.application,
    documentId,
    number,
  );
}

/** In the order in which both statements name them. */
const columnsOf = ({ title, language, metadata, content }: VersionText): string[] => [
  title,
  language,
  JSON.stringify(metadata),
  content,
  cut(content, PREVIEW),
  JSON.stringify(sentencesOf(content, language)),
];

/** To `APPROVED` it takes the place of the one that was approved before. */
export function setVersionStatus(
  database: Database,
  { owner, documentId, number, to, at }: OfDocument & { number: number; to: VersionStatus; at: number },
): void {
  const { application } = owner;
  const set = `UPDATE document_version SET status = ?, modified_at = ? WHERE ${OF_DOCUMENT}`;
  if (to === 'APPROVED')
    database.run(`${set} AND status = 'APPROVED'`, 'ARCHIVED', at, application, documentId);
  database.run(`${set} AND version_number = ?`, to, at, application, documentId, number);
}

/** Lets the document show its approved version, with chunks of that, or while there is none its newest. */
export function showCurrentVersion(
  database: Database,
  { owner, documentId, at }: OfDocument & { at: number },
): void {
  const { application } = owner;
  const current = database.get<{ number: number; title: string; status: VersionStatus }>(
    `SELECT version_number AS number, title, status FROM document_version WHERE ${OF_DOCUMENT}
     ORDER BY status = 'APPROVED' DESC, version_number DESC LIMIT 1`,
    application,
    documentId,
  );
  if (!current) throw new Error(`document ${documentId} has no version`);
  const { number, title, status } = current;
  if (status === 'APPROVED') chunkVersion(database, { owner, documentId, number });
  database.run(
    `UPDATE document SET current_version = ?, title = ?, modified_at = ? WHERE application = ? AND id = ?`,
    number,
    title,
    at,
    application,
    documentId,
  );
}

/** Does nothing when it was done before: the text of an approved version never changes. */
function chunkVersion(
  database: Database,
  { owner, documentId, number }: OfDocument & { number: number },
): void {
  const { application } = owner;
  const isDone = database.get(
    'SELECT 1 FROM document WHERE application = ? AND id = ? AND current_version = ? AND chunk_count > 0',
    application,
    documentId,
    number,
  );
  if (isDone) return;
  const { content } = readVersion(database, { owner, documentId, number });
  const chunks = replaceChunks(database, { application, documentId, content });
  database.run(
    'UPDATE document SET chunk_count = ? WHERE application = ? AND id = ?',
    chunks,
    application,
    documentId,
  );
}

/** Throws `not_found`. */
export function readVersion(
  database: Database,
  { owner, documentId, number }: OfDocument & { number: number },
): Version {
  const row = database.get<Row>(
    `SELECT ${FULL} FROM document_version WHERE ${OF_DOCUMENT} AND version_number = ?`,
    owner.application,
    documentId,
    number,
  );
  if (!row) throw new AppError('not_found', 'version not found');
  return versionOf(row, owner);
}

/** The newest versions of a document, as many as have `size` characters together, and always one. */
export function newestVersions(
  database: Database,
  { owner, documentId, size }: OfDocument & { size: number },
): Version[] {
  const versions: Version[] = [];
  for (let [below, left] = [Number.MAX_SAFE_INTEGER, size]; left > 0; ) {
    const row = database.get<Row>(
      `SELECT ${FULL} FROM document_version WHERE ${OF_DOCUMENT} AND version_number < ?
       ORDER BY version_number DESC LIMIT 1`,
      owner.application,
      documentId,
      below,
    );
    if (!row) break;
    below = row.versionNumber;
    left -= row.content.length + row.originalSentences.length + row.metadata.length;
    if (left > 0 || versions.length === 0) versions.push(versionOf(row, owner));
  }
  return versions;
}

export function listVersionEntries(
  database: Database,
  {
    owner,
    documentId,
    skip,
    limit,
    orderDir,
  }: OfDocument & { skip: number; limit: number; orderDir: 'asc' | 'desc' },
): VersionEntry[] {
  return database
    .all<EntryRow>(
      `SELECT ${ENTRY} FROM document_version WHERE ${OF_DOCUMENT}
       ORDER BY version_number ${orderDir === 'asc' ? 'ASC' : 'DESC'} LIMIT ? OFFSET ?`,
      owner.application,
      documentId,
      limit,
      skip,
    )
    .map((row) => entryOf(row, owner));
}

const entryOf = <R extends EntryRow>(row: R, { orgId, applicationId }: Owner) => ({
  ...row,
  orgId,
  applicationId,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
});

const versionOf = (row: Row, owner: Owner): Version => ({
  ...entryOf(row, owner),
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
  originalSentences: JSON.parse(row.originalSentences) as string[],
});
