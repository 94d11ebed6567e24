import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { queryInteger } from '../../contract/query.ts';
import { type Route, route } from '../../contract/route.ts';
import { exportOtlp, exportTraces } from '../../traces/calls.ts';
import type { TraceFilter, TracePlace } from '../../traces/trace-where.ts';
import { OTLP_FORMATS, type OtlpFormat, type OtlpPosition } from '../../traces/otlp-file/read.ts';
import { byteOrderMark, EXPORT_FORMATS, EXPORT_MEDIA_TYPES } from '../exports/export-format.ts';
import { EXPORT_HEADERS, type RowPage, streamExport, streamPages } from '../exports/export-stream.ts';
import { filterOf, traceFilters } from './contract.ts';
import { type Listed, traceTable } from './export-table.ts';
import type { StreamTracesDeps } from './stream-route.ts';

const MAX_TRACES = 1_000_000;
/** Traces that are read at once, of which each takes some microseconds. */
const PAGE = 500;

const OTLP_FILES: Readonly<Record<OtlpFormat, { name: string; mediaType: string }>> = {
  'otlp-jsonl': { name: 'traces.otlp.jsonl', mediaType: 'application/x-ndjson; charset=utf-8' },
  'otlp-proto': { name: 'traces.otlp.binpb', mediaType: 'application/x-protobuf' },
};
const isOtlp = (format: string): format is OtlpFormat => OTLP_FORMATS.some((known) => known === format);

const exportQuery = z.object({
  format: z
    .enum([...EXPORT_FORMATS, ...OTLP_FORMATS])
    .default('csv')
    .describe(
      '`csv`, `parquet`, or `jsonl`: each line is a trace as lists show it. `otlp-jsonl` and `otlp-proto`: the spans as they were sent.',
    ),
  bom: byteOrderMark,
  limit: queryInteger(1, MAX_TRACES).default(10_000).describe('Largest number of traces to return.'),
  ...traceFilters,
});

export const exportTracesRoute = ({ read, now, ...deps }: Omit<StreamTracesDeps, 'traceFeed'>): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/export',
    operationId: 'downloadTraces',
    group: 'Traces',
    summary: 'Export traces',
    description:
      'Streams the traces that meet the filters as a file, the newest first, with truncated texts. With `otlp-jsonl` and `otlp-proto` it has the complete current spans instead, with their resources and scopes, in lines and in messages as the OpenTelemetry Collector writes them to files; `otlp-jsonl` also has the log records of the spans. Sent to `/v1/traces` (lines with `resourceLogs`: `/v1/logs`), they make the same traces. In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe. The connection breaks if the store fails in between, or if the API key is revoked. An application may have 2 exports at once.',
    scope: 'read',
    query: exportQuery,
    response: 'stream',
    mediaTypes: [...EXPORT_MEDIA_TYPES, 'application/x-protobuf'],
    errors: ['rate_limited', 'unavailable'],
    responseHeaders: EXPORT_HEADERS,
    handler: (context) => {
      const owner = ownerOf(context.principal);
      const { format, bom, limit, ...filters } = context.query;
      const filter = filterOf(filters, context.principal, now());
      if (isOtlp(format)) {
        const args = { application: context.principal.application, filter, format };
        return streamPages(deps, context, {
          ...OTLP_FILES[format],
          readPage: pagesOf({ read, limit }, args),
        });
      }
      const readPage = async (
        after: TracePlace | null,
        size: number,
      ): Promise<RowPage<Listed, TracePlace>> => {
        const args = { ...owner, filter: after ? { ...filter, after } : filter, limit: size };
        const { traces, last } = await read(exportTraces, args);
        return { rows: traces as Listed[], last };
      };
      return streamExport(deps, context, {
        name: 'traces',
        format,
        bom,
        limit,
        pageSize: PAGE,
        table: traceTable,
        readPage,
      });
    },
  });

/** Returns a function that reads the pages of one file, of at most `limit` traces. */
function pagesOf(
  { read, limit }: Pick<StreamTracesDeps, 'read'> & { limit: number },
  args: { application: number; filter: TraceFilter; format: OtlpFormat },
): (from: OtlpPosition | null) => Promise<{ bytes: Uint8Array; next: OtlpPosition | null }> {
  let left = limit;
  return async (from) => {
    const { bytes, traces, next } = await read(exportOtlp, {
      ...args,
      from: from ?? { after: null, open: null },
      limit: left,
    });
    left -= traces;
    return { bytes, next: left > 0 ? next : null };
  };
}
