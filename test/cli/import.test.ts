import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ended, run } from '../support/process.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
let taskId: string;
beforeAll(async () => {
  server = await sharedServer();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-import-'));
  const json = await server.ok('POST', '/v0/tasks', { body: { title: 'A', type: 'STATIC' } });
  taskId = json.task.id;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

function importFile(content: string, ...args: string[]): Promise<Ended> {
  const path = join(folder, 'questions.csv');
  writeFileSync(path, content);
  const { url, apiKey, applicationId } = server;
  const env = { TOUCHSTONE_URL: url, TOUCHSTONE_API_KEY: apiKey, TOUCHSTONE_APPLICATION_ID: applicationId };
  return run(['import', path, '--task', taskId, ...args], { env });
}

it('imports a file in steps, and reports what it did with each column and row', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => `Question ${index}?,Answer ${index},x`);
  rows[2_200] = ',nothing asked,x';
  const csv = ['Frage,Antwort,note', ...rows].join('\n');
  const { code, stdout } = await importFile(csv, '--map', 'input=Frage,expected=Antwort');
  expect(stdout).toContain(
    '2 500 rows: 2 499 created, 0 updated, 0 unchanged, 1 rejected.\n  input from "Frage"\n  expected from "Antwort"\nColumns not used: note\n  line 2202: input: is missing\n',
  );
  expect(code).toBe(1);
  const again = await importFile(csv, '--map', 'input=Frage,expected=Antwort', '--dry-run');
  expect(again.stdout).toContain('2 500 rows: 0 created, 0 updated, 2 499 unchanged, 1 rejected (nothing');
});

it('says what is wrong with a command', async () => {
  expect(await importFile('a\n1\n')).toMatchObject({ code: 1 });
  expect((await importFile('a\n1\n')).stderr).toContain('must have a column for the input');
  expect((await importFile('a\n1\n', '--map', 'x=a')).stderr).toContain('--map must be FIELD=COLUMN');
});
