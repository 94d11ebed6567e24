import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { requestedFilter } from '../../filter/query.ts';
import { queryInteger } from '../../contract/query.ts';
import { type Route, route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { createWithhold } from '../../traces/withheld/withhold.ts';
import { byteOrderMark, EXPORT_FORMATS, EXPORT_MEDIA_TYPES } from '../exports/export-format.ts';
import { EXPORT_HEADERS, type ExportDeps, streamExport } from '../exports/export-stream.ts';
import {
  type ExportTable,
  integerColumn,
  jsonColumn,
  exportNumber,
  textColumn,
  timeColumn,
} from '../exports/export-table.ts';
import { exportTests } from './calls.ts';
import { testFilters } from './contract.ts';
import type { ExportedTest, TestPlace } from './export-store.ts';

const MAX_TESTS = 1_000_000;
const PAGE = 500;

/** Tests in a file; the verdicts are a JSON array. */
const testTable: ExportTable<ExportedTest> = {
  columns: {
    id: textColumn(({ id }) => id),
    createdAt: timeColumn(({ createdAt }) => createdAt),
    runId: textColumn(({ runId }) => runId),
    runType: textColumn(({ runType }) => runType),
    taskId: textColumn(({ taskId }) => taskId),
    taskTitle: textColumn(({ taskTitle }) => taskTitle),
    exampleId: textColumn(({ exampleId }) => exampleId),
    exampleVersion: integerColumn(({ exampleVersion }) => exampleVersion),
    exampleKey: textColumn(({ exampleKey }) => exampleKey),
    experimentVariantId: textColumn(({ experimentVariantId }) => experimentVariantId),
    status: textColumn(({ status }) => status),
    phase: textColumn(({ phase }) => phase),
    failure: textColumn(({ failure }) => failure?.code ?? null),
    prompt: textColumn(({ prompt }) => prompt),
    output: textColumn(({ output }) => output),
    passed: integerColumn(({ result }) => result?.passed ?? null),
    failed: integerColumn(({ result }) => result?.failed ?? null),
    passRate: exportNumber(({ result }) => result?.passRate ?? null),
    averageScore: exportNumber(({ result }) => result?.averageScore ?? null),
    verdicts: jsonColumn(({ verdicts }) => verdicts),
  },
  object: (test) => test,
};

const exportQuery = z.object({
  format: z
    .enum(EXPORT_FORMATS)
    .default('csv')
    .describe('`csv`, `parquet`, or `jsonl`: each line is a test as lists show it, with its verdicts.'),
  bom: byteOrderMark,
  limit: queryInteger(1, MAX_TESTS).default(10_000).describe('Largest number of tests to return.'),
  ...testFilters,
});

export const exportTestsRoute = ({
  read,
  now,
  ...deps
}: ExportDeps & Pick<StoreCalls, 'read' | 'now'>): Route =>
  route({
    method: 'GET',
    path: '/v0/tests/export',
    operationId: 'downloadTests',
    group: 'Tests',
    summary: 'Export tests',
    description:
      'Streams the tests that meet the filters as a file, the newest first, each with its prompt, the beginning of its output, and its current verdicts. In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe. The connection breaks if the store fails in between, or if the API key is revoked. An application may have 2 exports at once.',
    scope: 'read',
    query: exportQuery,
    response: 'stream',
    mediaTypes: EXPORT_MEDIA_TYPES,
    errors: ['rate_limited', 'unavailable'],
    responseHeaders: EXPORT_HEADERS,
    handler: (context) => {
      const owner = ownerOf(context.principal);
      const withhold = createWithhold(read, now);
      const { format, bom, limit, q, ...filters } = context.query;
      const filter = {
        ...filters,
        seenBy: seenBy(context.principal, now()),
        q: requestedFilter(q, 'tests', now()),
      };
      return streamExport(deps, context, {
        name: 'tests',
        format,
        bom,
        limit,
        pageSize: PAGE,
        table: testTable,
        readPage: async (after: TestPlace | null, size) => {
          const page = await read(exportTests, { owner, filter, after, limit: size });
          return { ...page, rows: await withhold(context.principal, page.rows) };
        },
      });
    },
  });
