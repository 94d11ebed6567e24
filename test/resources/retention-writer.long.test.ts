import { randomBytes, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { directCalls } from '../../src/cli/direct-calls.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import { pruneApplication, releaseSpace } from '../../src/resources/retention/run.ts';
import { CommandMeter } from '../support/command-meter.ts';
import { BASE_MS } from '../support/spans.ts';
import { openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

const DAY_MS = 86_400_000;
const TODAY = BASE_MS + 400 * DAY_MS;
const SHOP = 1;

it('deleting many traces holds the writer for short commands, and the file gets smaller', async () => {
  using folder = temporaryFolder();
  const file = folder.file('touchstone.db');
  const database = openDatabase(file);
  const { connection } = database;
  const fields = withDefaults({ title: 'A', type: 'AGENT' });
  insertApplication(database, { id: randomUUID(), orgId: 'org-1', fields, at: TODAY });
  const shop = new Tenant(database, SHOP);
  connection.transaction(() => {
    for (let trace = 1; trace <= 1_200; trace++) {
      const attributes = { note: randomBytes(2_000).toString('hex') };
      const at = TODAY - (trace <= 900 ? 30 : 1) * DAY_MS;
      shop.store(
        [1, 2, 3].map((id) => ({ trace, id, attributes })),
        { at },
      );
    }
  })();
  const size = (): number => {
    connection.pragma('wal_checkpoint(TRUNCATE)');
    return statSync(file).size;
  };
  const before = size();
  const meter = new CommandMeter(database);
  const deps = {
    ...directCalls(database),
    write: meter.write,
    now: () => TODAY,
    isStopped: () => false,
    onDeleted: () => undefined,
  };
  expect(await pruneApplication(deps, SHOP, { days: 7 })).toMatchObject({ traces: 900 });
  await releaseSpace(deps, false);
  expect(Math.max(...meter.changed)).toBeLessThan(6_000);
  expect(size()).toBeLessThan(0.7 * before);
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  connection.close();
});
