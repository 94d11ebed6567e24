import Sqlite from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { damaged } from './inspect.ts';
import { APPLICATION_ID, makeSchema, OLDEST_SCHEMA, SCHEMA_VERSION, UNFINISHED_COPY_ID } from './migrate.ts';
import { emptyDatabaseText, NoStoreError } from './no-store-error.ts';
import { tableNames } from './schema.ts';

export interface StoreHeader {
  applicationId: number;
  schema: number;
}

export const readHeader = (database: Database): StoreHeader =>
  database.get<StoreHeader>(
    `SELECT (SELECT application_id FROM pragma_application_id) AS "applicationId",
       (SELECT user_version FROM pragma_user_version) AS schema`,
  ) as StoreHeader;

/** Throws StartupError when a database is that of another program, or the target of an unfinished copy. */
export function checkApplicationId(file: string, applicationId: number): void {
  if (applicationId === UNFINISHED_COPY_ID)
    throw new StartupError(
      `${file} is the unfinished target of touchstone copy; repeat that command, which continues it, or delete the file.`,
    );
  if (applicationId !== APPLICATION_ID)
    throw new StartupError(`${file} is a SQLite database of another program; choose another data folder.`);
}

/** Throws StartupError when the header of a database is not that of a store which this version opens or migrates. */
export function checkHeader(file: string, { applicationId, schema }: StoreHeader): void {
  checkApplicationId(file, applicationId);
  if (schema < 1) throw damaged(file, `its schema has the version ${schema}, which no store has`);
  if (schema < OLDEST_SCHEMA) {
    throw new StartupError(
      `${file} was written before the first release of Touchstone (schema ${schema}); this version migrates schema ${OLDEST_SCHEMA} and later.`,
    );
  }
  if (schema > SCHEMA_VERSION) {
    throw new StartupError(
      `${file} was written by a newer version of Touchstone (schema ${schema}, this one knows ${SCHEMA_VERSION}); install that version again.`,
    );
  }
}

/** Throws StartupError when a table of this version is not among the names. */
export function requireTables(file: string, names: readonly string[]): void {
  const model = new Sqlite(':memory:');
  try {
    makeSchema(model);
    const present = new Set(names);
    const missing = tableNames(model).filter((name) => !present.has(name));
    if (missing.length > 0) throw damaged(file, `tables are missing (${missing.slice(0, 3).join(', ')})`);
  } finally {
    model.close();
  }
}

/**
 * Returns the schema of an open store, which this version opens or migrates, as a start of the server finds it. Throws
 * StartupError when it does neither. Changes nothing.
 */
export function checkStore(database: Database, file: string): number {
  const header = readHeader(database);
  const names = database
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .map(({ name }) => name);
  if (names.length === 0 && header.schema === 0 && header.applicationId === 0)
    throw new NoStoreError(emptyDatabaseText(file));
  checkHeader(file, header);
  if (header.schema === SCHEMA_VERSION) requireTables(file, names);
  return header.schema;
}
