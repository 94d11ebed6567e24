import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ParquetFile } from '../../src/resources/exports/parquet-file.ts';
import { exportNumber, textColumn, timeColumn } from '../../src/resources/exports/export-table.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let app: CustomerApp;
let taskId: string;
let runId: string;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 100 } });
  app = await startCustomerApp();
  app.behave(async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    const event = {
      type: 'trace',
      timestamp: new Date().toISOString(),
      testId,
      input: prompt,
      output: '=Lima',
    };
    await server.call('POST', '/v0/ingest', { body: { events: [event] } });
    response.writeHead(200).end();
  });
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
  const definition = { name: 'City', type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } };
  const made = await server.call('POST', '/v0/definitions', { body: definition });
  const evalDefinitionId = (made.json as { data: { id: string } }).data.id;
  const task = { title: 'Capitals', type: 'STATIC', evalDefinitions: [{ evalDefinitionId }] };
  const created = await server.call('POST', '/v0/tasks', { body: task });
  taskId = (created.json as { task: { id: string } }).task.id;
  for (const body of [
    { input: 'Peru, "South"?', expected: '=Lima', key: 'peru' },
    { input: 'France?', expected: 'Paris' },
  ])
    await server.call('POST', `/v0/tasks/${taskId}/examples`, { body });
  const triggered = await server.call('POST', '/v0/tasks/trigger', {
    body: { taskIds: [taskId], examples: {} },
  });
  runId = triggered.headers.get('x-run-ids') ?? '';
  const completed = async (): Promise<number> => {
    return (await server.ok('GET', `/v0/tests?runId=${runId}&status=COMPLETED`)).data.length;
  };
  await until(async () => (await completed()) === 2);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

async function exported(path: string, query: string): Promise<Response> {
  const response = await fetch(`${server.url}${path}?${query}`, { headers: server.headers });
  expect(response.status).toBe(200);
  return response;
}

const byPrompt = <T extends Record<string, unknown>>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => String(a['prompt']).localeCompare(String(b['prompt'])));

const VERDICT = { definition: 'City', type: 'OUTPUT_MATCH', definitionVersion: 1, status: 'COMPLETED' };

describe('GET /v0/tests/export', () => {
  it('has each test with its verdicts as JSONL', async () => {
    const response = await exported('/v0/tests/export', `format=jsonl&runId=${runId}`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="tests.jsonl"');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(byPrompt(lines.map((line) => JSON.parse(line) as Record<string, unknown>))).toMatchObject([
      { prompt: 'France?', runId, exampleKey: null, verdicts: [{ ...VERDICT, passed: false }] },
      {
        prompt: 'Peru, "South"?',
        taskTitle: 'Capitals',
        exampleKey: 'peru',
        exampleVersion: 1,
        output: '=Lima',
        result: { passed: 1, total: 1 },
        verdicts: [{ ...VERDICT, passed: true, score: 1 }],
      },
    ]);
  });

  it('guards formulas in CSV', async () => {
    const text = await (await exported('/v0/tests/export', `taskId=${taskId}`)).text();
    expect(text.split('\r\n')[0]).toContain('id,createdAt,runId,');
    expect(text).toContain(`"Peru, ""South""?",'=Lima,1,0,100,1,`);
  });

  it.each([
    ['tests', '/v0/tests/export', 'id,'],
    ['traces', '/v0/traces/export', 'id,'],
    ['results', '/v0/results/export', 'taskId,'],
    ['examples', '', 'input,'],
  ])('begins CSV of %s with a byte-order mark on request', async (what, path, begin) => {
    const url = what === 'examples' ? `/v0/tasks/${taskId}/examples/export` : path;
    const filter = what === 'results' ? `side=run:${runId}&` : '';
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    const bytesOf = async (query: string): Promise<Buffer> =>
      Buffer.from(await (await exported(url, `${filter}${query}`)).arrayBuffer());
    expect((await bytesOf('bom=true')).subarray(0, 3 + begin.length)).toEqual(
      Buffer.concat([mark, Buffer.from(begin)]),
    );
    expect((await bytesOf('bom=false')).subarray(0, begin.length).toString()).toBe(begin);
    expect((await bytesOf('format=jsonl&bom=true')).subarray(0, 1).toString()).toBe('{');
  });

  it('has the same as Parquet, with numbers as numbers', async () => {
    const response = await exported('/v0/tests/export', `format=parquet&taskId=${taskId}`);
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    const rows = await parquetReadObjects({ file: await response.arrayBuffer() });
    const [, peru] = byPrompt(rows);
    expect(rows).toHaveLength(2);
    expect(peru?.['createdAt']).toBeInstanceOf(Date);
    expect(peru).toMatchObject({
      exampleVersion: 1,
      prompt: 'Peru, "South"?',
      output: '=Lima',
      passed: 1,
      passRate: 100,
      failure: null,
    });
    expect(JSON.parse(String(peru?.['verdicts']))).toMatchObject([{ ...VERDICT, passed: true }]);
  });

  it('continues after each page, takes the filters of the list, and shows nothing of another application', async () => {
    const first = (await (await exported('/v0/tests/export', 'format=jsonl&limit=1')).text()).split('\n');
    expect(first).toHaveLength(2);
    expect(await (await exported('/v0/tests/export', 'format=jsonl&status=FAILED')).text()).toBe('');
    const { headers } = await server.newTenant();
    const theirs = await fetch(`${server.url}/v0/tests/export?format=jsonl`, { headers });
    expect(await theirs.text()).toBe('');
    expect((await server.call('GET', '/v0/tests/export?format=xml')).status).toBe(422);
  });
});

it.each([
  ['traces', () => '/v0/traces/export'],
  ['examples', () => `/v0/tasks/${taskId}/examples/export`],
])('%s are exported as Parquet', async (_what, path) => {
  const file = await (await exported(path(), 'format=parquet')).arrayBuffer();
  const rows = await parquetReadObjects({ file });
  for (const { timestamp } of rows) expect(timestamp === undefined || timestamp instanceof Date).toBe(true);
  // Deliveries have traces of their own, without an input.
  const inputs = rows.map((row) => row['input'] as unknown).filter((input) => input !== null);
  expect(new Set(inputs)).toEqual(new Set(['France?', 'Peru, "South"?']));
});

it('times in Parquet are times, to the microsecond', async () => {
  const file = new ParquetFile({
    columns: { at: timeColumn<string | null>((at) => at) },
    object: (at: string | null) => at,
  });
  const times = ['2026-11-28T03:04:05.123456789Z', '1969-12-31T23:59:59.5Z', '2026-11-28T03:04:05Z', null];
  const bytes = Buffer.concat([file.add(times), file.end()]);
  const parsers = { timestampFromMicroseconds: (micros: bigint) => micros };
  const rows = await parquetReadObjects({
    file: new Uint8Array(bytes).buffer,
    parsers,
  });
  const base = BigInt(Date.UTC(2026, 10, 28, 3, 4, 5)) * 1_000n;
  expect(rows).toEqual([{ at: base + 123_456n }, { at: -500_000n }, { at: base }, { at: null }]);
});

it('a Parquet file of many row groups is complete, also without rows', async () => {
  const table = {
    columns: {
      name: textColumn<number>((n) => (n % 7 === 0 ? null : `row ${n} äöü`)),
      value: exportNumber<number>((n) => n / 2),
    },
    object: (n: number) => n,
  };
  for (const count of [0, 1, 5_500]) {
    const file = new ParquetFile(table);
    const parts: Uint8Array[] = [];
    for (let n = 0; n < count; n += 500)
      parts.push(file.add(Array.from({ length: Math.min(500, count - n) }, (_, index) => n + index)));
    parts.push(file.end());
    const bytes = Buffer.concat(parts);
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    expect(rows).toHaveLength(count);
    expect(rows.at(-1)).toEqual(
      count === 0 ? undefined : { name: count === 1 ? null : 'row 5499 äöü', value: (count - 1) / 2 },
    );
  }
});
