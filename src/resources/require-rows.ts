import { AppError } from '../errors.ts';
import type { Database } from '../storage/sqlite/database.ts';
import { withIds } from '../storage/sqlite/rows-by-id.ts';

/** Tables, and what people call their rows. */
const NAMES = {
  annotation_queue: 'annotation queue',
  definition: 'evaluation definition',
  experiment: 'experiment',
  experiment_variant: 'variant',
  inference_step: 'inference step',
  quickstart: 'quickstart',
  run: 'run',
  style_guide: 'style guide',
  tag: 'tag',
  task: 'task',
  test: 'test',
  topic: 'topic',
  upload: 'upload',
} as const;

/** Throws `not_found` unless the application has all these rows of `table`. */
export function requireRows(
  database: Database,
  application: number,
  table: keyof typeof NAMES,
  ids: readonly string[],
): void {
  const known = database.get<{ n: number }>(
    `SELECT count(*) AS n FROM ${withIds(table)}`,
    application,
    JSON.stringify(ids),
  );
  if (known?.n !== new Set(ids).size) throw notFound(table);
}

/** These columns of one row of `table`. Throws `not_found` unless the application has it. */
export function requireRow<Row>(
  database: Database,
  application: number,
  table: keyof typeof NAMES,
  id: string,
  columns: string,
): Row {
  const row = database.get<Row>(
    `SELECT ${columns} FROM ${table} WHERE application = ? AND id = ?`,
    application,
    id,
  );
  if (!row) throw notFound(table);
  return row;
}

const notFound = (table: keyof typeof NAMES): AppError =>
  new AppError('not_found', `${NAMES[table]} not found`);
