import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashTable } from '../../src/storage/copy/copy-store.ts';
import type { PostgresDatabase } from '../../src/storage/postgres/database.ts';
import { connectForCommands } from '../../src/storage/postgres/prepare.ts';
import { parseTarget } from '../../src/storage/postgres/target.ts';
import { copiedTables } from '../../src/storage/sqlite/copied-tables.ts';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { jsonRequest, jsonSpan, newSpanId } from '../e2e/otlp-sender.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { addOddRows } from '../support/odd-rows.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type Ended, run, start } from '../support/process.ts';
import { mulberry32 } from '../support/random.ts';
import { type Folder, openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

const SECRET = 'a text that all servers share';
const PASSWORD = 'hunter2';

let folder: Folder;
let postgres: PostgresServer;
beforeAll(async () => {
  folder = temporaryFolder();
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Returns the address of a database, with a password that the server does not check. */
const addressOf = (name: string): string =>
  postgres.url.replace('touchstone@', `touchstone:${PASSWORD}@`).replace(/\/postgres$/, `/${name}`);

function withDatabase<T>(name: string, work: (database: PostgresDatabase) => T): T {
  const database = connectForCommands(parseTarget(addressOf(name), 'URL'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Creates an empty database and returns its name. */
function newDatabase(): string {
  const name = `d${randomUUID().replaceAll('-', '')}`;
  withDatabase('postgres', (database) => database.run(`CREATE DATABASE ${name}`));
  return name;
}

const copy = (from: string, to: string, env: Record<string, string> = {}): Promise<Ended> =>
  run(['copy', from, to], { env });

/** Returns the hash of each table of a folder. */
function hashesOf(path: string): Record<string, string> {
  const database = openDatabase(join(path, 'touchstone.db'));
  try {
    return Object.fromEntries(
      copiedTables().map((table) => [table.name, hashTable(database, table).digest()]),
    );
  } finally {
    database.close();
  }
}

interface Printed {
  rows: number;
  resumedRows: number;
  tables: { name: string; rows: number; hash: string }[];
}

/** Copies, and returns what the command prints as JSON. */
async function copied(
  from: string,
  to: string,
): Promise<{ printed: Printed; hashes: Record<string, string> }> {
  const { code, stdout, stderr } = await run(['copy', from, to, '--json']);
  expect(code, stderr).toBe(0);
  expect(stdout + stderr).not.toContain(PASSWORD);
  return { printed: JSON.parse(stdout) as Printed, hashes: hashesIn(stdout) };
}

const hashesIn = (stdout: string): Record<string, string> =>
  Object.fromEntries((JSON.parse(stdout) as Printed).tables.map(({ name, hash }) => [name, hash]));

/** Returns the rows of all tables as PostgreSQL can have them. */
function rowsOf(path: string): unknown {
  const database = openDatabase(join(path, 'touchstone.db'));
  try {
    return copiedTables().map(({ name, key }) => {
      const all = database.allExact<Record<string, unknown>>(`SELECT * FROM ${name}`).map(plain);
      const keys = new Map(all.map((row) => [key.map((column) => String(row[column.name])).join('\n'), row]));
      expect(keys.size, name).toBe(all.length);
      return [name, Object.fromEntries([...keys].toSorted(([one], [other]) => (one < other ? -1 : 1)))];
    });
  } finally {
    database.close();
  }
}

const plain = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Uint8Array) return [name, Buffer.from(value).toString('hex')];
      return [name, typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value];
    }),
  );

/** Makes a data folder with a store of traces; `payload` has the bytes of each span. */
function folderWithTraces(name: string, traces: number, spans = 5, payload = 200): string {
  const path = folder.file(name);
  mkdirSync(path);
  const database = openDatabase(join(path, 'touchstone.db'));
  const tenant = new Tenant(database, 1);
  for (let trace = 1; trace <= traces; trace += 1)
    tenant.store(
      Array.from({ length: spans }, (_, id) => ({
        trace,
        id: id + 1,
        attributes: { note: randomBytes(payload / 2).toString('hex') },
      })),
    );
  database.close();
  return path;
}

/** Returns the bytes of all files of a folder that belong to its store, by their names. */
const filesOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path)
      .filter((name) => name !== 'lock.db')
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(path, name)))
          .digest('hex'),
      ]),
  );

describe('a store with odd values in every table', () => {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

  it(`is the same in a database and back in a folder (seed ${seed})`, async () => {
    const from = folderWithTraces('odd', 3);
    const next = mulberry32(seed);
    const added = addOddRows(join(from, 'touchstone.db'), 6, (below) => Math.floor(next() * below));
    expect(added).toBeGreaterThan(200);
    const before = filesOf(from);
    const name = newDatabase();
    const there = await copied(from, addressOf(name));
    expect(filesOf(from)).toEqual(before);
    expect(there.printed.rows).toBeGreaterThan(added);
    const path = folder.file('odd-back');
    const back = await copied(addressOf(name), path);
    expect(back.hashes).toEqual(there.hashes);
    expect(hashesOf(path)).toEqual(there.hashes);
    expect(hashesOf(from)).toEqual(there.hashes);
    expect(rowsOf(path)).toEqual(rowsOf(from));
  });
});

describe('a store that a server has filled', () => {
  const presets = newPresets();
  let path: string;
  let name: string;
  let expected: unknown;
  let keyUsed: string;

  /** Returns what clients see of a store. */
  async function shownBy(server: ChildServer): Promise<unknown> {
    const paths = [
      '/v0/traces?limit=100',
      '/v0/tasks',
      '/v0/tags',
      '/v0/api-keys',
      '/v0/eval-definitions',
      '/v0/webhook',
      '/v0/evidence-key',
      '/v0/applications',
    ];
    return Promise.all(
      paths.map(async (one) => {
        const { status, json } = await server.call('GET', one);
        return [one, status, json];
      }),
    );
  }

  const onFolder = (dataDir: string, env: Record<string, string> = {}): Promise<ChildServer> =>
    ChildServer.start({ dataDir, presets, env });
  const onDatabase = (key: string): Promise<ChildServer> =>
    ChildServer.start({
      dataDir: folder.file('unused'),
      presets,
      env: { TOUCHSTONE_DATABASE_URL: addressOf(name), TOUCHSTONE_SECRET_KEY: key },
    });

  async function send(server: ChildServer, trace: string): Promise<void> {
    const sent = await server.call(
      'POST',
      '/v1/traces',
      jsonRequest(jsonSpan(trace.repeat(32), 'step', { spanId: newSpanId() })),
    );
    expect(sent).toMatchObject({ status: 200 });
  }

  beforeAll(async () => {
    path = folder.file('filled');
    const server = await onFolder(path);
    for (const trace of ['a', 'b', 'c']) await send(server, trace);
    await server.ok('POST', '/v0/webhook', { body: { url: 'https://app.example.com/hook' } });
    await server.ok('POST', '/v0/tags', { body: { name: 'copied', color: '#aabbcc' } });
    await server.ok('POST', '/v0/tasks', {
      body: { title: 'Task', type: 'STATIC', inputExamples: ['Capital?'] } as never,
    });
    await server.ok('POST', '/v0/api-keys', { body: { name: 'copied', scopes: ['read'] } as never });
    expected = await shownBy(server);
    await server.stop('SIGTERM');
    name = newDatabase();
  });

  it('is served from a database, with the key of the folder, and takes new spans', async () => {
    const { code, stdout } = await run(['copy', path, 'database'], {
      env: { TOUCHSTONE_DATABASE_URL: addressOf(name) },
    });
    expect(code, stdout).toBe(0);
    const key = readFileSync(join(path, 'secret.key')).toString('base64');
    expect(stdout).toContain(
      `start its servers with TOUCHSTONE_SECRET_KEY="base64:$(openssl base64 -A -in ${join(path, 'secret.key')})"`,
    );
    expect(stdout).not.toContain(key);
    const server = await onDatabase((keyUsed = `base64:${key}`));
    try {
      expect(await shownBy(server)).toEqual(expected);
      await send(server, 'd');
      await server.ok('POST', '/v0/tags', { body: { name: 'new', color: '#aabbcc' } });
      await server.ok('POST', '/v0/api-keys', { body: { name: 'new', scopes: ['read'] } as never });
      expect(server.said.join('\n')).not.toContain('sealed with another');
      expected = await shownBy(server);
    } finally {
      await server.stop('SIGTERM');
    }
    const verified = await run(['verify', '--deep'], {
      env: { TOUCHSTONE_DATABASE_URL: addressOf(name), TOUCHSTONE_SECRET_KEY: keyUsed },
    });
    expect(verified.code, verified.stdout).toBe(0);
    expect(verified.stdout).toContain('no fault found');
  });

  it('rejects servers with another key', async () => {
    await expect(onDatabase('another text of enough length')).rejects.toThrow(
      'belongs to another secret key',
    );
  });

  it('is served from a folder again, and never uses a key twice', async () => {
    const back = folder.file('filled-back');
    const { code, stdout, stderr } = await copy(addressOf(name), back, { TOUCHSTONE_SECRET_KEY: keyUsed });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('start its server with the same TOUCHSTONE_SECRET_KEY');
    expect(await run(['verify', '--deep', '--data-dir', back])).toMatchObject({ code: 0 });
    const server = await onFolder(back, { TOUCHSTONE_SECRET_KEY: keyUsed });
    expect(await shownBy(server)).toEqual(expected);
    await send(server, 'e');
    expect(server.said.join('\n')).not.toContain('sealed with another');
    await server.stop('SIGTERM');
    expect(existsSync(join(back, 'secret.key'))).toBe(false);
  });

  it('is not copied with another key than that of its webhooks', async () => {
    const { code, stderr } = await copy(path, addressOf(newDatabase()), { TOUCHSTONE_SECRET_KEY: SECRET });
    expect(code).toBe(1);
    expect(stderr).toMatch(/were sealed with another secret key \(mark [\da-f]{8}\)/);
  });
});

describe('a copy that is killed', () => {
  it('continues into a database, which no server opens before', async () => {
    const from = folderWithTraces('large', 200, 60, 400);
    const name = newDatabase();
    const there = await untilCopied(from, addressOf(name), () =>
      run(['serve', '--port', '0'], {
        env: { TOUCHSTONE_DATABASE_URL: addressOf(name), TOUCHSTONE_SECRET_KEY: SECRET },
      }),
    );
    expect(there.rejections.join('\n')).toMatch(
      /is the unfinished target of touchstone copy; repeat that command/,
    );

    const back = folder.file('large-back');
    const home = await untilCopied(addressOf(name), back, () =>
      run(['serve', '--port', '0', '--data-dir', back]),
    );
    expect(home.rejections.join('\n')).toMatch(
      /touchstone\.db is the unfinished target of touchstone copy; repeat that command/,
    );
    expect(there.resumes + home.resumes).toBeGreaterThan(0);
    expect(hashesOf(back)).toEqual(hashesOf(from));
    expect(rowsOf(back)).toEqual(rowsOf(from));
  });

  /** Kills copies after more and more time until one is complete; `serve` tries to start a server over the target after a kill. */
  async function untilCopied(
    from: string,
    to: string,
    serve: () => Promise<Ended>,
  ): Promise<{ resumes: number; rejections: string[] }> {
    const rejections: string[] = [];
    for (let runs = 1, resumes = 0; ; runs += 1) {
      const program = start(['copy', from, to, '--json']);
      const ended = await Promise.race([program.ended, begunAndSome(program, runs)]);
      if (ended === null) program.child.kill('SIGKILL');
      const { code, stderr } = ended ?? (await program.ended);
      if (/^Continuing after [1-9]/m.test(stderr)) resumes += 1;
      // A copy may be killed when it is complete, and before it says so.
      if (code === 0 || /already; if a copy made it, it is complete|is a store already/.test(stderr))
        return { resumes, rejections };
      expect(code, stderr).toBeNull();
      if (rejections.length < 1) rejections.push((await serve()).stderr);
    }
  }

  /** Waits until rows are copied, and for longer with each run. */
  async function begunAndSome({ stderr, child }: ReturnType<typeof start>, runs: number): Promise<null> {
    while (child.exitCode === null && !/: [\d ]+ rows$|^Comparing/m.test(stderr())) await sleep(5);
    await sleep(50 * 2 ** runs * Math.random());
    return null;
  }
});

describe('a copy is rejected', () => {
  let from: string;
  beforeAll(() => {
    from = folderWithTraces('small', 2);
  });

  const expectRejected = async (places: readonly [string, string], words: RegExp): Promise<void> => {
    const { code, stderr, stdout } = await copy(...places);
    expect({ code, stdout: stdout.includes('Copied') }).toEqual({ code: 1, stdout: false });
    expect(stderr).toMatch(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain(PASSWORD);
  };

  it('from a folder that a server uses', async () => {
    const used = folder.file('used');
    const server = await ChildServer.start({ dataDir: used, presets: newPresets() });
    await expectRejected(
      [used, addressOf(newDatabase())],
      /used is in use by another Touchstone server; stop it/,
    );
    await server.stop('SIGKILL');
    // Its log has what the store lacks.
    expect(await copy(used, addressOf(newDatabase()))).toMatchObject({ code: 0 });
  });

  it('from a database that a server uses, and into it', async () => {
    const name = newDatabase();
    const env = { TOUCHSTONE_DATABASE_URL: addressOf(name), TOUCHSTONE_SECRET_KEY: SECRET };
    const server = await ChildServer.start({ dataDir: folder.file('unused'), presets: newPresets(), env });
    await sleep(2_000);
    await expectRejected(
      [addressOf(name), folder.file('from-used')],
      /is in use by a Touchstone server or another copy; stop it/,
    );
    await server.stop('SIGTERM');
    await expectRejected(
      [from, addressOf(name)],
      /contains a store already; if a copy made it, it is complete, otherwise create an empty/,
    );
    withDatabase(name, (database) => database.run('UPDATE touchstone_store SET schema = schema + 1'));
    await expectRejected(
      [addressOf(name), folder.file('newer')],
      /has schema \d+, and this version of Touchstone copies schema/,
    );
    for (const target of ['from-used', 'newer']) expect(existsSync(folder.file(target)), target).toBe(false);
  });

  it('into a folder with a store, and a database of another program', async () => {
    const name = newDatabase();
    expect(await copy(from, addressOf(name))).toMatchObject({ code: 0 });
    const before = filesOf(from);
    await expectRejected(
      [addressOf(name), from],
      /touchstone\.db is a store already; if a copy made it, it is complete, otherwise choose a data folder without one/,
    );
    expect(filesOf(from)).toEqual(before);
    const foreign = newDatabase();
    withDatabase(foreign, (database) => database.run('CREATE TABLE notes (text text)'));
    await expectRejected([from, addressOf(foreign)], /contains tables of another program, such as "notes"/);
    await expectRejected(
      [addressOf(newDatabase()), folder.file('empty')],
      /has no store to copy; correct the address/,
    );
    const text = folder.file('text');
    mkdirSync(text);
    writeFileSync(join(text, 'touchstone.db'), 'no database at all');
    await expectRejected([addressOf(name), text], /is not a database; move it away/);
  });

  it('with another schema, without a store, without a database, and in the wrong form', async () => {
    const older = folder.file('older');
    cpSync(from, older, { recursive: true });
    const database = openDatabase(join(older, 'touchstone.db'));
    database.connection.pragma(`user_version = ${SCHEMA_VERSION - 1}`);
    database.close();
    await expectRejected(
      [older, addressOf(newDatabase())],
      /has schema \d+, and this version .* copies schema \d+; run migrate first/,
    );
    await expectRejected(
      [folder.file('nothing'), addressOf(newDatabase())],
      /There is no store in .*nothing/,
    );
    expect(existsSync(folder.file('nothing'))).toBe(false);
    await expectRejected([from, addressOf('missing')], /The database missing at .* does not exist/);
    await expectRejected(
      [from, `postgres://touchstone:${PASSWORD}@127.0.0.1:1/x`],
      /cannot be reached \(ECONNREFUSED\)/,
    );
    await expectRejected(
      [from, `postgres://touchstone:${PASSWORD}@127.0.0.1:port/x`],
      /has a host that is none; write host:port/,
    );
    await expectRejected(
      [from, folder.file('other')],
      /copy takes a data folder and the address of a database/,
    );
    await expectRejected([from, 'database'], /set one of them, or write \.\/database/);
  });

  it('into the unfinished target of another copy, or after its source has changed', async () => {
    const [name, other] = [newDatabase(), folderWithTraces('other-small', 3)];
    const { tables } = await import('../../src/storage/postgres/schema.ts').then((one) =>
      one.postgresSchemaParts(),
    );
    withDatabase(name, (database) => {
      database.runScript(
        [...tables, 'CREATE TABLE touchstone_copy (name text PRIMARY KEY, value text NOT NULL)'].join(';'),
      );
      database.run(`INSERT INTO touchstone_copy VALUES ('(source)', 'another')`);
    });
    await expectRejected(
      [other, addressOf(name)],
      /is the unfinished copy of another store, or a server has used this one since/,
    );
    await expectRejected(
      [addressOf(name), folder.file('of-unfinished')],
      /is itself the unfinished target of touchstone copy/,
    );
    expect(existsSync(folder.file('of-unfinished'))).toBe(false);
    rmSync(other, { recursive: true });
  });
});
