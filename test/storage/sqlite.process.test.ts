import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { lockDataFolder } from '../../src/storage/sqlite/lock.ts';
import { openForWriting } from '../../src/storage/sqlite/open.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

/** A folder that is gone when the test is over. */
function newFolder(): Folder {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

it('the log holds what was acknowledged, whatever becomes of the process', async () => {
  const folder = newFolder();
  const file = folder.file('store.db');
  openForWriting(file).close();
  const child = spawnModule(
    `import { openSqliteStorage } from ${moduleUrl('dist/storage/sqlite/client.js')};
     import { storeArgs, writeSlice } from ${moduleUrl('test/support/storage.ts')};
     const storage = openSqliteStorage(process.argv[2], () => process.exit(1));
     for (let id = 1; ; id++) {
       await writeSlice(storage.write, storeArgs(1, [{ id }]));
       process.stdout.write(id + '\\n');
     }`,
    file,
  );
  let acknowledged = 0;
  for await (const text of child.stdout) {
    acknowledged = Number(String(text).trim().split('\n').at(-1));
    if (acknowledged >= 50) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  const database = openDatabase(file);
  const stored = database.get<{ n: number }>('SELECT count(*) AS n FROM span')?.n ?? 0;
  expect(stored).toBeGreaterThanOrEqual(acknowledged);
  expect(database.get('SELECT span_count AS n FROM trace')).toEqual({ n: stored });
  expect(database.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  database.connection.close();
});

it('lockDataFolder keeps other processes out, until the one that holds it is gone, however it went', async () => {
  const { path } = newFolder();
  const child = spawnModule(
    `import { lockDataFolder } from ${moduleUrl('src/storage/sqlite/lock.ts')};
     lockDataFolder(process.argv[2]);
     // Nobody keeps what lockDataFolder returned.
     await new Promise(setImmediate);
     globalThis.gc();
     await new Promise(setImmediate);
     process.stdout.write('locked');
     setInterval(() => undefined, 1000);`,
    path,
  );
  await once(child.stdout, 'data');
  expect(() => lockDataFolder(path)).toThrow(StartupError);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockDataFolder(path)();
});

function moduleUrl(path: string): string {
  return JSON.stringify(new URL(`../../${path}`, import.meta.url).href);
}

/** Runs a module in another process; one argument. */
function spawnModule(source: string, argument: string) {
  const folder = newFolder();
  const file = folder.file('module.mjs');
  writeFileSync(file, source);
  const child = spawn(process.execPath, ['--expose-gc', file, argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
