/** The state of example data while the last command of its work is stored, but not yet known to be. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Owner } from '../../src/contract/owner.ts';
import { Relay } from '../../src/deliver/relay.ts';
import { AppError } from '../../src/errors.ts';
import type { LoadDeps } from '../../src/example-data/load.ts';
import { ExampleDataLoader } from '../../src/example-data/service.ts';
import { commands, queries } from '../../src/operations.ts';
import { createLog } from '../../src/runtime/log.ts';
import { SecretBox } from '../../src/runtime/secrets.ts';
import { findOperation } from '../../src/storage/operations.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { storeOwner } from '../support/command-meter.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

type Command = keyof typeof commands;

let folder: Folder;
let database: SqliteDatabase;
let owner: Owner;
let service: ExampleDataLoader;
/** Commands whose results are withheld after they are stored. */
let withheld: Set<Command>;
let release: () => void;

beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('store.db'));
  owner = storeOwner(database);
  withheld = new Set();
  const released = Promise.withResolvers<void>();
  release = () => {
    withheld.clear();
    released.resolve();
  };
  const write = async (name: Command, args: unknown): Promise<unknown> => {
    const result = findOperation(commands, name)?.(database, args);
    if (withheld.has(name)) await released.promise;
    return result;
  };
  const read = async (name: keyof typeof queries, args: unknown): Promise<unknown> =>
    findOperation(queries, name)?.(database, args);
  service = new ExampleDataLoader({
    read: read as LoadDeps['read'],
    write: write as LoadDeps['write'],
    now: Date.now,
    storeSpans: () => Promise.reject(new AppError('unavailable', 'The disk is full')),
    relay: new Relay(),
    secretBox: new SecretBox(randomBytes(32)),
    webhookTimeoutMs: 1_000,
    wake: () => undefined,
    log: createLog({ level: 'error', write: () => undefined, forPeople: false }),
  });
});
afterEach(async () => {
  release();
  await service.stop();
  database.connection.close();
  folder[Symbol.dispose]();
});

const storedStatus = (): string =>
  queries.getExampleData(database, { application: owner.application })?.status ?? 'NONE';
const status = async (): Promise<string> => (await service.stateOf(owner.application)).status;

async function loadUntilFailed(): Promise<void> {
  await service.load(owner);
  await expect.poll(status).toBe('FAILED');
}

it('has not failed when its beginning is stored and not yet known to be', async () => {
  withheld.add('beginExampleData');
  const loaded = service.load(owner);
  await expect.poll(storedStatus).toBe('LOADING');
  expect(await status()).toBe('LOADING');
  release();
  await loaded;
});

it('is loading, and cannot be removed, until its end is known to be stored; then it can', async () => {
  withheld.add('endExampleData');
  await service.load(owner);
  await expect.poll(storedStatus).toBe('FAILED');
  expect(await service.stateOf(owner.application)).toMatchObject({ status: 'LOADING', failure: null });
  await expect(service.remove(owner)).rejects.toMatchObject({ code: 'conflict' });
  release();
  await expect.poll(status).toBe('FAILED');
  await service.remove(owner);
  await expect.poll(status).toBe('NONE');
});

it('is being removed, and cannot be loaded, until its end is known to be stored; then it can', async () => {
  await loadUntilFailed();
  withheld.add('forgetExampleData');
  await service.remove(owner);
  await expect.poll(storedStatus).toBe('NONE');
  expect(await status()).toBe('REMOVING');
  await expect(service.load(owner)).rejects.toMatchObject({ code: 'conflict' });
  release();
  await expect.poll(status).toBe('NONE');
  await loadUntilFailed();
});

it('judges nothing any more from the beginning of its removal, so that no definition has an eval at its end', async () => {
  await loadUntilFailed();
  const links = (): unknown => database.get('SELECT count(*) AS count FROM definition_link');
  expect(links()).toEqual({ count: 3 });
  withheld.add('removeWebhook');
  await service.remove(owner);
  await expect.poll(links).toEqual({ count: 0 });
  expect(database.get('SELECT count(*) AS count FROM definition')).toEqual({ count: 3 });
});

it('is loaded for two applications at once, beside any that is being removed', async () => {
  await loadUntilFailed();
  withheld.add('forgetExampleData').add('endExampleData');
  await service.remove(owner);
  const other = (application: number): Owner => ({ ...owner, application });
  await service.load(other(2));
  await service.load(other(3));
  await expect(service.load(other(4))).rejects.toMatchObject({ code: 'unavailable' });
});

it('says why a process that has stopped did not complete it', async () => {
  const made = {
    webhookId: '',
    definitionIds: [],
    topicIds: [],
    taskIds: [],
    experimentId: '',
    variantIds: [],
    queueId: '',
    issueId: '',
    traceIds: [],
  };
  commands.beginExampleData(database, { application: owner.application, made, at: 1 });
  expect(await service.stateOf(owner.application)).toMatchObject({
    status: 'FAILED',
    failure: 'The server stopped before it was done.',
  });
});
