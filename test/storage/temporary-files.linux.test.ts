import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/storage.ts';

const OPEN = join(import.meta.dirname, '../../src/storage/sqlite/open.ts');

/** Changes many pages under a savepoint, then prints the files that this process has open and that have no name. */
const PROGRAM = `
  import { readdirSync, readlinkSync } from 'node:fs';
  const { openForWriting } = await import(process.argv[1]);
  const store = openForWriting(process.argv[2]);
  store.exec('CREATE TABLE t (a, b); CREATE INDEX t_b ON t (b)');
  const fill = \`INSERT INTO t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 5000)
    SELECT i, hex(randomblob(100)) FROM s\`;
  store.exec(fill);
  store.exec('BEGIN; SAVEPOINT command');
  store.exec(fill);
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try { return readlinkSync('/proc/self/fd/' + fd); } catch { return ''; }
  });
  console.log(JSON.stringify(open.filter((path) => path.endsWith('(deleted)'))));
`;

it.runIf(process.platform === 'linux')(
  'the writer keeps the journal of a large command in a file without a name in the folder of the store',
  async () => {
    using folder = temporaryFolder();
    const args = ['--input-type=module', '--eval', PROGRAM, OPEN, folder.file('store.db')];
    const { SQLITE_TMPDIR: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(JSON.parse(stdout)).toEqual([expect.stringContaining(folder.path)]);
  },
);
