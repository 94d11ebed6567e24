import { type ListOf, paginate } from '../../contract/paging.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import type {
  DocumentHead,
  GivenVersionFields,
  Version,
  VersionEntry,
  VersionFields,
  VersionsQuery,
} from './contract.ts';
import { documents } from './record.ts';
import {
  changeVersionText,
  insertVersion,
  listVersionEntries,
  type OfDocument,
  readVersion,
  setVersionStatus,
  showCurrentVersion,
  type VersionText,
} from './version-rows.ts';
import { checkMove } from './version-states.ts';

const MAX_VERSIONS = 1_000;

const heads = documents.pick('id', 'title', 'type');

/** A version with the document that it belongs to. */
interface VersionOf {
  data: Version;
  version: Version;
  document: DocumentHead;
}

/** Returns a version as the API shows it; throws `not_found`. */
function versionOf(
  database: Database,
  { owner, documentId, number }: OfDocument & { number: number },
): VersionOf {
  const document = documents.get(database, { owner, id: documentId });
  const version = readVersion(database, { owner, documentId, number });
  return { data: version, version, document };
}

/** Creates a draft after the newest version. Throws `not_found`, and `conflict` when there are too many. */
function createDocumentVersion(
  database: Database,
  { owner, documentId, id, fields, at }: OfDocument & { id: string; fields: VersionFields; at: number },
): VersionOf {
  const { title, type } = heads.require(database, owner.application, documentId);
  const [newest] = listVersionEntries(database, { owner, documentId, skip: 0, limit: 1, orderDir: 'desc' });
  if (!newest || newest.versionNumber >= MAX_VERSIONS)
    throw new AppError('conflict', `a document has at most ${MAX_VERSIONS} versions`);
  const newestText = readVersion(database, { owner, documentId, number: newest.versionNumber });
  const { language, metadata, content, originalSentences } = newestText;
  // Sentences belong to the content that they were found in.
  const kept = fields.content === undefined ? { content, originalSentences } : { content };
  const versionNumber = newest.versionNumber + 1;
  const text = applyPatch<VersionText>({ title, language, metadata, ...kept }, fields);
  insertVersion(database, { owner, documentId, id, versionNumber, status: 'DRAFT', type, text, at });
  showCurrentVersion(database, { owner, documentId, at });
  return versionOf(database, { owner, documentId, number: versionNumber });
}

/** Changes the text of a draft, then its status. Throws `not_found` and `conflict`. */
function updateDocumentVersion(
  database: Database,
  {
    owner,
    documentId,
    number,
    given: { status: to, ...texts },
    at,
  }: OfDocument & { number: number; given: GivenVersionFields; at: number },
): VersionOf {
  heads.require(database, owner.application, documentId);
  const before = readVersion(database, { owner, documentId, number });
  if (Object.values(texts).some((value) => value !== undefined)) {
    if (before.status !== 'DRAFT')
      throw new AppError(
        'conflict',
        `only a version that is DRAFT can be changed; this one is ${before.status}`,
      );
    // Sentences belong to the content that they were found in.
    const { originalSentences, ...rest } = before;
    const kept = texts.content === undefined ? { ...rest, originalSentences } : rest;
    const text = applyPatch<VersionText>(kept, texts);
    changeVersionText(database, { owner, documentId, number, text, at });
  }
  if (to !== undefined && to !== before.status) {
    checkMove(before.status, to);
    setVersionStatus(database, { owner, documentId, number, to, at });
  }
  showCurrentVersion(database, { owner, documentId, at });
  return versionOf(database, { owner, documentId, number });
}

/** Returns the versions of a document; throws `not_found`. */
function listDocumentVersions(
  database: Database,
  { owner, documentId, query }: OfDocument & { query: VersionsQuery },
): ListOf<VersionEntry> & { versions: VersionEntry[]; document: DocumentHead } {
  const document = documents.get(database, { owner, id: documentId });
  const counted = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM document_version WHERE application = :application AND document_id = :documentId',
    { application: owner.application, documentId },
  );
  const { skip, limit, orderDir } = query;
  const versions = listVersionEntries(database, { owner, documentId, skip, limit, orderDir });
  return {
    data: versions,
    versions,
    document,
    pagination: paginate(query, counted?.n ?? 0),
  };
}

/** Approves a version regardless of its status, and activates the document. Throws `not_found`. */
function activateDocumentVersion(
  database: Database,
  { owner, documentId, number, at }: OfDocument & { number: number; at: number },
): VersionOf {
  const { application } = owner;
  heads.require(database, application, documentId);
  readVersion(database, { owner, documentId, number });
  setVersionStatus(database, { owner, documentId, number, to: 'APPROVED', at });
  showCurrentVersion(database, { owner, documentId, at });
  documents.update(database, { application, id: documentId, at }, { status: 'ACTIVE' });
  return versionOf(database, { owner, documentId, number });
}

export const versionCommands = { createDocumentVersion, updateDocumentVersion, activateDocumentVersion };
export const versionQueries = { getDocumentVersion: versionOf, listDocumentVersions };
