import type { Database, SqlValue } from '../../storage/database.ts';
import { tasks } from '../tasks/record.ts';
import type { RowPage } from '../exports/export-stream.ts';
import type { ExamplesFilter } from './contract.ts';
import type { ExportedExample } from './export-text.ts';
import { exampleFilter } from './filter.ts';
import { examples, withInput } from './record.ts';

/** Most characters of one page, unless its first example has more. */
const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

export interface ExamplePlace {
  position: number;
  id: string;
}

interface ExportExamples {
  application: number;
  taskId: string;
  filter: ExamplesFilter;
  after: ExamplePlace | null;
  limit: number;
}

/** Returns the examples that follow a place in the order of their task. Throws `not_found` for the task. */
function exportExamples(
  database: Database,
  { application, taskId, filter, after, limit }: ExportExamples,
): RowPage<ExportedExample, ExamplePlace> {
  tasks.requireAll(database, application, [taskId]);
  const where = [
    { sql: 'application = ? AND task_id = ?', values: [application, taskId] },
    ...exampleFilter(filter),
    ...(after ? [{ sql: '(position, id) > (?, ?)', values: [after.position, after.id] }] : []),
  ];
  const values: SqlValue[] = where.flatMap((one) => [...one.values]);
  const places = database.all<ExamplePlace & { characters: number }>(
    `SELECT position, id, length(prompt) + coalesce(length(expected), 0) + coalesce(length(metadata), 0) AS characters
     FROM example WHERE ${where.map(({ sql }) => sql).join(' AND ')} ORDER BY position, id LIMIT ?`,
    ...values,
    limit,
  );
  const some = firstOf(places);
  const ids = some.map(({ id }) => id);
  const found = examples.byIds(database, application, ids);
  const end = some.at(-1);
  const isLast = some.length === places.length && places.length < limit;
  return {
    rows: ids.flatMap((id) => found.get(id) ?? []).map((row) => withInput(row)),
    last: end && !isLast ? { position: end.position, id: end.id } : null,
  };
}

/** Returns as many of the first places as a page may have, at least one. */
function firstOf<Place extends { characters: number }>(places: readonly Place[]): readonly Place[] {
  let characters = 0;
  const end = places.findIndex((place, index) => {
    characters += place.characters;
    return index > 0 && characters > MAX_PAGE_CHARACTERS;
  });
  return end === -1 ? places : places.slice(0, end);
}

export const exportQueries = { exportExamples };
