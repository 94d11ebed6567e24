import type { Database, SqlValue } from '../../storage/database.ts';
import { tasks } from '../tasks/record.ts';
import type { RowPage } from '../exports/export-stream.ts';
import { pageOfPlaces } from '../exports/page-of-places.ts';
import type { ExamplesFilter } from './contract.ts';
import type { ExportedExample } from './export-table.ts';
import { exampleFilter } from './filter.ts';
import { examples, withInput } from './record.ts';

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
  const some = pageOfPlaces(places);
  const ids = some.map(({ id }) => id);
  const found = examples.byIds(database, application, ids);
  const end = some.at(-1);
  const isLast = some.length === places.length && places.length < limit;
  return {
    rows: ids.flatMap((id) => found.get(id) ?? []).map((row) => withInput(row)),
    last: end && !isLast ? { position: end.position, id: end.id } : null,
  };
}

export const exportQueries = { exportExamples };
