/** Files that a server leaves for its operator. */
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { removeAfterUse } from '../../src/cli/setup-link.ts';
import { sharedFolderWarning } from '../../src/cli/start-warnings.ts';
import { writeSecret } from '../../src/cli/write-secret.ts';
import { startServer } from '../support/server.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());

describe('a secret file', () => {
  it.each(['secret', 'secret.new'])('is not written through a symbolic link with the name %s', (name) => {
    const [file, elsewhere] = [folder.file('secret'), folder.file('elsewhere')];
    writeFileSync(elsewhere, 'unchanged');
    symlinkSync(elsewhere, folder.file(name));
    writeSecret(file, 'text');
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(elsewhere, 'utf8')).toBe('unchanged');
    expect(readdirSync(folder.path).toSorted()).toEqual(
      [...new Set(['elsewhere', name, 'secret'])].toSorted(),
    );
  });
});

describe('the file with the link for the first user', () => {
  it('is deleted once there is a user, also when the store did not respond before', async () => {
    const file = folder.file('setup-link');
    writeFileSync(file, 'link');
    let looks = 0;
    removeAfterUse(file, async () => {
      looks += 1;
      if (looks === 1) throw new Error('busy');
      return looks > 2;
    });
    expect(existsSync(file)).toBe(true);
    await expect.poll(() => existsSync(file)).toBe(false);
  });

  it('is deleted when the server stops', () => {
    const file = folder.file('setup-link');
    writeFileSync(file, 'link');
    removeAfterUse(file, () => Promise.resolve(false)).stop();
    expect(existsSync(file)).toBe(false);
  });
});

it.each([
  [0o700, false],
  [0o755, false],
  [0o1777, true],
])('a data folder of mode %o: a warning of other users is %s', (mode, isWarned) => {
  chmodSync(folder.path, mode);
  expect(sharedFolderWarning(folder.path) !== null).toBe(isWarned);
});

it('users link prints the address of the running server, unless a flag has another', async () => {
  const server = await startServer();
  try {
    writeSecret(`${server.folder}/address`, 'https://example.com:8443/tools\n');
    const link = async (...flags: string[]): Promise<string> => {
      let printed = '';
      const out = (text: string) => void (printed += text);
      const io = { env: {}, out, err: () => undefined, isTerminal: false, program: 'touchstone' };
      expect(await runCommandLine(['users', 'link', '--data-dir', server.folder, ...flags], io)).toBe(0);
      return printed;
    };
    expect(await link()).toMatch(/^https:\/\/example\.com:8443\/tools\/#setup=/);
    expect(await link('--port', '9')).toMatch(/^http:\/\/127\.0\.0\.1:9\/#setup=/);
    expect(await link('--public-url', 'https://t.example')).toMatch(/^https:\/\/t\.example\/#setup=/);
  } finally {
    await server.close();
  }
});
