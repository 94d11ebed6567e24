import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { startPostgres } from '../../support/postgres-server.ts';
import { POSTGRES_FILES, SQLITE_ONLY } from './files.ts';

const ROOT = join(import.meta.dirname, '../../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

interface Report {
  testResults: {
    name: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

it('tests of stores pass on PostgreSQL too', async () => {
  await using server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-same-tests-'));
  const file = join(folder, 'report.json');
  const args = ['run', '--config=vitest.postgres.config.ts', '--reporter=json', `--outputFile.json=${file}`];
  const env = {
    ...process.env,
    TOUCHSTONE_ENGINE: 'postgres',
    TEST_POSTGRES_URL: server.url,
    VITEST: undefined,
  };
  const vitest = spawn(process.execPath, [VITEST, ...args], { cwd: ROOT, env, stdio: 'ignore' });
  await once(vitest, 'exit');
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  rmSync(folder, { recursive: true });
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName, failureMessages }) => [relative(ROOT, name), fullName, failureMessages[0]]),
  );
  expect(failed, JSON.stringify(failed, null, 1)).toEqual([]);
  expect(testResults.map(({ name }) => relative(ROOT, name)).toSorted()).toEqual(POSTGRES_FILES);
}, 1_200_000);

it('tests that run on SQLite only exist, and are not among those of both engines', () => {
  const left = Object.keys(SQLITE_ONLY);
  expect(left.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(left.filter((file) => POSTGRES_FILES.includes(file))).toEqual([]);
});
