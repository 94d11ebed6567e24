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

const importFile = (content: string, ...args: string[]): Promise<Ended> =>
  importNamed('questions.csv', content, ...args);

function importNamed(name: string, content: string, ...args: string[]): Promise<Ended> {
  const path = join(folder, name);
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

it('compares rows with those of earlier steps, so that none replaces another one', async () => {
  const rows = Array.from({ length: 1_500 }, (_, index) => `id${index},Question ${index}?,Answer`);
  const csv = ['id,input,expected', ...rows, 'id0,Another?,Answer', 'id1,Question 1?,Answer'].join('\n');
  const counts = '1 502 rows: 1 500 created, 0 updated, 1 unchanged, 1 rejected';
  expect((await importFile(csv, '--dry-run')).stdout).toContain(counts);
  const { stdout } = await importFile(csv);
  expect(stdout).toContain(counts);
  expect(stdout).toContain('line 1502: key: is that of line 2 too, with other values');
  const found = await server.ok('GET', `/v0/tasks/${taskId}/examples?key=id0`);
  expect(found.data).toMatchObject([{ input: 'Question 0?' }]);
});

it('shows the definitions that a file of promptfoo needs, and what it cannot keep by line', async () => {
  const rows = Array.from({ length: 1_200 }, (_, index) => `Prompt ${index},contains: Lima,`);
  rows[1_100] = 'Prompt 1100,contains: Lima,fn:output.length<10';
  const csv = ['question,__expected,__expected2', ...rows].join('\n');
  const { stdout } = await importFile(csv, '--dry-run');
  expect(stdout).toContain('Definition "Assertions of the example" (ASSERT): created and linked');
  expect(stdout).toContain('line 1102: the assertion javascript');
  expect((await importFile(csv, '--dry-run', '--examples-only')).stdout).not.toContain('Definition "');
});

it('imports each combination of variables of a test of promptfoo, in as many steps as they need', async () => {
  const list = (name: string, length: number): string[] => Array.from({ length }, (_, n) => `${name}${n}`);
  const row = {
    vars: { a: list('a', 40), b: list('b', 25) },
    assert: [{ type: 'contains', value: '{{a}}' }],
  };
  const other = { vars: { a: list('c', 501), b: 'x' } };
  const rows = [row, other].map((one) => JSON.stringify(one)).join('\n');
  const { stdout } = await importNamed('suite.jsonl', rows, '--dry-run');
  expect(stdout).toContain('1 501 rows: 1 501 created, 0 updated, 0 unchanged, 0 rejected');
});

it('says what is wrong with a command', async () => {
  expect(await importFile('a\n1\n')).toMatchObject({ code: 1 });
  expect((await importFile('a\n1\n')).stderr).toContain('must have a column for the input');
  expect((await importFile('a\n1\n', '--map', 'x=a')).stderr).toContain('--map must be FIELD=COLUMN');
});
