import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { startServer } from '../support/server.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

it.each<[user: string, env: Readonly<Record<string, string>>, code: number, says: string]>([
  ['anna@example.com', {}, 1, 'repeat the command with its TOUCHSTONE_SECRET_KEY'],
  ['anna@example.com', { TOUCHSTONE_SECRET_KEY: KEY }, 0, '"status":"COMPLETED"'],
  ['user-4711', {}, 0, '"status":"COMPLETED"'],
])(
  'erase of %s with %o ends with %i where the key is in a setting of the server',
  async (user, env, code, says) => {
    const server = await startServer({ config: { secretKey: KEY } });
    try {
      let said = '';
      const ended = await runCommandLine(['erase', '--user', user, '--json'], {
        env: { TOUCHSTONE_DATA_DIR: server.folder, ...env },
        out: (text) => void (said += text),
        err: (text) => void (said += text),
        isTerminal: false,
        program: 'touchstone',
      });
      expect([ended, said]).toEqual([code, expect.stringContaining(says)]);
    } finally {
      await server.close();
    }
  },
);
