import type { Database, SqlValue } from '../../storage/sqlite/database.ts';
import { readApplication } from './read-application.ts';
import type { Application, ApplicationFields, GivenFields } from './contract.ts';

export interface InsertApplication {
  id: string;
  /** Made when it is not there. */
  orgId: string;
  fields: ApplicationFields;
  at: number;
}

/** Makes an application; the integer key of its row. */
export function insertApplication(database: Database, { id, orgId, fields, at }: InsertApplication): number {
  database.run('INSERT INTO organisation (id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING', orgId, at);
  const row = database.get<{ application: number }>(
    `INSERT INTO application (title, slug, description, context, language, type, environment,
                              human_annotation_enabled, id, org_id, created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)
     RETURNING application`,
    ...columnsOf(fields),
    id,
    orgId,
    at,
  );
  return (row as { application: number }).application;
}

/** In the order in which both statements name them. */
const columnsOf = (fields: ApplicationFields): SqlValue[] => [
  fields.title,
  fields.slug,
  fields.description,
  fields.context,
  fields.language,
  fields.type,
  fields.environment,
  Number(fields.humanAnnotationEnabled),
];

/** What the first key of a new application is made of. */
export interface FirstKey {
  id: string;
  keyId: string;
  hash: Uint8Array;
  name: string;
}
/** Stores a key with all scopes. */
export type InsertFirstKey = (
  database: Database,
  key: FirstKey & { application: number; at: number },
) => void;

/** An application is made together with its first key, or not at all. */
const createApplication =
  (insertFirstKey: InsertFirstKey) =>
  (database: Database, args: InsertApplication & { key: FirstKey }): Application => {
    const application = insertApplication(database, args);
    insertFirstKey(database, { ...args.key, application, at: args.at });
    return readApplication(database, { application });
  };

function updateApplication(
  database: Database,
  { application, fields, at }: { application: number; fields: GivenFields; at: number },
): Application {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const before = readApplication(database, { application });
  database.run(
    `UPDATE application SET title = ?, slug = ?, description = ?, context = ?, language = ?, type = ?,
            environment = ?, human_annotation_enabled = ?, modified_at = ?
     WHERE application = ?`,
    ...columnsOf({ ...before, ...given }),
    at,
    application,
  );
  return readApplication(database, { application });
}

export const applicationCommands = (insertFirstKey: InsertFirstKey) => ({
  createApplication: createApplication(insertFirstKey),
  updateApplication,
});
export const applicationQueries = { getApplication: readApplication };
