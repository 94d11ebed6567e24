import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAIN } from '../support/build.ts';
import { freePort } from '../support/free-port.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { demand } from '../../scripts/suite/needs.ts';
import { EXAMPLES, runInShell, shellBlocks } from './example.ts';

const FOLDER = join(EXAMPLES, 'dataset');

let server: TestServer;
beforeAll(async () => {
  demand('curl');
  server = await startServer({ config: { quietMs: 100 } });
});
afterAll(() => server.close());

async function linkForAll(): Promise<void> {
  const body = { name: 'Of all', type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } };
  const { json } = await server.call('POST', '/v0/definitions', { body });
  const { data } = json as { data: { id: string } };
  await server.call('POST', '/v0/definitions/link-application', { body: { evalIds: [data.id] } });
}

async function countOf(path: string): Promise<number> {
  const { json } = await server.call('GET', `${path}?limit=100`);
  return (json as { data: unknown[] }).data.length;
}

it.each([
  ['first', 1],
  ['second, beside a definition that judges everything', 2],
])('walks from a CSV file to the exit code as its README says, the %s time', async (_time, definitions) => {
  if (definitions > 1) await linkForAll();
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
  // The second time, the import finds the rows of the first.
  const wanted = shown
    .trimEnd()
    .split('\n')
    .slice(definitions - 1);
  expect(printed.split('\n').filter((line) => wanted.includes(line))).toEqual(wanted);
  expect(printed.match(/^corrected: \d+$/gm)).toHaveLength(5);
  expect(await countOf('/v0/tasks')).toBe(1);
  expect(await countOf('/v0/definitions')).toBe(definitions);
});
