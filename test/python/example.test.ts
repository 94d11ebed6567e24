import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXAMPLES, readReadme, runInShell } from '../examples/example.ts';
import { installPackage, testPython } from '../support/python.ts';
import { startServer, type TestServer } from '../support/server.ts';

const INSTALL_MS = 900_000;

let server: TestServer;
let environment: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'touchstone-python-'));
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 200 } });
  const python = await testPython();
  const { installed } = await installPackage(python, folder);
  const path = [dirname(python), dirname(process.execPath), process.env['PATH']].join(':');
  environment = {
    PATH: path,
    PYTHONPATH: installed,
    PYTHONDONTWRITEBYTECODE: '1',
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: server.apiKey,
    TOUCHSTONE_APPLICATION_ID: server.applicationId,
  };
}, INSTALL_MS);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

it('the example of pytest runs a function as the app of tests, by the commands of its README', async () => {
  const { script, excerpt } = readReadme('pytest');
  const printed = await runInShell(script, join(EXAMPLES, 'pytest'), environment);
  expect(printed).toMatch(/^1 passed in/m);
  const [, listed = ''] = /^(\{"data":.*)$/m.exec(printed) ?? [];
  expect(JSON.parse(listed)).toMatchObject(excerpt as object);
});
