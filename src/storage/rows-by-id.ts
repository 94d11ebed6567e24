import { each, orderedJoin } from './dialect.ts';
/**
 * Returns the FROM clause for the rows of `table` that belong to `:application` and whose ids are in the JSON list
 * `:ids`. With `id IN (…)`, SQLite may instead read all rows of the application from an index that covers the
 * columns.
 */
export const withIds = (table: string): string =>
  `(SELECT DISTINCT value AS wanted FROM ${each(':ids')})
   ${orderedJoin} ${table} ON ${table}.application = :application AND ${table}.id = wanted`;
