import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { erasing } from './erasure-support.ts';

const PAGE_BYTES = 4096;
const LEFT = 'The dunlin is left in an unallocated area';

/** Starts a server over a store whose pages have a text where a row was before it moved. */
async function startOverRemains(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const first = await startServer({ config: { dataDir: folder } });
  await first.close();
  const { applicationId, apiKey, orgId } = first;
  const file = join(folder, 'touchstone.db');
  writeFileSync(file, withRemains(readFileSync(file)));
  const server = await startServer({
    config: {
      dataDir: folder,
      bootstrapApplicationId: applicationId,
      bootstrapApiKey: apiKey,
      bootstrapOrgId: orgId,
    },
  });
  onTestFinished(() => server.close());
  return server;
}

/** Writes the text behind the header of each empty leaf of a b-tree, and before its cells. */
function withRemains(store: Buffer): Buffer {
  for (let start = 2 * PAGE_BYTES; start < store.length; start += PAGE_BYTES) {
    const page = store.subarray(start, start + PAGE_BYTES);
    const isEmptyLeaf = (page[0] === 10 || page[0] === 13) && page.readUInt16BE(3) === 0;
    if (isEmptyLeaf && page.readUInt16BE(5) === PAGE_BYTES) page.write(LEFT, 1000);
  }
  return store;
}

it.each<[string, (server: TestServer) => Promise<unknown>]>([
  ['the server', (server) => erasing(() => server).erase({ userId: 'user-4711' })],
  [
    'the command beside it',
    async ({ folder }) => {
      const io = {
        env: { TOUCHSTONE_DATA_DIR: folder },
        out: () => undefined,
        err: () => undefined,
        isTerminal: false,
        program: 'touchstone',
      };
      expect(await runCommandLine(['erase', '--user', 'user-4711'], io)).toBe(0);
    },
  ],
])('an erasure by %s leaves no text in unallocated areas of the store', async (_who, erase) => {
  const server = await startOverRemains();
  const { filesWith } = erasing(() => server);
  expect(filesWith(LEFT)).toEqual([join(server.folder, 'touchstone.db')]);
  await erase(server);
  expect(filesWith(LEFT)).toEqual([]);
  expect((await server.call('GET', '/v0/erasures')).text).toContain('COMPLETED');
});
