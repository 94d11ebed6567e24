import { AppError } from '../errors.ts';
import type { Database } from './database.ts';

export interface RowKey {
  application: number;
  /** With the columns `application` and `id`. */
  table: string;
  /** What people call a row. */
  noun: string;
  id: string;
}

/** These columns of one row, as they are stored. Throws `not_found` unless the application has it. */
export function requireRow<Row>(
  database: Database,
  { application, table, noun, id }: RowKey,
  columns: string,
): Row {
  const sql = `SELECT ${columns} FROM ${table} WHERE application = ? AND id = ?`;
  const row = database.get<Row>(sql, application, id);
  if (!row) throw notFound(noun);
  return row;
}

export const notFound = (noun: string): AppError => new AppError('not_found', `${noun} not found`);
