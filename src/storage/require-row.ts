import { AppError } from '../errors.ts';
import type { Database } from './database.ts';

export interface RowKey {
  application: number;
  /** Table with the columns `application` and `id`. */
  table: string;
  /** Word for a row in error messages. */
  noun: string;
  id: string;
}

/** Reads these columns of one row as they are stored. Throws `not_found` unless the row exists in the application. */
export function requireRow<Row>(
  database: Database,
  { application, table, noun, id }: RowKey,
  columns: string,
): Row {
  const sql = `SELECT ${columns} FROM ${table} WHERE application = :application AND id = :id`;
  const row = database.get<Row>(sql, { application, id });
  if (!row) throw notFound(noun);
  return row;
}

export const notFound = (noun: string): AppError => new AppError('not_found', `${noun} not found`);
