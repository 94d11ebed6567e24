import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { queryInteger } from '../../contract/query.ts';
import { type Route, route } from '../../contract/route.ts';
import type { TracePlace } from '../../traces/list.ts';
import { EXPORT_FORMATS, EXPORT_MEDIA_TYPES } from '../exports/export-format.ts';
import { EXPORT_HEADERS, type RowPage, streamExport } from '../exports/export-stream.ts';
import { filterOf, traceFilters } from './contract.ts';
import { type Listed, traceTable } from './export-table.ts';
import type { StreamTracesDeps } from './stream-route.ts';

const MAX_TRACES = 1_000_000;
/** Traces that are read at once, of which each takes some microseconds. */
const PAGE = 500;

const exportQuery = z.object({
  format: z
    .enum(EXPORT_FORMATS)
    .default('csv')
    .describe('`csv`, `parquet`, or `jsonl`: each line is a trace as lists show it.'),
  limit: queryInteger(1, MAX_TRACES).default(10_000).describe('Largest number of traces to return.'),
  ...traceFilters,
});

export const exportTracesRoute = ({ read, ...deps }: StreamTracesDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/export',
    operationId: 'downloadTraces',
    group: 'Traces',
    summary: 'Export traces',
    description:
      'Streams the traces that meet the filters as a file, the newest first, with truncated texts. In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe. The connection breaks if the store fails in between, or if the API key is revoked. An application may have 2 exports at once.',
    scope: 'read',
    query: exportQuery,
    response: 'stream',
    mediaTypes: EXPORT_MEDIA_TYPES,
    errors: ['rate_limited', 'unavailable'],
    responseHeaders: EXPORT_HEADERS,
    handler: (context) => {
      const owner = ownerOf(context.scope);
      const { format, limit, ...filters } = context.query;
      const filter = filterOf(filters);
      const readPage = async (
        after: TracePlace | null,
        size: number,
      ): Promise<RowPage<Listed, TracePlace>> => {
        const args = { ...owner, filter: after ? { ...filter, after } : filter, limit: size };
        const { traces, last } = await read('exportTraces', args);
        return { rows: traces as Listed[], last };
      };
      return streamExport(deps, context, {
        name: 'traces',
        format,
        limit,
        pageSize: PAGE,
        table: traceTable,
        readPage,
      });
    },
  });
