/** The ways to a first success. `npm run first-hour` runs all; here runs the one that no other test covers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstHourPage, timesOf } from '../../scripts/first-hour/page.ts';
import { runWay } from '../../scripts/first-hour/run-way.ts';
import { WAYS } from '../../scripts/first-hour/ways.ts';
import { packagesOf } from '../instrumentations/recording.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/first-hour.md');
const INSTALL_MS = 600_000;

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it(
  'an app in an empty folder installs the package that the server hands out, and draws its first trace',
  async () => {
    const way = WAYS.find(({ name }) => name === 'javascript');
    if (!way) throw new Error('There is no such way');
    const { url, apiKey, applicationId } = server;
    const { printed } = await runWay(way, { url, apiKey, applicationId, modelUrl: 'http://127.0.0.1:9' });
    expect(printed).toMatch(/^asked {5}What is the capital of France\?\nanswered {2}Paris\n/m);
  },
  INSTALL_MS,
);

it('the page has the commands of every way, and a time for each', () => {
  const times = timesOf(PAGE);
  expect([...times.keys()]).toEqual(WAYS.map(({ title }) => title));
  expect(readFileSync(PAGE, 'utf8')).toBe(firstHourPage(WAYS, times));
});

it.each([
  ['python-openai', 'openinference_openai'],
  ['python-langchain', 'openinference_langchain'],
])('%s has the versions whose recorded spans other tests check', (example, recorded) => {
  const folder = join(ROOT, 'examples', example);
  expect(readdirSync(folder).sort()).toEqual(['README.md', 'app.py', 'requirements.txt']);
  const lines = readFileSync(join(folder, 'requirements.txt'), 'utf8').trimEnd().split('\n');
  const recordedLines = Object.entries(packagesOf(recorded)).map(([name, version]) => `${name}==${version}`);
  expect(recordedLines).toEqual(expect.arrayContaining(lines));
});
