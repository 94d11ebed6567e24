import type { Database } from '../../storage/database.ts';
import { orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { asIs, nullable, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { TagFields } from './contract.ts';

export const tags = versionedRecord('tag', 'tag', {
  name: text,
  color: text,
  description: nullable(text),
  status: asIs<TagFields['status']>(),
});

/** A tag as the records that have it show it. */
export interface ShortTag {
  id: string;
  name: string;
  color: string;
}

/** Returns the tags of records with any status, by name. `table` joins them to tags, with the ids of records in `column`. */
export function shortTags(
  database: Database,
  { table, column }: { table: 'task_tag' | 'document_tag'; column: 'task_id' | 'document_id' },
  { application, ids }: { application: number; ids: readonly string[] },
): Map<string, ShortTag[]> {
  const rows = database.all<ShortTag & { recordId: string }>(
    `SELECT ${column} AS recordId, tag.id, tag.name, tag.color
     FROM ${table} AS link ${orderedJoin} tag ON tag.id = link.tag_id
     WHERE link.application = :application AND ${column} IN ${valuesOf(':ids')} AND tag.application = :application
     ORDER BY tag.name, tag.id`,
    { application, ids: JSON.stringify(ids) },
  );
  const found = Map.groupBy(rows, ({ recordId }) => recordId);
  return new Map([...found].map(([id, all]) => [id, all.map(({ recordId: _id, ...tag }) => tag)]));
}
