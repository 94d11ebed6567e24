import { AppError } from '../../errors.ts';
import { locking, withHooks } from '../../storage/operations.ts';
import { insertSql } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import type { Versions } from '../../storage/unchanged.ts';
import type { Application, ApplicationFields, GivenFields } from './contract.ts';
import { readApplication } from './read-application.ts';
import { applications } from './record.ts';

export interface InsertApplication {
  id: string;
  /** Organisation of the application; created if it does not exist. */
  orgId: string;
  fields: ApplicationFields;
  at: number;
}

/** Creates an application; returns the integer key of its row. */
export function insertApplication(database: Database, { id, orgId, fields, at }: InsertApplication): number {
  database.run('INSERT INTO organisation (id, created_at) VALUES (:orgId, :at) ON CONFLICT DO NOTHING', {
    orgId,
    at,
  });
  const row = applications.encode({ ...fields, id, orgId, createdAt: at, modifiedAt: at });
  const inserted = database.get<{ application: number }>(
    `${insertSql('application', row)} RETURNING application`,
    row,
  );
  return (inserted as { application: number }).application;
}

/** Returns the organisation of every application. */
export const listOrganisations = (database: Database): { application: number; orgId: string }[] =>
  database.all('SELECT application, org_id AS "orgId" FROM application');

/** Hooks of features with records that a new application begins with. */
export interface ApplicationHooks {
  onApplicationCreated: readonly ((
    database: Database,
    created: Pick<CreateApplication, 'key' | 'userId' | 'at'> & { application: number },
  ) => void)[];
}

export interface CreateApplication extends InsertApplication {
  /** First key of the application, with all scopes. */
  key: { id: string; keyId: string; hash: Uint8Array; name: string };
  /** Most applications of an organisation. */
  most: number;
  /** The user who creates it, and becomes its admin; null if an API key does. */
  userId: string | null;
}

/** Creates an application together with its first key and admin, or not at all. */
function createApplication(
  database: Database,
  { key, userId, most, ...args }: CreateApplication,
  { onApplicationCreated }: ApplicationHooks,
): Application {
  const { at, orgId } = args;
  const { count } = database.get<{ count: number }>(
    'SELECT count(*) AS count FROM application WHERE org_id = :orgId',
    { orgId },
  ) ?? { count: 0 };
  if (count >= most)
    throw new AppError('conflict', `The organisation has ${count} applications, the most allowed`);
  const application = insertApplication(database, args);
  for (const onCreated of onApplicationCreated) onCreated(database, { application, key, userId, at });
  return readApplication(database, { application });
}

function updateApplication(
  database: Database,
  { application, fields, at, versions }: { application: number; fields: GivenFields; at: number } & Versions,
): Application {
  const { id } = readApplication(database, { application });
  applications.requireVersion(database, { application, id }, versions);
  applications.update(database, { application, id, at }, fields);
  return readApplication(database, { application });
}

export const applicationCommands = (hooks: ApplicationHooks) => ({
  ...locking('people', { createApplication: withHooks(hooks)(createApplication) }),
  ...locking('application', { updateApplication }),
});
export const applicationQueries = { getApplication: readApplication };
