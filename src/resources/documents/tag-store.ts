import type { Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { each } from '../../storage/dialect.ts';
import type { Database } from '../../storage/database.ts';
import type { Tag, TagList } from '../tags/contract.ts';
import { type ShortTag, shortTags, tags } from '../tags/record.ts';
import { documents } from './record.ts';

interface OfDocument {
  owner: Owner;
  documentId: string;
}

/** Returns the tags of a document with any status. Throws `not_found`. */
function listDocumentTags(
  database: Database,
  { owner, documentId, query }: OfDocument & { query: TagList },
): ListOf<Tag> {
  documents.requireAll(database, owner.application, [documentId]);
  const ofDocument = {
    sql: 'id IN (SELECT tag_id FROM document_tag WHERE application = ? AND document_id = ?)',
    values: [owner.application, documentId],
  };
  return tags.list(database, owner, { where: [ofDocument], page: query });
}

/** Gives a document these tags and no others. Throws `not_found`. */
function replaceDocumentTags(
  database: Database,
  { owner: { application }, documentId, tagIds }: OfDocument & { tagIds: readonly string[] },
): void {
  documents.requireAll(database, application, [documentId]);
  tags.requireAll(database, application, tagIds);
  removeTagsOfDocument(database, { application, documentId });
  database.run(
    `INSERT INTO document_tag (application, document_id, tag_id)
     SELECT :application, :documentId, tag.value FROM ${each(':tagIds')} AS tag WHERE true ON CONFLICT DO NOTHING`,
    { application, documentId, tagIds: JSON.stringify(tagIds) },
  );
}

/** Returns the tags of documents with any status, by name. */
export const tagsOfDocuments = (
  database: Database,
  of: { application: number; ids: readonly string[] },
): Map<string, ShortTag[]> => shortTags(database, { table: 'document_tag', column: 'document_id' }, of);

export function removeTagsOfDocument(
  database: Database,
  { application, documentId }: { application: number; documentId: string },
): void {
  const values = { application, documentId };
  database.run(
    'DELETE FROM document_tag WHERE application = :application AND document_id = :documentId',
    values,
  );
}

/** Removes a tag from all documents. */
export function removeTagFromDocuments(
  database: Database,
  { application, tagId }: { application: number; tagId: string },
): void {
  database.run('DELETE FROM document_tag WHERE application = :application AND tag_id = :tagId', {
    application,
    tagId,
  });
}

export const documentTagCommands = { replaceDocumentTags };
export const documentTagQueries = { listDocumentTags };
