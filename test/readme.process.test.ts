import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedServer, type TestServer } from './support/server.ts';
import { demand } from '../scripts/suite/needs.ts';

const run = promisify(execFile);
const INSTALL_MS = 300_000;

let server: TestServer;
beforeAll(async () => {
  demand('curl');
  server = await sharedServer();
}, INSTALL_MS);
afterAll(() => server.close());

it('the README leads a newcomer to the first trace: its commands, as written there', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const commands = [...readme.matchAll(/```sh\n(.*?)```/gs)]
    .map(([, block = '']) => block)
    .filter((block) => block.includes('curl '));
  expect(commands).toHaveLength(2);
  const script = commands.join('\n');

  const { stdout } = await run('bash', ['-euc', script], {
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
    },
  });
  const sent = JSON.parse(stdout.slice(0, stdout.indexOf('}]}') + 3)) as {
    data: { success: boolean; id: string }[];
  };
  const read = JSON.parse(stdout.slice(stdout.indexOf('}]}') + 3)) as { data: Record<string, unknown> };
  expect(sent.data[0]?.success).toBe(true);
  expect(read.data).toMatchObject({ id: sent.data[0]?.id, input: '2+2?', output: '4' });
});
