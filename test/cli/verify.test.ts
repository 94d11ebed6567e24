import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, run } from '../support/process.ts';
import { type Folder, openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

let folder: Folder;
beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(folder.file('good'));
  const database = openDatabase(folder.file('good/touchstone.db'));
  const tenant = new Tenant(database, 1);
  for (let trace = 1; trace <= 50; trace++)
    tenant.store(
      [1, 2, 3].map((id) => ({ trace, id, attributes: { note: `note ${trace} ${id} `.repeat(100) } })),
    );
  // Another version of a span, whose first one stays until the trace is rewritten.
  tenant.store([{ trace: 2, id: 1, name: 'again' }]);
  database.close();
});
afterAll(() => folder[Symbol.dispose]());

const verify = (name: string): Promise<Ended> => run(['verify', '--data-dir', folder.file(name)]);
let copies = 0;

/** Copies the store, damages it by SQL, and verifies it. */
async function verifyAfter(sql: string): Promise<Ended> {
  const name = `damaged-${++copies}`;
  mkdirSync(folder.file(name));
  const file = folder.file(`${name}/touchstone.db`);
  copyFileSync(folder.file('good/touchstone.db'), file);
  const store = new Sqlite(file);
  store.pragma('foreign_keys = OFF');
  expect(store.prepare(sql).run().changes).toBeGreaterThan(0);
  store.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
  return verify(name);
}

const OF_FIRST = 'tkey = (SELECT min(tkey) FROM trace)';

describe('touchstone verify', () => {
  it('finds no fault in a store without one', async () => {
    expect(await verify('good')).toEqual({
      code: 0,
      signal: null,
      stdout: '50 traces verified; no fault found.\n',
      stderr: '',
    });
  });

  const DAMAGES: readonly (readonly [string, string, RegExp])[] = [
    [
      'a lost block',
      `DELETE FROM chunk WHERE ${OF_FIRST}`,
      /^0{31}1: 3 spans of the directory are in no block$/m,
    ],
    [
      'a changed byte of a block',
      `UPDATE chunk SET payload = CAST(substr(payload, 1, 60) || x'FF' || substr(payload, 62) AS BLOB) WHERE ${OF_FIRST}`,
      /^0{31}1: (block 0 cannot be decoded|span \w+ of block 0 is not the one that was stored)/m,
    ],
    [
      'a truncated block',
      `UPDATE chunk SET payload = substr(payload, 1, 100) WHERE ${OF_FIRST}`,
      /^0{31}1: block 0 /m,
    ],
    [
      'a lost span index',
      `UPDATE chunk SET skeleton = x'0301' WHERE ${OF_FIRST}`,
      /^0{31}1: block 0 cannot be decoded/m,
    ],
    [
      'a lost entry of the directory',
      `DELETE FROM span WHERE ${OF_FIRST} AND span_id = x'0000000000000002'`,
      /^0{31}1: span 0{15}2 of block 0 is not in the directory$/m,
    ],
    [
      'a wrong sum in the directory',
      `UPDATE span SET hash = x'0000000000000000' WHERE ${OF_FIRST} AND span_id = x'0000000000000001'`,
      /^0{31}1: span 0{15}1 of block 0 is not the one that was stored: its sum differs$/m,
    ],
    [
      'a wrong count',
      `UPDATE trace SET span_count = 4 WHERE ${OF_FIRST}`,
      /^0{31}1: its row counts 4 spans, and its blocks have 3$/m,
    ],
    [
      'a wrong count of errors',
      `UPDATE trace SET error_count = 1 WHERE ${OF_FIRST}`,
      /^0{31}1: its row counts 1 spans with an error, and its blocks have 0$/m,
    ],
    ['a lost row', `DELETE FROM trace WHERE ${OF_FIRST}`, /^key \d+: 1 blocks belong to no trace$/m],
    [
      'a lost resource',
      'DELETE FROM resource',
      /^0{31}1: block 0 refers to resource [\da-f]{32}, which is not stored$/m,
    ],
    [
      'a broken reference',
      `INSERT INTO api_key (id, application, key_id, hash, name, scopes, created_at, updated_at) VALUES ('a', 77, 'k', x'00', '', '', 1, 1)`,
      /^-: a row of api_key refers to a row of application that does not exist$/m,
    ],
  ];
  it.each(DAMAGES)('reports %s', async (_name, sql, message) => {
    const { code, stdout, stderr } = await verifyAfter(sql);
    expect(stdout).toMatch(message);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('reports damaged pages', async () => {
    mkdirSync(folder.file('pages'));
    const bytes = readFileSync(folder.file('good/touchstone.db'));
    for (let at = bytes.length - 8 * 4096; at < bytes.length; at += 4096) bytes.fill(0xa5, at, at + 512);
    writeFileSync(folder.file('pages/touchstone.db'), bytes);
    const { code, stdout, stderr } = await verify('pages');
    expect(stdout, stderr).toMatch(/^-: /m);
    expect(code).toBe(1);
  });
});
