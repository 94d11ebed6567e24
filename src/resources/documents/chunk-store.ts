import { type ListOf, paginate } from '../../contract/paging.ts';
import { type SqlFragment, oneOfEach } from '../../storage/sql.ts';
import type { Database } from '../../storage/database.ts';
import { inTime, orderedJoin, totalOf } from '../../storage/dialect.ts';
import { chunksOf } from './chunks.ts';
import type { ChunksQuery, DocumentChunk } from './contract.ts';

interface OfDocument {
  application: number;
  documentId: string;
}

/** Replaces the chunks of a document; returns their new number. */
export function replaceChunks(
  database: Database,
  { application, documentId, content }: OfDocument & { content: string },
): number {
  deleteChunks(database, { application, documentId });
  const chunks = chunksOf(content);
  for (const [index, { text, start, end }] of chunks.entries()) {
    database.run(
      `INSERT INTO document_chunk (application, document_id, position, starts_at, ends_at, text)
       VALUES (:application, :documentId, :index, :start, :end, :text)`,
      { application, documentId, index, start, end, text },
    );
  }
  return chunks.length;
}

export function deleteChunks(database: Database, { application, documentId }: OfDocument): void {
  database.run('DELETE FROM document_chunk WHERE application = :application AND document_id = :documentId', {
    application,
    documentId,
  });
}

/** Returns the chunks of active documents, ordered by document and position. */
function listChunks(
  database: Database,
  { application, query }: { application: number; query: ChunksQuery },
): ListOf<DocumentChunk> {
  const { sql, values } = documentsThat(application, query);
  const data = database.all<DocumentChunk>(
    `SELECT document_id AS documentId, current_version AS versionNumber, position AS "index", title, text,
       starts_at AS start, ends_at AS end
     FROM (
       SELECT chunk.key, current_version, title
       FROM document ${orderedJoin} document_chunk AS chunk
         ON chunk.application = document.application AND document_id = document.id
       WHERE ${sql} ORDER BY document.id, position LIMIT ? OFFSET ?
     ) ${orderedJoin} document_chunk USING (key) WHERE application = ? ORDER BY document_id, position`,
    ...values,
    query.limit,
    query.skip,
    application,
  );
  const total = database.get<{ n: number }>(
    `SELECT ${totalOf('chunk_count')} AS n FROM document WHERE ${sql}`,
    ...values,
  );
  return { data, pagination: paginate(query, total?.n ?? 0) };
}

function documentsThat(
  application: number,
  { type, topicId, quickstartId, documentId }: ChunksQuery,
): SqlFragment {
  const where: SqlFragment[] = [
    { sql: `document.application = ? AND document.status = 'ACTIVE'`, values: [application] },
    { sql: inTime('document.id'), values: [] },
    ...oneOfEach({
      'document.type': type,
      'document.topic_id': topicId,
      'document.quickstart_id': quickstartId,
      'document.id': documentId,
    }),
  ];
  return { sql: where.map(({ sql }) => sql).join(' AND '), values: where.flatMap(({ values }) => values) };
}

export const chunkQueries = { listChunks };
