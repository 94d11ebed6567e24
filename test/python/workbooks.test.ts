import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImportReport } from '../../src/resources/examples/import-contract.ts';
import { pythonWith } from '../support/python.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const folder = mkdtempSync(join(tmpdir(), 'workbooks-'));

beforeAll(async () => {
  server = await sharedServer();
  const python = await pythonWith(join(import.meta.dirname, 'workbooks.txt'));
  await promisify(execFile)(python, [join(import.meta.dirname, 'workbooks.py'), folder]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

/** Imports a workbook into a new task; returns the report and the examples. */
async function importWorkbook(name: string, mapping: object) {
  const body = { title: name, type: 'STATIC' } as const;
  const { id } = (await server.ok('POST', '/v0/tasks', { body })).task;
  const send = async (): Promise<ImportReport> => {
    const form = new FormData();
    form.append('mapping', JSON.stringify(mapping));
    form.append('file', new File([readFileSync(join(folder, name))], name));
    const path = `${server.url}/v0/tasks/${id}/examples/import`;
    const response = await fetch(path, { method: 'POST', headers: server.headers, body: form });
    expect(response.status).toBe(200);
    return ((await response.json()) as { data: ImportReport }).data;
  };
  const report = await send();
  expect(await send()).toMatchObject({ created: 0, updated: 0, unchanged: report.created });
  const { data } = await server.ok('GET', `/v0/tasks/${id}/examples?limit=100`);
  return { report, examples: data };
}

describe('an import of an Excel file of openpyxl', () => {
  it('has texts, dates, numbers and booleans as a sheet shows them, and rows by their numbers', async () => {
    const mapping = { metadata: ['asked', 'at', 'count', 'share', 'urgent', 'order', 'note'] };
    const { report, examples } = await importWorkbook('openpyxl.xlsx', mapping);
    expect(report).toMatchObject({
      created: 4,
      rejected: [{ line: 6, error: 'input: is missing' }],
      notCarried: ['file: the sheet Cover', 'file: the sheet Hidden'],
    });
    expect(examples).toMatchObject([
      {
        key: '1',
        input: 'Capital of Peru?\nOne word.',
        expected: 'Lima',
        metadata: {
          asked: '2026-11-28',
          at: '2026-11-28T16:30:05',
          count: '12345678',
          share: '0.3',
          urgent: 'TRUE',
          order: '9007199254740993',
          note: ' kept ',
        },
      },
      // openpyxl writes formulas without a value.
      {
        key: '2',
        input: 'Ärger & <b>mehr</b> 😀?',
        expected: null,
        metadata: { asked: '09:05:00', count: '-1', share: '1e-7', urgent: 'FALSE' },
      },
      { key: '3', input: 'Merged', expected: 'below', metadata: { count: '0.5', share: '42' } },
      { key: '5', input: 'After empty rows', expected: null },
    ]);
  });

  it('reads the first sheet that is not hidden', async () => {
    const { report, examples } = await importWorkbook('hidden-first.xlsx', {});
    expect(report.notCarried).toEqual(['file: the sheet Old']);
    expect(examples).toMatchObject([{ input: 'new', expected: 'new' }]);
  });
});

describe('an import of an Excel file of XlsxWriter', () => {
  it.each([['shared.xlsx'], ['inline.xlsx'], ['1904.xlsx']])('reads %s', async (name) => {
    const mapping = { metadata: ['on', 'at', 'sum', 'text', 'isNew', 'share', 'link'] };
    const { report, examples } = await importWorkbook(name, mapping);
    expect(report).toMatchObject({ created: 3, rejected: [], notCarried: ['file: the sheet Hidden'] });
    expect(examples).toMatchObject([
      {
        input: 'Capital of Peru?',
        expected: 'Lima',
        metadata: {
          on: '2026-11-28',
          at: '2026-11-28T16:30:00',
          sum: '3',
          text: 'ab',
          isNew: 'TRUE',
          share: '0.25',
          link: 'a link',
        },
      },
      { input: 'Second?', expected: 'x_x000D_y', metadata: null },
      { input: 'Far below', expected: 'z' },
    ]);
  });
});
