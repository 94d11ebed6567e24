import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/storage.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it.each([['publint/src/cli.js', '--strict'], ['@arethetypeswrong/cli/dist/index.js']])(
  'the client passes %s as it is served',
  async (script, ...options) => {
    const command = [`node_modules/${script}`, ...options, 'dist/packages/client.tgz'];
    // Rejects with the complaints.
    const { stderr } = await promisify(execFile)(process.execPath, command);
    expect(stderr).toBe('');
  },
);

it('npm installs the packages from the server, and they load', async () => {
  using app = temporaryFolder();
  writeFileSync(app.file('package.json'), '{ "private": true }');
  const run = (program: string, args: readonly string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(program, args, { cwd: app.path, env: { ...process.env, NODE_ENV: '' } });
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--legacy-peer-deps'];
  const urls = ['otel', 'client'].map((name) => `${server.url}/packages/${name}.tgz`);
  await run('npm', ['install', ...quiet, ...urls]);
  const use = `
    import { answerOf, createClient } from 'touchstone-client';
    const client = createClient({ baseUrl: '${server.url}', apiKey: '${server.apiKey}', applicationId: '${server.applicationId}' });
    console.log((await answerOf(client.GET('/v0/tasks'))).pagination.total);`;
  writeFileSync(app.file('use.mjs'), use);
  expect((await run(process.execPath, ['use.mjs'])).stdout).toBe('0\n');
});
