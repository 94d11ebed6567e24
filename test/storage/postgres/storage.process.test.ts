import { randomUUID } from 'node:crypto';
import { afterAll, expect } from 'vitest';
import { connectForCommands, prepareDatabase } from '../../../src/storage/postgres/prepare.ts';
import { parseTarget } from '../../../src/storage/postgres/target.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { loadPostgres } from '../../support/build.ts';
import { startPostgres } from '../../support/postgres-server.ts';
import { describeStorage, type OpenStorage } from '../conformance.ts';

// Read by the threads of the store, which compose their statements when they are loaded.
process.env['TOUCHSTONE_ENGINE'] = 'postgres';

const { openPostgresStorage } = await loadPostgres();
const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

async function openStorage(): Promise<OpenStorage> {
  const name = `store_${randomUUID().replaceAll('-', '')}`;
  const admin = connectForCommands(parseTarget(server.url, 'URL'));
  admin.run(`CREATE DATABASE ${name}`);
  admin.close();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const target = parseTarget(url.href, 'URL');
  prepareDatabase(target, new Uint8Array(4));
  const deaths: Error[] = [];
  const start = (): Storage => openPostgresStorage(target, (error) => deaths.push(error));
  let storage = start();
  return {
    get storage() {
      return storage;
    },
    reopen: async () => {
      await storage.close();
      storage = start();
      return storage;
    },
    close: async () => {
      await storage.close();
      expect(deaths).toEqual([]);
    },
  };
}

describeStorage('PostgreSQL', openStorage, { wrongType: 'invalid input syntax', sharesCommits: false });
