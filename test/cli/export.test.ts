import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  folder = mkdtempSync(join(tmpdir(), 'touchstone-export-'));
  const body = { title: 'A', type: 'STATIC', inputExamples: ['=1+1', 'b'] };
  const { json } = await server.call('POST', '/v0/tasks', { body });
  taskId = (json as { task: { id: string } }).task.id;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

const file = (name: string): string => join(folder, name);

function exported(...args: string[]): Promise<Ended> {
  const { url, apiKey, applicationId } = server;
  const env = { TOUCHSTONE_URL: url, TOUCHSTONE_API_KEY: apiKey, TOUCHSTONE_APPLICATION_ID: applicationId };
  return run(['export', ...args], { env });
}

it('writes a complete file in the format of its ending', async () => {
  const path = file('examples.csv');
  const { code, stdout } = await exported('examples', '--task', taskId, '--output', path);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/examples\.csv: \d+ bytes\.\n$/)]);
  expect(readFileSync(path, 'utf8').split('\r\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^'=1\+1,/),
    expect.stringMatching(/^b,/),
  ]);
  expect(existsSync(`${path}.part`)).toBe(false);
});

it('begins CSV with a byte-order mark with --bom', async () => {
  const path = file('marked.csv');
  expect((await exported('examples', '--task', taskId, '--output', path, '--bom')).code).toBe(0);
  expect(readFileSync(path, 'utf8').startsWith('\ufeffinput,')).toBe(true);
  const { code, stderr } = await exported('tests', '--output', file('a.jsonl'), '--bom');
  expect([code, stderr]).toEqual([1, expect.stringContaining('--bom is allowed with CSV only.')]);
});

it.each([
  [[], 'export needs one of traces, tests, examples.'],
  [['tests'], 'export needs --output'],
  [['tests', '--output', 'x.txt'], '--format must be one of csv, jsonl, parquet.'],
  [['examples', '--output', 'x.csv'], 'export examples needs --task'],
  [['traces', '--output', 'x.csv', '--limit', '0'], '--limit must be between 1 and 1000000'],
])('says what is wrong with %j', async (args, message) => {
  const { code, stderr } = await exported(...args);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});

it('leaves no file behind that is not complete', async () => {
  const path = file('none.csv');
  const { code, stderr } = await exported(
    'examples',
    '--task',
    '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
    '--output',
    path,
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining('answered 404')]);
  expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
});
