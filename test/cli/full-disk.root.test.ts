/** Commands on a folder whose disk is full: each says so in one sentence, and works once there is space. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureTenancy } from '../../src/cli/first-start.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
let data: string;
let filler: string;
beforeAll(() => {
  folder = temporaryFolder();
  data = folder.file('data');
  filler = `${data}/filler`;
  mkdirSync(data);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'touchstone-test', data]);
  const database = openDatabase(`${data}/touchstone.db`);
  const presets = { bootstrapOrgId: null, bootstrapApplicationId: null, bootstrapApiKey: null };
  ensureTenancy(database, presets, `${data}/first-key`);
  // A fault that a repair repairs.
  database.connection.exec('DROP INDEX membership_by_user');
  database.connection.close();
});
afterAll(() => {
  execFileSync('umount', [data]);
  folder[Symbol.dispose]();
});

/** Leaves no byte free. */
function fill(): void {
  for (let pages = 1; pages > 0; ) {
    const { bavail, bsize } = statfsSync(data);
    pages = bavail;
    if (pages > 0) writeFileSync(filler, Buffer.alloc(pages * bsize), { flag: 'a' });
  }
}

async function outcome(args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const write = (more: string): boolean => Boolean((text += more));
  const code = await runCommandLine([...args, '--data-dir', data], {
    env: {},
    out: write,
    err: write,
    isTerminal: false,
    program: 'touchstone',
  });
  return { code, text };
}

const FULL = /^The disk of \S+ is full; free some space\.\n$/;
const COMMANDS: readonly (readonly [command: string, code: number, whenFull: RegExp])[] = [
  ['doctor', 1, /^✕ problem Disk: 0 B free of .*\n +A full disk stops ingest: .*$/m],
  ['migrate status', 0, /Nothing is to be done\.\n$/],
  ['verify --deep', 1, /1 fault found\. Stop the server and run verify --repair\.\n$/],
  ['backup DATA/x.backup', 1, /^The backup needs up to \d+ MiB; 0 MiB are free in \S+\.\n$/],
  ['users list', 1, FULL],
  ['keys create --name CI', 1, FULL],
  ['verify --repair', 1, FULL],
];

it.each(COMMANDS)(
  '%s on a full disk says what is wrong, and leaves the store as it is',
  async (command, code, whenFull) => {
    fill();
    const before = readFileSync(`${data}/touchstone.db`);
    const said = await outcome(command.replace('DATA', data).split(' '));
    expect(said).toEqual({ code, text: expect.stringMatching(whenFull) as string });
    expect(readFileSync(`${data}/touchstone.db`).equals(before)).toBe(true);
  },
);

it.each(['with an empty log', 'with a log that the database lacks'])(
  'backup to another disk needs no space on the disk of the store, %s',
  async (log) => {
    rmSync(filler, { force: true });
    if (log.includes('lacks')) leaveLog();
    fill();
    const before = readdirSync(data).filter((name) => !name.endsWith('-shm'));
    const file = folder.file(`${before.length}.backup`);
    const said = await outcome(['backup', file]);
    expect(said).toEqual({
      code: 0,
      text: expect.stringMatching(
        /^The backup is not recorded .*: The disk of \S+ is full; free some space\.\nBacked up 0 traces to /,
      ) as string,
    });
    // SQLite leaves the index that it could not make, which the next program replaces.
    expect(readdirSync(data).filter((name) => !name.endsWith('-shm'))).toEqual(before);
    expect(readdirSync(folder.path).toSorted()).toEqual(['data', basename(file)].toSorted());
    const copy = new Sqlite(file, { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    const logged = copy.prepare("SELECT count(*) FROM application WHERE title = 'Logged'").pluck().get();
    expect(logged).toBe(log.includes('lacks') ? 1 : 0);
    copy.close();
    rmSync(file);
  },
);

/** Leaves a commit in the log alone, as a process that was killed does. */
function leaveLog(): void {
  const [file, aside] = [`${data}/touchstone.db`, folder.file('aside')];
  const connection = new Sqlite(file);
  connection.pragma('wal_autocheckpoint = 0');
  connection.exec("UPDATE application SET title = 'Logged'");
  cpSync(`${file}-wal`, aside);
  cpSync(file, `${aside}.db`);
  connection.close();
  cpSync(`${aside}.db`, file);
  cpSync(aside, `${file}-wal`);
  for (const name of [aside, `${aside}.db`]) rmSync(name);
}

it('verify --repair works once there is space again', async () => {
  rmSync(filler, { force: true });
  const { code, text } = await outcome(['verify', '--repair']);
  expect(text).toMatch(/^index membership_by_user: it was built again\n1 row was repaired\.\n/m);
  expect(code).toBe(0);
});
