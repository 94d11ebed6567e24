import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';
import { EXAMPLES, readReadme, runInShell } from './example.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it('sets an application up by the commands of its README, and prints what that shows', async () => {
  const { script, excerpt } = readReadme('rest-api');
  const printed = await runInShell(script, join(EXAMPLES, 'rest-api'), {
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: server.apiKey,
    TOUCHSTONE_APPLICATION_ID: server.applicationId,
  });
  const [made = '', next] = printed.split('\n');
  expect(JSON.parse(made)).toMatchObject(excerpt as object);
  expect(next).toMatch(/: touchstone run [\da-f-]{36}$/);
});
