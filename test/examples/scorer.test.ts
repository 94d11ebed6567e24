import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { demand } from '../../scripts/suite/needs.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, stopApps } from './example-app.ts';
import { EXAMPLES, readReadme, runInShell, shellBlocks } from './example.ts';

const FOLDER = join(EXAMPLES, 'scorer');
/** As the README has it. */
const ADDRESS = 'http://127.0.0.1:8090/';

let server: TestServer;
beforeAll(async () => {
  demand('curl');
  demand('python3');
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 50 } });
});
afterAll(() => server.close());
afterEach(stopApps);

const page = (path: string): string[] => shellBlocks(readFileSync(join(EXAMPLES, path), 'utf8'));
const setUp = page('README.md').find((block) => block.includes('TOUCHSTONE_WEBHOOK_SECRET')) as string;
const [python = '', node = '', define = '', send = '', unlink = ''] = page('scorer/README.md');

it.each([
  ['Python', python],
  ['TypeScript', node],
])('the scorer in %s scores a live trace by the commands of its README', async (_language, start) => {
  const { apiKey, applicationId, headers } = await server.newTenant();
  const port = await freePort();
  const env = {
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: apiKey,
    TOUCHSTONE_APPLICATION_ID: applicationId,
    PORT: String(port),
  };
  const configured = await runInShell(`${setUp}\necho "secret $TOUCHSTONE_WEBHOOK_SECRET"`, FOLDER, env);
  const secret = /^secret (whsec_\S+)$/m.exec(configured)?.[1] as string;
  await startApp(start.replace(/ &$/, ''), FOLDER, { ...env, TOUCHSTONE_WEBHOOK_SECRET: secret });
  const address = `http://127.0.0.1:${port}/`;
  const unsigned = await fetch(address, { method: 'POST', body: '{}' });
  expect(unsigned.status).toBe(401);

  expect(define).toContain(ADDRESS);
  const functions = setUp.split('\n').slice(0, -1).join('\n');
  await runInShell(`${functions}\n${define.replace(ADDRESS, address)}`, FOLDER, env);
  await expect
    .poll(
      async () => {
        await runInShell(`${functions}\n${send}`, FOLDER, env);
        return (await server.ok('GET', '/v0/evals?status=COMPLETED&limit=1', { headers })).data;
      },
      { interval: 500 },
    )
    .toHaveLength(1);
  const { json } = await server.call('GET', '/v0/evals?status=COMPLETED&limit=1', { headers });
  expect(json).toMatchObject(readReadme('scorer').excerpt as object);

  // The second time, the definition of the first is used; then nothing stays linked.
  await runInShell(`${functions}\n${define.replace(ADDRESS, address)}\n${unlink}`, FOLDER, env);
  const { json: defined } = await server.call('GET', '/v0/definitions', { headers });
  expect(defined).toMatchObject({ data: [{ name: 'Numbers are grounded' }] });
  const task = { title: 'Any', type: 'STATIC', inputExamples: ['Why?'] };
  const made = await server.call('POST', '/v0/tasks', { body: task, headers });
  const { id } = (made.json as { task: { id: string } }).task;
  const applied = await server.call('GET', `/v0/definitions?taskId=${id}`, { headers });
  expect(applied.json).toMatchObject({ data: [] });
});
