import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { queryInteger } from '../../contract/query.ts';
import { requestedFilter } from '../../filter/query.ts';
import { type Route, route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { createWithhold } from '../../traces/withheld/withhold.ts';
import { byteOrderMark, EXPORT_FORMATS, EXPORT_MEDIA_TYPES } from '../exports/export-format.ts';
import { EXPORT_HEADERS, type ExportDeps, streamExport } from '../exports/export-stream.ts';
import {
  type ExportTable,
  integerColumn,
  exportNumber,
  textColumn,
  jsonColumn,
} from '../exports/export-table.ts';
import { exportResults, listResults } from './calls.ts';
import { resultFilters, type ResultRow, type ResultSideRow, results, resultsQuery } from './contract.ts';
import { exampleResults } from './example.ts';

type ResultDeps = ExportDeps & Pick<StoreCalls, 'read' | 'now'>;

export const resultRoutes = (deps: ResultDeps): Route[] => [listResultsRoute(deps), exportResultsRoute(deps)];

const listResultsRoute = ({ read, now }: ResultDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/results',
    operationId: 'listResults',
    group: 'Runs',
    summary: 'List the results of runs, example by example',
    description:
      'Shows what each example came out like, on one to ten sides: which responses are wrong, why, and what changed. Examples are paired by task and input. Those that need attention are first.',
    scope: 'read',
    query: resultsQuery,
    response: results,
    example: { response: exampleResults },
    errors: ['not_found'],
    handler: ({ principal, query: { q, ...query } }) =>
      read(listResults, {
        owner: ownerOf(principal),
        query: {
          ...query,
          seenBy: seenBy(principal, now()),
          q: requestedFilter(q, 'results', now()),
        },
      }),
  });

const MAX_ROWS = 1_000_000;
const PAGE = 200;

const last = ({ sides }: ResultRow): ResultSideRow | undefined => sides.at(-1);

/** Results in a file; the columns are about the last side, and the others are a JSON array. */
const resultTable: ExportTable<ResultRow> = {
  columns: {
    taskId: textColumn(({ taskId }) => taskId),
    exampleId: textColumn(({ exampleId }) => exampleId),
    exampleIndex: integerColumn(({ exampleIndex }) => exampleIndex),
    change: textColumn(({ change }) => change),
    outcome: textColumn((row) => last(row)?.outcome ?? null),
    cause: textColumn((row) => last(row)?.cause?.title ?? null),
    input: textColumn(({ input }) => input),
    expected: textColumn(({ expected }) => expected),
    output: textColumn((row) => last(row)?.output ?? null),
    testId: textColumn((row) => last(row)?.testId ?? null),
    traceId: textColumn((row) => last(row)?.traceId ?? null),
    durationMs: exportNumber((row) => last(row)?.durationMs ?? null),
    cost: exportNumber((row) => last(row)?.cost ?? null),
    tokens: integerColumn((row) => last(row)?.tokens ?? null),
    verdicts: jsonColumn((row) => last(row)?.verdicts ?? []),
    sides: jsonColumn(({ sides }) => sides),
  },
  object: (row) => row,
};

const exportQuery = z.object({
  format: z
    .enum(EXPORT_FORMATS)
    .default('csv')
    .describe('`csv`, `parquet`, or `jsonl`: each line is an example as `GET /v0/results` shows it.'),
  bom: byteOrderMark,
  limit: queryInteger(1, MAX_ROWS).default(10_000).describe('Largest number of examples to return.'),
  ...resultFilters,
});

const exportResultsRoute = ({ read, now, ...deps }: ResultDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/results/export',
    operationId: 'downloadResults',
    group: 'Runs',
    summary: 'Export the results of runs',
    description:
      'Streams the results that meet the filters as a file, those that need attention first. In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe. Texts have at most 4,000 characters. The connection breaks if the store fails in between, or if the API key is revoked. An application may have 2 exports at once.',
    scope: 'read',
    query: exportQuery,
    response: 'stream',
    mediaTypes: EXPORT_MEDIA_TYPES,
    errors: ['not_found', 'rate_limited', 'unavailable'],
    responseHeaders: EXPORT_HEADERS,
    handler: (context) => {
      const owner = ownerOf(context.principal);
      const withhold = createWithhold(read, now);
      const { format, bom, limit, q, ...filters } = context.query;
      const filter = {
        ...filters,
        seenBy: seenBy(context.principal, now()),
        q: requestedFilter(q, 'results', now()),
      };
      return streamExport(deps, context, {
        name: 'results',
        format,
        bom,
        limit,
        pageSize: PAGE,
        table: resultTable,
        readPage: async (after: number | null, size) => {
          const page = await read(exportResults, { owner, filter, after, limit: size });
          return { ...page, rows: await withhold(context.principal, page.rows) };
        },
      });
    },
  });
