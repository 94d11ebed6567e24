import { mkdirSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { makeOldStore, OLD_SCHEMA, stateOf } from '../support/old-store.ts';
import { type Ended, run, startServer } from '../support/process.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
let data: string;
let store: string;
beforeEach(() => {
  folder = temporaryFolder();
  data = folder.file('data');
  mkdirSync(data);
  store = `${data}/touchstone.db`;
});
afterEach(() => folder[Symbol.dispose]());

const here = (...args: string[]): Promise<Ended> => run([...args, '--data-dir', data]);
const snapshots = (): string[] => readdirSync(data).filter((name) => name.includes('before'));

describe('migrate', () => {
  it('brings the store up to date, says what it did, and has nothing to do the next time', async () => {
    makeOldStore(store).close();
    const { code, stdout, stderr } = await here('migrate');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [first, second] = stdout.split('\n');
    expect(first?.replace(/[\d.]+ s\.$/, 'N s.')).toBe(
      `Migrated ${store} from schema ${OLD_SCHEMA} to ${SCHEMA_VERSION} in N s.`,
    );
    expect(second).toBe(`Snapshot from before the migration: ${store}.before-${OLD_SCHEMA}`);
    expect(stateOf(store).version).toBe(SCHEMA_VERSION);
    expect(snapshots()).toEqual([`touchstone.db.before-${OLD_SCHEMA}`]);

    expect(await here('migrate')).toEqual({
      code: 0,
      signal: null,
      stdout: `Nothing to do: ${store} is up to date.\n`,
      stderr: '',
    });
  });

  it('makes no snapshot with the option for it', async () => {
    makeOldStore(store).close();
    const { code, stdout } = await here('migrate', '--no-snapshot');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Migrated .*\n$/);
    expect(snapshots()).toEqual([]);
  });

  it('rejects while a server runs, which continues', async () => {
    await using server = await startServer(data);
    expect(await here('migrate')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${data} is in use by another Touchstone server; stop it or choose another data folder.\n`,
    });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it('makes no store where there is none', async () => {
    expect(await here('migrate')).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `There is no store in ${data}; start the server once, or set its folder with --data-dir.\n`,
    });
    expect(readdirSync(data)).toEqual([]);
  });
});

describe('a store from before the first release', () => {
  it('is left as it is', async () => {
    const old = makeOldStore(store);
    old.pragma('user_version = 17');
    old.close();
    const before = stateOf(store);
    expect(await here('migrate')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${store} was written before the first release of Touchstone (schema 17); this version migrates schema ${OLD_SCHEMA} and later.\n`,
    });
    expect(stateOf(store)).toEqual(before);
  });
});

describe('a store of an older version', () => {
  it.each([
    [['keys', 'create']],
    [['keys', 'list']],
    [['applications', 'create', '--title', 'New']],
    [['applications', 'list']],
    [['remap']],
  ])('is not migrated by %j, which says what to do', async (args) => {
    makeOldStore(store).close();
    const before = stateOf(store);
    expect(await here(...args)).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `${store} was written by an older version of Touchstone (schema ${OLD_SCHEMA}, this version needs ${SCHEMA_VERSION}); start the server or run migrate to update it.\n`,
    });
    expect(stateOf(store)).toEqual(before);
  });

  it('is migrated by a start of the server, which logs where the snapshot is', async () => {
    makeOldStore(store).close();
    await using server = await startServer(data);
    const line = server
      .stdout()
      .split('\n')
      .find((text) => text.includes('migrated'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 'info',
      message: 'the store was migrated',
      from: OLD_SCHEMA,
      to: SCHEMA_VERSION,
      snapshot: `${store}.before-${OLD_SCHEMA}`,
    });
    expect(stateOf(`${store}.before-${OLD_SCHEMA}`).version).toBe(OLD_SCHEMA);
    expect(await here('applications', 'list')).toMatchObject({ code: 0 });
  });
});
