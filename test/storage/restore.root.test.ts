import { chownSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../support/process.ts';
import { temporaryFolder } from '../support/storage.ts';
import { makeBackup } from './foreign-parts.ts';

it('restore as root keeps the owner of the folder', async () => {
  using folder = temporaryFolder();
  const file = makeBackup(folder, {});
  const data = folder.file('data');
  await run(['restore', file, '--data-dir', data]);
  chownSync(data, 65_532, 65_532);
  chownSync(`${data}/touchstone.db`, 65_532, 65_532);
  const ended = await run(['restore', file, '--data-dir', data, '--replace']);
  expect(ended).toMatchObject({ code: 0 });
  expect(statSync(`${data}/touchstone.db`)).toMatchObject({ uid: 65_532, gid: 65_532 });
});
