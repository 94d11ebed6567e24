/** Commands on a folder whose disk is full: each says so in one sentence, and works once there is space. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureTenancy } from '../../src/cli/first-start.ts';
import { run } from '../../src/cli/run.ts';
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
  // A fault that a repair mends.
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
  const code = await run([...args, '--data-dir', data], {
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

it('verify --repair works once there is space again', async () => {
  rmSync(filler, { force: true });
  const { code, text } = await outcome(['verify', '--repair']);
  expect(text).toMatch(/^index membership_by_user: it was built again\n1 row was repaired\.\n/m);
  expect(code).toBe(0);
});
