/** The ways to a first success. `npm run first-hour` runs all; first-hour.process.test.ts runs the one that no other test covers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { firstHourPage, timesOf } from '../../scripts/first-hour/page.ts';
import { WAYS } from '../../scripts/first-hour/ways.ts';
import { packagesOf } from '../instrumentations/recording.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/first-hour.md');

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
