import { strToU8, zipSync } from 'fflate';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImportReport } from '../../src/resources/examples/import-contract.ts';
import { parseDocument } from '../../src/resources/examples/parsed-documents.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { workbook } from '../support/workbook.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const LONG = '9007199254740993';

async function newTask(): Promise<string> {
  return (await server.ok('POST', '/v0/tasks', { body: { title: 'Questions', type: 'STATIC' } })).task.id;
}

async function send(
  name: string,
  content: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
): Promise<{ status: number; text: string; report: ImportReport; taskId: string }> {
  const taskId = await newTask();
  const form = new FormData();
  form.append('file', new File([content], name));
  const path = `${server.url}/v0/tasks/${taskId}/examples/import`;
  const response = await fetch(path, { method: 'POST', headers: server.headers, body: form });
  const text = await response.text();
  return { status: response.status, text, taskId, report: (JSON.parse(text) as { data: ImportReport }).data };
}

const examplesOf = async (taskId: string) => (await server.ok('GET', `/v0/tasks/${taskId}/examples`)).data;

describe('numbers beyond 2^53', () => {
  const wholes = parquetWriteBuffer({
    columnData: [
      { name: 'input', data: ['a'], type: 'STRING' },
      { name: 'expected', data: [BigInt(LONG)], type: 'INT64' },
    ],
  });
  const decimals = parquetWriteBuffer({
    columnData: [
      { name: 'input', data: ['a'] },
      { name: 'expected', data: [BigInt(`${LONG}25`)] },
    ],
    schema: [
      { name: 'root', num_children: 2 },
      { name: 'input', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      {
        name: 'expected',
        type: 'INT64',
        converted_type: 'DECIMAL',
        scale: 2,
        precision: 18,
        repetition_type: 'REQUIRED',
      },
    ],
  });

  it.each<[string, string, string | Uint8Array<ArrayBuffer> | ArrayBuffer, unknown]>([
    ['JSONL', 'a.jsonl', `{"input":"a","expected":${LONG}}`, LONG],
    ['JSONL with a fraction', 'a.jsonl', `{"input":"a","expected":${LONG}.0}`, `${LONG}.0`],
    [
      'JSONL with an exponent',
      'a.jsonl',
      `{"input":"a","expected":{"n":1e400,"m":1.5}}`,
      { n: '1e400', m: 1.5 },
    ],
    ['JSON', 'a.json', `[{"input":"a","expected":[${LONG},1]}]`, [LONG, 1]],
    [
      'JSON, for all tests of promptfoo',
      'a.json',
      `{"defaultTest":{"vars":{"b":"x"}},"tests":[{"vars":{"a":1},"assert":[{"type":"equals","value":${LONG}}]}]}`,
      LONG,
    ],
    ['YAML', 'a.yaml', `- input: a\n  expected: ${LONG}`, LONG],
    ['YAML with a fraction', 'a.yaml', `- input: a\n  expected: ${LONG}.0`, `${LONG}.0`],
    ['CSV', 'a.csv', `input,expectedJson\na,${LONG}`, LONG],
    ['CSV in an object', 'a.csv', `input,expectedJson\na,"{""n"":${LONG}}"`, { n: LONG }],
    [
      'Excel',
      'a.xlsx',
      workbook(
        [
          ['input', 'expected'],
          ['a', Number.NaN],
        ],
        { number: LONG },
      ),
      LONG,
    ],
    ['Parquet', 'a.parquet', wholes, LONG],
    ['Parquet, decimal', 'a.parquet', decimals, `${LONG}.25`],
  ])('are texts: %s', async (_title, name, content, expected) => {
    const { taskId, text } = await send(name, content);
    expect([(await examplesOf(taskId)).map((one) => one.expected), text]).toEqual([[expected], text]);
  });
});

describe('an Excel file', () => {
  it('has a header and rows, whose cells are texts', async () => {
    const { taskId, report } = await send(
      'questions.xlsx',
      workbook([
        ['question', 'answer', 'id', ''],
        ['Capital of Peru?', ' Lima ', 7, ''],
        ['', '', '', ''],
        ['Half?', 0.1, true, 'x'],
      ]),
    );
    expect(report).toMatchObject({
      rows: 2,
      created: 2,
      mapping: { input: 'question', expected: 'answer', key: 'id' },
    });
    expect(await examplesOf(taskId)).toMatchObject([
      { input: 'Capital of Peru?', expected: ' Lima ', key: '7' },
      { input: 'Half?', expected: '0.1', key: 'TRUE' },
    ]);
  });

  it('names rejected rows by their place in the sheet', async () => {
    const { report } = await send(
      'a.xlsx',
      workbook([
        ['input', 'weight'],
        ['a', 1],
        ['', ''],
        ['b', -1],
      ]),
    );
    expect(report).toMatchObject({
      created: 1,
      rejected: [{ line: 4, error: expect.stringMatching(/^weight/) as string }],
    });
  });

  it.each<[string, Uint8Array<ArrayBuffer>, RegExp]>([
    ['is no zip file', strToU8('hello'), /must be a valid .xlsx file/],
    ['has no sheet', zipSync({ 'a.txt': strToU8('x') }), /must be a valid .xlsx file/],
    ['has no row', workbook([]), /must have a header row/],
    [
      'has a name twice',
      workbook([
        ['a', 'a'],
        ['x', 'y'],
      ]),
      /columns with different names/,
    ],
    [
      'is a zip bomb',
      zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(65 * 1024 * 1024) }),
      /64 MiB without its compression/,
    ],
  ])('is rejected if it %s', async (_title, content, fault) => {
    const { status, text } = await send('a.xlsx', content);
    expect(status).toBe(422);
    expect(text).toMatch(fault);
  });

  it('is rejected if it takes too much memory, and the server continues', async () => {
    const cell = '<row r="1048576"><c r="XFD1048576" t="n"><v>1</v></c></row>';
    const { status, text } = await send('a.xlsx', workbook([['input'], ['a']], { row: cell }));
    expect([status, text]).toEqual([
      422,
      expect.stringMatching(/takes too much memory|takes longer|must be a valid/),
    ]);
    expect((await send('b.csv', 'input\na')).status).toBe(200);
  });
});

describe('a file that is parsed as one', () => {
  const anchors = (depth: number): string =>
    Array.from(
      { length: depth },
      (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : Array.from({ length: 9 }, () => `*a${n - 1}`).join(',')}]`,
    ).join('\n');

  it('is rejected at its time limit', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `- input: {a${n}: ${n}}`).join('\n');
    const found = await parseDocument('yaml', Buffer.from(many), { deadlineMs: 1 });
    expect(found).toEqual({ fault: 'takes longer than 0.001 s to read; use JSONL' });
  });

  it('is rejected at its memory limit', async () => {
    const many = Array.from({ length: 100_000 }, (_, n) => `- {a: ${n}}`).join('\n');
    const found = await parseDocument('yaml', Buffer.from(many), { heapMb: 16 });
    expect(found).toEqual({ fault: 'takes too much memory to read; use JSONL' });
  });

  it('is rejected if aliases multiply', async () => {
    const { status, text } = await send('a.yaml', `${anchors(12)}\ntests: [*a11]`);
    expect([status, text]).toEqual([422, expect.stringContaining('must be valid YAML')]);
  });

  it('is rejected if it declares more than it may have', async () => {
    const file = Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'input', data: Array.from({ length: 100_000 }, () => 'x'.repeat(900)), type: 'STRING' },
        ],
      }),
    );
    const { status, text } = await send('a.parquet', file);
    expect([status, text]).toEqual([422, expect.stringContaining('must have at most')]);
  });

  it('does not occupy the thread of the server', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `- {input: q${n}, expected: "${n}"}`).join('\n');
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    const found = await parseDocument('yaml', Buffer.from(many));
    clearInterval(timer);
    expect('rows' in found && found.rows.length).toBe(20_000);
    expect(turns).toBeGreaterThan(10);
  });
});
