/** Stores in PostgreSQL, each a database of its own on the server of the tests. */
import { randomUUID } from 'node:crypto';
import { PostgresDatabase } from '../../src/storage/postgres/database.ts';
import { postgresSchema } from '../../src/storage/postgres/schema.ts';
import { parseTarget } from '../../src/storage/postgres/target.ts';

const SERVER = process.env['TEST_POSTGRES_URL'] ?? '';
const TEMPLATE = 'touchstone_template';

/** Databases by the file that would contain them. */
const databases = new Map<string, string>();

/** Opens the store that stands for a file; a new one the first time. */
export function openPostgres(file: string): PostgresDatabase {
  let name = databases.get(file);
  if (name === undefined) {
    name = newDatabase();
    databases.set(file, name);
  }
  return connectTest(urlOf(name));
}

/** Opens a connection whose limits are long enough for a busy machine. */
const connectTest = (url: string): PostgresDatabase =>
  new PostgresDatabase({
    target: parseTarget(url, 'TEST_POSTGRES_URL'),
    limits: { statementMs: 60_000, lockMs: 30_000 },
  });

function newDatabase(): string {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = connectTest(SERVER);
  try {
    // Until the connection ends: the first test makes the template, and the others wait for it.
    admin.run('SELECT pg_advisory_lock(1)');
    if (!admin.get('SELECT 1 FROM pg_database WHERE datname = ?', TEMPLATE)) makeTemplate(admin);
    admin.run(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  } finally {
    admin.close();
  }
  return name;
}

function makeTemplate(admin: PostgresDatabase): void {
  admin.run(`CREATE DATABASE ${TEMPLATE}`);
  const database = connectTest(urlOf(TEMPLATE));
  for (const script of postgresSchema()) database.runScript(script);
  // Tests say what time it is.
  database.runScript(
    'CREATE OR REPLACE FUNCTION lease_clock(now_of_client int8) RETURNS int8 LANGUAGE sql VOLATILE AS $$ SELECT now_of_client $$',
  );
  database.close();
  // A connection ends a moment after it was closed.
  const open = 'SELECT count(*) AS n FROM pg_stat_activity WHERE datname = ?';
  while (admin.get<{ n: number }>(open, TEMPLATE)?.n !== 0);
}

function urlOf(database: string): string {
  const url = new URL(SERVER);
  url.pathname = `/${database}`;
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}
