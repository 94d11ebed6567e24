import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { makeOldStore, OLD_SCHEMA, stateOf } from '../support/old-store.ts';
import { temporaryFolder } from '../support/storage.ts';

it('a migration happens once when two processes start it at the same time', async () => {
  using folder = temporaryFolder();
  const file = folder.file('touchstone.db');
  const snapshot = `${file}.before-${OLD_SCHEMA}`;
  const old = makeOldStore(file);
  old.exec('BEGIN IMMEDIATE');
  const both = [startMigrating(file), startMigrating(file)];
  await Promise.all(both.map(({ begins }) => begins));
  // Longer than a command waits for its turn.
  await delay(6_000);
  old.exec('COMMIT');
  old.close();
  const results = await Promise.all(both.map(({ result }) => result));
  expect(results).toHaveLength(2);
  expect(results).toContainEqual({ from: OLD_SCHEMA, to: SCHEMA_VERSION, snapshot });
  expect(results).toContain(null);
  expect(stateOf(file).version).toBe(SCHEMA_VERSION);
  expect(stateOf(snapshot).version).toBe(OLD_SCHEMA);
});

/** Migrates in a process of its own: when it begins, and what came of it. */
function startMigrating(store: string): { begins: Promise<unknown>; result: Promise<unknown> } {
  const open = new URL('../../src/storage/sqlite/open.ts', import.meta.url).href;
  const source = `import { migrateStore } from ${JSON.stringify(open)};
    console.error('begins');
    console.log(JSON.stringify(migrateStore(process.argv[1], { snapshot: true })));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source, store], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return {
    begins: once(child.stderr, 'data'),
    result: text(child.stdout).then((json): unknown => JSON.parse(json)),
  };
}
