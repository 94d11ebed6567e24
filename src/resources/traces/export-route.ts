import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { queryInteger } from '../../contract/query.ts';
import { type Route, route } from '../../contract/route.ts';
import type { StreamKind } from '../../runtime/event-streams.ts';
import type { ExportPage } from '../../traces/export.ts';
import type { TracePlace } from '../../traces/list.ts';
import { isKeyValid } from '../api-keys/key-check.ts';
import { filterOf, traceFilters } from './contract.ts';
import { EXPORT_FORMATS, type ExportFormat, exportHead, exportLine } from './export-text.ts';
import type { StreamTracesDeps } from './stream-route.ts';
import type { listedTrace } from './trace-record.ts';

const EXPORTS: StreamKind = {
  name: 'export',
  plural: 'exports',
  total: 8,
  perApplication: 2,
  longestMs: 10 * 60_000,
};
const MAX_TRACES = 100_000;
/** Traces that are read at once, of which each takes some microseconds. */
const PAGE = 500;

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
};

const exportQuery = z.object({
  format: z
    .enum(EXPORT_FORMATS)
    .default('csv')
    .describe('`csv`, or `jsonl`: each line is a trace as lists show it.'),
  limit: queryInteger(1, MAX_TRACES).default(10_000).describe('Largest number of traces to return.'),
  ...traceFilters,
});

export const exportTracesRoute = ({ read, openStream, authenticate }: StreamTracesDeps): Route =>
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
    mediaTypes: Object.values(MEDIA_TYPES),
    status: 200,
    errors: ['rate_limited', 'unavailable'],
    responseHeaders: { 'content-disposition': 'Name of the file.' },
    handler: async ({ scope, query, headers, setHeader }) => {
      const owner = ownerOf(scope);
      const { format, limit, ...filters } = query;
      const filter = filterOf(filters);
      const readPage = (after: TracePlace | null, size: number): Promise<ExportPage> =>
        read('exportTraces', { ...owner, filter: after ? { ...filter, after } : filter, limit: size });
      // Read before the response begins, so that a failure is one with its own status.
      const first = await readPage(null, Math.min(PAGE, limit));
      const stream = openStream(EXPORTS, scope.application, (isStopped) =>
        exportedText({
          format,
          limit,
          first,
          readPage,
          isStopped,
          isAllowed: () => isKeyValid(authenticate, headers),
        }),
      );
      setHeader('content-type', `${MEDIA_TYPES[format]}; charset=utf-8`);
      setHeader('content-disposition', `attachment; filename="traces.${format}"`);
      setHeader('cache-control', 'private, no-store');
      return stream;
    },
  });

interface ExportOf {
  format: ExportFormat;
  limit: number;
  first: ExportPage;
  readPage: (after: TracePlace | null, size: number) => Promise<ExportPage>;
  isStopped: () => boolean;
  isAllowed: () => Promise<boolean>;
}

/** Yields a file page by page. Throws when the caller may no longer read it, so that it is not taken for complete. */
async function* exportedText({
  format,
  limit,
  first,
  readPage,
  isStopped,
  isAllowed,
}: ExportOf): AsyncGenerator<string, void> {
  yield exportHead(format);
  let left = limit;
  for (let page = first; ; page = await readPage(page.last, Math.min(PAGE, left))) {
    const lines = page.traces.map((trace) => exportLine(format, trace as z.output<typeof listedTrace>));
    if (lines.length > 0) yield lines.join('');
    left -= lines.length;
    if (page.last === null || left <= 0) return;
    if (isStopped()) throw new Error('The export was interrupted');
    if (!(await isAllowed())) throw new Error('The API key of an export is no longer valid');
  }
}
