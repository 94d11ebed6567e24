import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { openToRead } from '../../src/storage/sqlite/read-store.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

/** A store that was not stopped: its log has commits. */
function killedStore(folder: Folder): { file: string; copyFolder: string } {
  const live = folder.file('live/touchstone.db');
  mkdirSync(dirname(live));
  const { connection } = openDatabase(live);
  connection.pragma('foreign_keys = OFF');
  connection.exec(
    "INSERT INTO known_browser (token_hash, user_id, used_at, expires_at) VALUES (x'00', 'u', 1, 1)",
  );
  const killed = folder.file('killed');
  cpSync(dirname(live), killed, { recursive: true });
  connection.close();
  const copyFolder = folder.file('copies');
  mkdirSync(copyFolder);
  return { file: `${killed}/touchstone.db`, copyFolder };
}

it('the copy of a store that was not stopped has no name once it is open, so that nothing of it remains after a kill', async () => {
  using folder = temporaryFolder();
  const { file, copyFolder } = killedStore(folder);
  const { database, close } = await openToRead(file, { copyFolder, isStopped: () => false });
  expect(readdirSync(copyFolder)).toEqual([]);
  for (let i = 0; i < 3; i += 1)
    expect(database.snapshot(() => database.all('SELECT user_id AS id FROM known_browser'))).toEqual([
      { id: 'u' },
    ]);
  close();
  expect(readdirSync(copyFolder)).toEqual([]);
});

it('an interrupt at any time of the copy leaves nothing of it', async () => {
  using folder = temporaryFolder();
  const { file, copyFolder } = killedStore(folder);
  for (let checks = 0; ; checks += 1) {
    let asked = 0;
    const isStopped = (): boolean => (asked += 1) > checks;
    const opened = await openToRead(file, { copyFolder, isStopped }).catch((error: unknown) => error);
    expect(readdirSync(copyFolder)).toEqual([]);
    if (opened instanceof Error) {
      expect(opened.message).toBe('Interrupted; nothing was changed.');
      continue;
    }
    (opened as { close: () => void }).close();
    expect(checks).toBeGreaterThan(2);
    return;
  }
});
