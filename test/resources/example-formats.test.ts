import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { ImportReport } from '../../src/resources/examples/import-contract.ts';
import { FORMAT_CASES, formatsPage, type FormatCase } from '../support/example-formats.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

async function newTask(): Promise<string> {
  return (await server.ok('POST', '/v0/tasks', { body: { title: 'Questions', type: 'STATIC' } })).task.id;
}

async function send(
  taskId: string,
  { name, content }: { name: string; content: string | ArrayBuffer | Uint8Array<ArrayBuffer> },
  fields: Readonly<Record<string, string>> = {},
): Promise<{ status: number; report: ImportReport }> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new File([content], name));
  const path = `${server.url}/v0/tasks/${taskId}/examples/import`;
  const response = await fetch(path, { method: 'POST', headers: server.headers, body: form });
  return { status: response.status, report: ((await response.json()) as { data: ImportReport }).data };
}

const examplesOf = async (taskId: string) =>
  (await server.ok('GET', `/v0/tasks/${taskId}/examples?limit=100&status=ACTIVE&status=ARCHIVED`)).data;

describe('an import of a file of another tool', () => {
  it.each<[string, FormatCase]>(FORMAT_CASES.map((one) => [one.title, one]))(
    'keeps what examples can have: %s',
    async (_title, { file, format, examples, notCarried, unused }) => {
      const taskId = await newTask();
      const dry = await send(taskId, file, { dryRun: 'true' });
      const { report, status } = await send(taskId, file);
      expect(status).toBe(200);
      const planned = ({ definitions, ...rest }: ImportReport): object => ({
        ...rest,
        dryRun: null,
        definitions: definitions.map(({ id: _id, ...one }) => one),
      });
      expect(planned(dry.report)).toEqual(planned(report));
      expect(report).toMatchObject({ format, notCarried, unusedColumns: unused, created: examples.length });
      expect(await examplesOf(taskId)).toMatchObject(examples);
      const again = (await send(taskId, file)).report;
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: examples.length });
    },
  );

  it('is described by the page of formats', async () => {
    const advice =
      'Run `npm run vitest -- run test/resources/example-formats.test.ts -u` to write the page again';
    await expect(formatsPage(), advice).toMatchFileSnapshot('../../docs/import-formats.md');
  });
});

it('an import of Parquet reads texts, times and long numbers', async () => {
  const taskId = await newTask();
  const content = parquetWriteBuffer({
    columnData: [
      { name: 'input', data: ['Capital of Peru?'], type: 'STRING' },
      { name: 'expected', data: ['Lima'], type: 'STRING' },
      { name: 'id', data: [9_007_199_254_740_993n], type: 'INT64' },
    ],
  });
  await send(taskId, { name: 'a.parquet', content });
  expect(await examplesOf(taskId)).toMatchObject([
    { input: 'Capital of Peru?', expected: 'Lima', key: '9007199254740993' },
  ]);
});

it('numbers that would be rounded are kept as texts', async () => {
  const taskId = await newTask();
  const content = '{"input":{"order":9007199254740993,"at":1.5},"expected":12345678901234567890}\n';
  await send(taskId, { name: 'a.jsonl', content });
  expect(await examplesOf(taskId)).toMatchObject([
    { input: '{"order":"9007199254740993","at":1.5}', expected: '12345678901234567890' },
  ]);
});

it('names of columns are kept in a table with an example_id that is not of Phoenix', async () => {
  const taskId = await newTask();
  const content = 'example_id,question,input_tokens,output_tokens\ne1,Where?,12,3\n';
  const mapping = { metadata: ['input_tokens', 'output_tokens'] };
  await send(taskId, { name: 'a.csv', content }, { mapping: JSON.stringify(mapping) });
  expect(await examplesOf(taskId)).toMatchObject([
    { key: 'e1', input: 'Where?', metadata: { input_tokens: '12', output_tokens: '3' } },
  ]);
});

it('a mapping takes paths, several columns, and none', async () => {
  const taskId = await newTask();
  const content =
    '{"case":{"question":"Where?","lang":"en"},"gold":"Here","by":"Ann","on":"Monday","note":"x"}\n';
  const mapping = { input: 'case.question', expected: 'gold', metadata: ['by', 'on'], rubric: null };
  await send(taskId, { name: 'a.jsonl', content }, { mapping: JSON.stringify(mapping) });
  expect(await examplesOf(taskId)).toMatchObject([
    { input: 'Where?', expected: 'Here', metadata: { by: 'Ann', on: 'Monday' }, rubric: null },
  ]);
});

it('metadata that is a text does not reject a row', async () => {
  const taskId = await newTask();
  await send(taskId, { name: 'a.csv', content: 'input,metadata\nWhere?,from the phone\n' });
  expect(await examplesOf(taskId)).toMatchObject([{ metadata: { metadata: 'from the phone' } }]);
});

it('an object with one text is that text, as an input and as what is expected', async () => {
  const taskId = await newTask();
  const content = '{"input":{"question":"Capital of Peru?"},"expected":{"answer":"Lima"}}\n';
  await send(taskId, { name: 'a.jsonl', content });
  expect(await examplesOf(taskId)).toMatchObject([{ input: 'Capital of Peru?', expected: 'Lima' }]);
});

it('names the tool calls of an answer, which an expected value does not contain', async () => {
  const taskId = await newTask();
  const call = { id: '1', type: 'function', function: { name: 'search', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'Where?' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ];
  const { report } = await send(taskId, { name: 'a.jsonl', content: JSON.stringify({ messages }) });
  expect(report).toMatchObject({ created: 1, notCarried: ['line 1: the tool calls of the answer'] });
});

it.each([
  [
    'a.yaml',
    'prompts: [x]\ntests: file://tests.csv\n',
    'has its tests in another file, "file://tests.csv": import that one',
  ],
  ['a.json', '{"tests":"tests.csv"}', 'has its tests in another file, "tests.csv": import that one'],
  [
    'b.json',
    '{"data":{"examples":[{"input":{}}]}}',
    'has its examples in `data.examples`: import what `data` has as a file of its own',
  ],
  [
    'c.json',
    '{"results":{"results":[]},"config":{"tests":[{"vars":{}}]}}',
    'has results and their configuration: import what `config` has as a file of its own',
  ],
  ['b.yaml', 'scenarios: [{tests: []}]\n', 'has scenarios and no `tests`: write their tests as `tests`'],
])('says where the tests of a configuration are: %s', async (name, content, message) => {
  const form = new FormData();
  form.append('file', new File([content], name));
  const path = `${server.url}/v0/tasks/${await newTask()}/examples/import`;
  const response = await fetch(path, { method: 'POST', headers: server.headers, body: form });
  expect(response.status).toBe(422);
  expect(((await response.json()) as { issues: object[] }).issues).toMatchObject([{ message }]);
});
