import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAIN } from '../support/build.ts';
import { freePort } from '../support/free-port.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ensureTool } from '../support/tools.ts';
import { EXAMPLES, runInShell, shellBlocks } from './example.ts';

const FOLDER = join(EXAMPLES, 'dataset');

let server: TestServer;
beforeAll(async () => {
  await ensureTool('curl');
  server = await startServer({ config: { quietMs: 100 } });
});
afterAll(() => server.close());

it('walks from a CSV file to the exit code as its README says', async () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const [command = ''] = shellBlocks(readme);
  const [, shown = ''] = /^```text\n(.*?)^```$/ms.exec(readme) ?? [];
  const { url, apiKey, applicationId } = server;
  const printed = await runInShell(command, FOLDER, {
    TOUCHSTONE_URL: url,
    TOUCHSTONE_API_KEY: apiKey,
    TOUCHSTONE_APPLICATION_ID: applicationId,
    TOUCHSTONE_COMMAND: `${process.execPath} ${MAIN}`,
    PORT: String(await freePort()),
  });
  const wanted = shown.trimEnd().split('\n');
  expect(printed.split('\n').filter((line) => wanted.includes(line))).toEqual(wanted);
  expect(printed.match(/^corrected: \d+$/gm)).toHaveLength(5);
});
