import type { Database as Connection } from 'better-sqlite3';
import { readAsset } from '../../runtime/assets.ts';

/** Modules that own tables. Each is a folder of `src/` and has a file here with its tables. */
const OWNERS = [
  'resources/applications',
  'resources/api-keys',
  'people',
  'traces',
  'jobs',
  'tests',
  'deliver',
  'evaluate',
  'resources/topics',
  'resources/tasks',
  'resources/examples',
  'resources/tags',
  'resources/style-guides',
  'resources/definitions',
  'resources/documents',
  'resources/scrape-jobs',
  'resources/inference-steps',
  'resources/experiments',
  'resources/run-sets',
  'resources/human-annotation-queues',
  'resources/human-annotation-queue-items',
  'resources/human-annotations',
  'resources/issue-webhook',
  'resources/notes',
  'resources/issues',
  'resources/quickstarts',
  'resources/webhook',
  'resources/views',
  'resources/example-data',
  'resources/retention',
  'resources/erasures',
  'resources/masking',
];

/** Returns the SQL that creates all tables, indexes and triggers of this version in an empty store. */
export const schemaSql = (): string =>
  OWNERS.map((owner) => readAsset(`storage/sqlite/schema/${owner}.sql`)).join('\n');

/** Returns the names of all tables of a store in the order of their creation. */
export const tableNames = (connection: Connection): string[] =>
  connection
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid`,
    )
    .pluck()
    .all();
