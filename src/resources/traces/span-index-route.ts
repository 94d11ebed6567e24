import { hasVersion } from '../../contract/etag.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import { FORMAT_VERSION, MEDIA_TYPE } from '../../span-index/format.ts';
import type { Read } from '../../storage/calls.ts';
import { readSpanIndex, spanIndexVersion } from '../../traces/calls.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { tracePath } from './contract.ts';

/** The facts about every span that a tree and a timeline need, packed for browsers. */
export const spanIndexRoute = ({ read }: { read: Read }): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/{id}/span-index',
    operationId: 'getSpanIndex',
    group: 'Traces',
    summary: 'Get the span index of a trace',
    description:
      'Returns name, kind, times, depth, flags, model, tokens, cost and id of every span in tree order, as packed columns of little-endian numbers; `docs/span-index.md` describes the format. Of a trace with more than 1 000 000 spans it has those that arrived first. The `ETag` changes whenever a span arrives; send it as `If-None-Match` to get 304 while nothing has changed.',
    scope: 'read',
    params: tracePath,
    response: 'bytes',
    mediaType: MEDIA_TYPE,
    furtherStatuses: [304],
    errors: ['not_found'],
    requestHeaders: { 'if-none-match': 'The `ETag` of an earlier response.' },
    responseHeaders: { etag: 'Version of the index.' },
    handler: async ({ principal, params, headers, setHeader, setStatus }) => {
      const wanted = { application: principal.application, traceIds: traceIdCandidates(params.id) };
      const version = await read(spanIndexVersion, wanted);
      if (version === null) throw notFound();
      const etag = `W/"${version}-${FORMAT_VERSION}"`;
      setHeader('etag', etag);
      setHeader('cache-control', 'private, no-cache');
      if (hasVersion(headers, etag)) {
        setStatus(304);
        return undefined;
      }
      const index = await read(readSpanIndex, wanted);
      if (index === null) throw notFound();
      return index;
    },
  });

const notFound = (): AppError => new AppError('not_found', 'trace not found');
