import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { queryInteger } from '../../contract/query.ts';
import { AppError } from '../../errors.ts';
import type { Read } from '../../storage/calls.ts';
import { readSpan, readSpanMedia } from '../../traces/calls.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { spanId, tracePath } from './contract.ts';
import { exampleSpanDetail } from './example.ts';
import { mediaHeaders } from './media-headers.ts';
import { spanDetail } from './trace-record.ts';

interface SpanRouteDeps {
  read: Read;
}

const MAX_MEDIA = 100_000;

const spanPath = tracePath.extend({ spanId: spanId.describe('The span: 16 hex digits.') });
const mediaPath = spanPath.extend({
  index: queryInteger(0, MAX_MEDIA).describe('`mediaIndex` of a part of the messages of the span.'),
});

export const spanRoutes = (deps: SpanRouteDeps): Route[] => [getSpanRoute(deps), getSpanMediaRoute(deps)];

const getSpanRoute = ({ read }: SpanRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/{id}/spans/{spanId}',
    operationId: 'getSpan',
    group: 'Traces',
    summary: 'Get a span',
    description:
      'Returns everything that was sent, and which rule made each field of it (`mapped`). Parts of messages whose bytes were sent along have a `mediaIndex`.',
    scope: 'read',
    params: spanPath,
    response: 'bytes',
    documents: { response: z.object({ data: spanDetail }) },
    example: { response: { data: exampleSpanDetail } },
    errors: ['not_found'],
    handler: async ({ principal, params }) => {
      const span = await read(readSpan, { application: principal.application, ...placeOf(params) });
      if (span === null) throw new AppError('not_found', 'trace or span not found');
      return span;
    },
  });

const getSpanMediaRoute = ({ read }: SpanRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/{id}/spans/{spanId}/media/{index}',
    operationId: 'getSpanMedia',
    group: 'Traces',
    summary: 'Get an image or the like that was sent within a span',
    description:
      'Returns the decoded bytes. Images, audio and video have their own content type; anything else is an attachment of the type `application/octet-stream`.',
    scope: 'read',
    params: mediaPath,
    response: 'bytes',
    mediaType: 'application/octet-stream',
    errors: ['not_found'],
    handler: async ({ principal, params: { index, ...params }, setHeader }) => {
      const media = await read(readSpanMedia, {
        application: principal.application,
        ...placeOf(params),
        index,
      });
      if (media === null) throw new AppError('not_found', 'trace, span or media not found');
      for (const [name, value] of Object.entries(mediaHeaders(media, index))) setHeader(name, value);
      return media.bytes;
    },
  });

const placeOf = (params: z.output<typeof spanPath>) => ({
  traceIds: traceIdCandidates(params.id),
  spanId: params.spanId,
});
