import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/errors.ts';
import {
  connectForCommands,
  inspectDatabase,
  prepareDatabase,
} from '../../../src/storage/postgres/prepare.ts';
import { parseTarget } from '../../../src/storage/postgres/target.ts';
import { SCHEMA_VERSION } from '../../../src/storage/sqlite/migrate.ts';
import { startPostgres } from '../../support/postgres-server.ts';

const MARK = Buffer.from('01020304', 'hex');
const OTHER_MARK = Buffer.from('05060708', 'hex');

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** Returns the address of the server with other parts. */
function addressOf({ database = 'postgres', user = 'touchstone', host = '', query = '' }): string {
  const url = new URL(server.url);
  return `postgres://${user}:hunter2@${host || url.host}/${database}${query}`;
}

/** Runs statements as the owner of the server. */
function runAsOwner(database: string, ...statements: readonly string[]): void {
  const connection = connectForCommands(parseTarget(addressOf({ database }), 'URL'));
  try {
    for (const statement of statements) connection.run(statement);
  } finally {
    connection.close();
  }
}

const newName = (): string => `d${randomUUID().replaceAll('-', '')}`;

/** Creates a database and returns its name. */
function newDatabase(options = ''): string {
  const name = newName();
  runAsOwner('postgres', `CREATE DATABASE ${name} ${options}`);
  return name;
}

function newStore(): string {
  const name = newDatabase();
  prepareDatabase(parseTarget(addressOf({ database: name }), 'URL'), MARK);
  return name;
}

/** Returns everything that a start could have changed in a database. */
function contentsOf(database: string): unknown {
  const connection = connectForCommands(parseTarget(addressOf({ database }), 'URL'));
  try {
    const relations = connection.all('SELECT relname, relkind FROM pg_class ORDER BY oid');
    const settings = connection.all('SELECT setdatabase, setconfig::text FROM pg_db_role_setting');
    const [store] = connection.all<{ found: string | null }>(
      "SELECT to_regclass('touchstone_store')::text AS found",
    );
    return [relations, settings, store?.found ? connection.all('SELECT * FROM touchstone_store') : null];
  } finally {
    connection.close();
  }
}

describe('a start over a database', () => {
  it('makes the tables once, and finds them again', () => {
    const target = parseTarget(addressOf({ database: newDatabase() }), 'URL');
    expect(prepareDatabase(target, MARK)).toBeNull();
    expect(prepareDatabase(target, MARK)).toBe(SCHEMA_VERSION);
    const database = connectForCommands(target);
    expect(inspectDatabase(database, target)).toMatchObject({ schema: SCHEMA_VERSION });
    database.close();
  });

  const situations: readonly (readonly [
    what: string,
    make: () => [database: string, address: string],
    words: RegExp,
  ])[] = [
    [
      'of another program',
      () => {
        const name = newDatabase();
        runAsOwner(name, 'CREATE TABLE notes (text text)');
        return [name, addressOf({ database: name })];
      },
      /contains tables of another program, such as "notes"; use a database of its own\.$/,
    ],
    [
      'with a newer schema',
      () => {
        const name = newStore();
        runAsOwner(name, 'UPDATE touchstone_store SET schema = 999');
        return [name, addressOf({ database: name })];
      },
      /was migrated to schema 999 by a newer version of Touchstone, .*; install that version\.$/,
    ],
    [
      'with an older schema than can be migrated',
      () => {
        const name = newStore();
        runAsOwner(name, 'UPDATE touchstone_store SET schema = 3');
        return [name, addressOf({ database: name })];
      },
      /has schema 3, which this version cannot migrate/,
    ],
    [
      'of another secret key',
      () => {
        const name = newStore();
        runAsOwner(name, `UPDATE touchstone_store SET key_mark = '\\x${OTHER_MARK.toString('hex')}'`);
        return [name, addressOf({ database: name })];
      },
      /belongs to another secret key \(mark 05060708\); set TOUCHSTONE_SECRET_KEY/,
    ],
    [
      'that takes no writes',
      () => {
        const name = newStore();
        runAsOwner('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
        return [name, addressOf({ database: name })];
      },
      /takes no writes; use the address of the primary/,
    ],
    [
      'that takes no writes, where a primary is wanted',
      () => {
        const name = newStore();
        runAsOwner('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
        return [name, addressOf({ database: name, query: '?target_session_attrs=read-write' })];
      },
      /takes no writes; use the address of the primary/,
    ],
    [
      'in another encoding',
      () => {
        const name = newDatabase(`ENCODING 'SQL_ASCII' TEMPLATE template0`);
        return [name, addressOf({ database: name })];
      },
      /has the encoding SQL_ASCII; create another with ENCODING 'UTF8' TEMPLATE template0\.$/,
    ],
    [
      'whose user may make no tables',
      () => {
        const [name, user] = [newDatabase(), newName()];
        runAsOwner(name, `CREATE ROLE ${user} LOGIN`);
        return [name, addressOf({ database: name, user })];
      },
      /does not permit its user "\w+" to make tables; run GRANT CREATE ON SCHEMA public/,
    ],
    [
      'that does not exist',
      () => ['postgres', addressOf({ database: 'missing' })],
      /^The database missing at .* does not exist; create it with CREATE DATABASE/,
    ],
    [
      'with a user that does not exist',
      () => ['postgres', addressOf({ user: 'nobody' })],
      /does not let this user in from here \(28000\)/,
    ],
    [
      'where nothing listens',
      () => ['postgres', addressOf({ host: '127.0.0.1:1' })],
      /cannot be reached \(ECONNREFUSED\); check host and port/,
    ],
    [
      'on a host that does not exist',
      () => ['postgres', addressOf({ host: 'no-such-host.invalid' })],
      /cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\); check host and port/,
    ],
    [
      'without TLS where it is required',
      () => ['postgres', addressOf({ query: '?sslmode=require' })],
      /does not support TLS; enable it on the server, or use sslmode=disable\.$/,
    ],
    [
      'with a certificate that is not there',
      () => ['postgres', addressOf({ query: '?sslmode=verify-full&sslrootcert=/missing.pem' })],
      /the file of sslrootcert cannot be read \(ENOENT\); correct the path\.$/,
    ],
  ];

  it.each(situations)('%s ends with one sentence and changes nothing', (_what, make, words) => {
    const [database, address] = make();
    // A database that takes no writes would end the look at it as well.
    const before = contentsOf(database);
    const start = (): unknown => prepareDatabase(parseTarget(address, 'URL'), MARK);
    expect(start).toThrow(StartupError);
    expect(start).toThrow(words);
    expect(start).not.toThrow('hunter2');
    expect(contentsOf(database)).toEqual(before);
  });
});
