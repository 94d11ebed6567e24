/** Data folders in the states that an operator may find them in. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import { SecretBox } from '../../src/runtime/secrets.ts';
import { makeOldFolder } from './old-store.ts';
import { openDatabase, Tenant } from './storage.ts';

export interface Situation {
  what: string;
  make: (data: string) => void;
  /** Runs the commands as a user who is not the owner. */
  asOther?: true;
  /** Runs the commands beside a server. */
  beside?: true;
  env?: Readonly<Record<string, string>>;
}

const db = (data: string): string => join(data, 'touchstone.db');
const KEY = Buffer.alloc(32, 7);
const OTHER_KEY = Buffer.alloc(32, 8);

/** Makes a store with ten traces and a sealed webhook. */
function store(data: string): void {
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, 'secret.key'), KEY, { mode: 0o600 });
  const database = openDatabase(db(data));
  const tenant = new Tenant(database, 1);
  insertApplication(database, {
    id: '11111111-1111-4111-8111-111111111111',
    orgId: 'org-1',
    fields: withDefaults({ title: 'Shop', type: 'AGENT' }),
    at: 1,
  });
  const box = new SecretBox(KEY);
  database.run(
    `INSERT INTO webhook (application, id, url, secret, timeout_ms, enabled, created_at, modified_at)
     VALUES (1, 'w', 'http://127.0.0.1:9/', ?, 1000, 1, 1, 1)`,
    box.seal('secret', 'webhook'),
  );
  for (let trace = 1; trace <= 10; trace++)
    tenant.store([
      { trace, id: 1 },
      { trace, id: 2 },
    ]);
  database.close();
  chmodSync(db(data), 0o600);
}

/** Makes a store whose last traces are in its log alone, as after `kill -9`. */
function withLog(data: string): void {
  store(data);
  const database = openDatabase(db(data));
  const tenant = new Tenant(database, 1);
  for (let trace = 11; trace <= 20; trace++) tenant.store([{ trace, id: 1 }]);
  const suffixes = ['', '-wal'];
  for (const suffix of suffixes) copyFileSync(db(data) + suffix, `${db(data)}${suffix}.copy`);
  database.close();
  for (const suffix of suffixes) renameSync(`${db(data)}${suffix}.copy`, db(data) + suffix);
}

function change(data: string, sql: string): void {
  store(data);
  const connection = new Sqlite(db(data));
  connection.pragma('foreign_keys = OFF');
  connection.exec(sql);
  connection.close();
}

function overwrite(file: string, from: number, to: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xee, from, to);
  writeFileSync(file, bytes);
}

const FRAME = 24 + 4096;

export const SITUATIONS: readonly Situation[] = [
  { what: 'A healthy store, stopped', make: store },
  { what: 'A healthy store, with a running server', make: store, beside: true },
  { what: 'A server that was killed: commits are in the log only', make: withLog },
  { what: 'The same, without space for a copy', make: withLog, env: { TMPDIR: '/dev/null' } },
  { what: 'No folder', make: () => undefined },
  { what: 'An empty folder', make: (data) => mkdirSync(data) },
  {
    what: 'A store of 0 bytes',
    make: (data) => {
      mkdirSync(data);
      writeFileSync(db(data), '');
    },
  },
  {
    what: 'A store of 0 bytes beside its secret key',
    make: (data) => {
      store(data);
      truncateSync(db(data), 0);
    },
  },
  {
    what: 'A log without its store',
    make: (data) => {
      withLog(data);
      rmSync(db(data));
    },
  },
  {
    what: 'A log beside a store of 0 bytes',
    make: (data) => {
      withLog(data);
      truncateSync(db(data), 0);
    },
  },
  {
    what: 'A log that is something else',
    make: (data) => {
      withLog(data);
      writeFileSync(`${db(data)}-wal`, 'no log at all, '.repeat(1_000));
    },
  },
  {
    what: 'A log with garbage in its middle',
    make: (data) => {
      withLog(data);
      overwrite(`${db(data)}-wal`, 32 + 3 * FRAME, 32 + 3 * FRAME + 500);
    },
  },
  {
    what: 'A log with a torn end',
    make: (data) => {
      withLog(data);
      appendFileSync(`${db(data)}-wal`, Buffer.alloc(500, 0xee));
    },
  },
  {
    what: 'A store that ends early',
    make: (data) => {
      store(data);
      truncateSync(db(data), 40_960);
    },
  },
  {
    what: 'A store of zeros',
    make: (data) => {
      store(data);
      writeFileSync(db(data), Buffer.alloc(statSync(db(data)).size));
    },
  },
  {
    what: 'A store with a wrong page',
    make: (data) => {
      store(data);
      const connection = new Sqlite(db(data), { readonly: true });
      const page = connection
        .prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'trace_by_start'")
        .pluck()
        .get() as number;
      connection.close();
      for (const suffix of ['-wal', '-shm']) rmSync(db(data) + suffix, { force: true });
      overwrite(db(data), (page - 1) * 4096, page * 4096);
    },
  },
  { what: 'A store that lacks a table', make: (data) => change(data, 'DROP TABLE api_key') },
  {
    what: 'A trace whose count of spans is wrong',
    make: (data) =>
      change(data, 'UPDATE trace SET span_count = 7 WHERE tkey = (SELECT min(tkey) FROM trace)'),
  },
  {
    what: 'A session whose times are wrong',
    make: (data) => change(data, "INSERT INTO session SELECT application, 's-1', 1, 1 FROM trace LIMIT 1"),
  },
  { what: 'A database of another program', make: (data) => change(data, 'PRAGMA application_id = 7') },
  {
    what: 'An empty database',
    make: (data) => {
      mkdirSync(data);
      const connection = new Sqlite(db(data));
      connection.exec('CREATE TABLE t (x); DROP TABLE t; PRAGMA user_version = 0');
      connection.close();
    },
  },
  {
    what: 'A text with the name of the store',
    make: (data) => {
      mkdirSync(data);
      writeFileSync(db(data), 'a text\n'.repeat(2_000));
    },
  },
  { what: 'A folder with the name of the store', make: (data) => mkdirSync(db(data), { recursive: true }) },
  {
    what: 'A store of an older version',
    make: (data) => {
      makeOldFolder(data);
    },
  },
  {
    what: 'A store of a newer version',
    make: (data) => change(data, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`),
  },
  { what: 'A store from before the first release', make: (data) => change(data, 'PRAGMA user_version = 33') },
  { what: 'A store without a schema version', make: (data) => change(data, 'PRAGMA user_version = 0') },
  {
    what: 'A folder of another user',
    asOther: true,
    make: (data) => store(data),
  },
  {
    what: 'A folder that this user can read only',
    asOther: true,
    make: (data) => {
      store(data);
      chmodSync(data, 0o755);
      chmodSync(db(data), 0o644);
      chmodSync(join(data, 'secret.key'), 0o644);
    },
  },
  {
    what: 'No secret key, and a webhook that needs it',
    make: (data) => {
      store(data);
      rmSync(join(data, 'secret.key'));
    },
  },
  {
    what: 'Another secret key',
    make: (data) => {
      store(data);
      writeFileSync(join(data, 'secret.key'), OTHER_KEY);
    },
  },
  {
    what: 'An unfinished snapshot of a migration',
    make: (data) => {
      store(data);
      writeFileSync(`${db(data)}.before-34.new`, 'unfinished');
    },
  },
  {
    what: 'A restore that was interrupted after it moved the former store',
    make: (data) => {
      store(data);
      mkdirSync(join(data, 'replaced-2026-11-27T00-00-00-000Z'));
      renameSync(db(data), join(data, 'replaced-2026-11-27T00-00-00-000Z', 'touchstone.db'));
    },
  },
  {
    what: 'A lock that is something else',
    make: (data) => {
      store(data);
      writeFileSync(join(data, 'lock.db'), 'no lock at all, '.repeat(100));
    },
  },
];

/** Returns all files below a folder with their content, size, mode and time of change, and the folders with their time. */
export function stateOfFolder(folder: string, isIncluded: (name: string) => boolean = () => true): unknown[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isIncluded).toSorted();
  return ['', ...names].map((name) => {
    const path = join(folder, name);
    const { size, mtimeMs, mode } = statSync(path);
    const isFile = statSync(path).isFile();
    const hash = isFile ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
    return [name, isFile ? size : 0, mode, mtimeMs, hash];
  });
}
