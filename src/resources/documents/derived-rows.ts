import type { DerivedRows } from '../../storage/derived-rows.ts';

interface DocumentKey {
  application: number;
  id: string;
}

const CHUNKS = `(SELECT count(*) FROM document_chunk
  WHERE document_chunk.application = document.application AND document_id = document.id)`;

/** The number of its chunks in the row of a document. */
const chunkCounts: DerivedRows<DocumentKey> = {
  what: 'counts of chunks',
  find: (database, limit) =>
    database.all<DocumentKey>(
      `SELECT application, id FROM document WHERE chunk_count <> ${CHUNKS} LIMIT :limit`,
      { limit },
    ),
  describe: ({ id }) => ({ of: `document ${id}`, fault: 'its row counts other chunks than it has' }),
  repair: (database, { application, id }) =>
    void database.run(
      `UPDATE document SET chunk_count = ${CHUNKS} WHERE application = :application AND id = :id`,
      { application, id },
    ),
};

export const DERIVED_OF_DOCUMENTS = [chunkCounts] as DerivedRows[];
