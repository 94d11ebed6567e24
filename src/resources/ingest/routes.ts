import { z } from 'zod';
import { AT, OTEL_TRACE_ID, page, SPAN_ID } from '../../contract/example-values.ts';
import { pagination, paging } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { givenTime, traceId } from '../../contract/values.ts';
import type { Read } from '../../storage/calls.ts';
import { parseId, traceIdCandidates } from '../../traces/ids.ts';
import { listLedger, listRejections, lookUpSpan } from './calls.ts';
import { ledgerRow, rejection, whereabouts } from './contract.ts';

const hourOrder = paging(['hour']);
const timeOrder = paging(['at']);

const exampleHour: z.input<typeof ledgerRow> = {
  hour: AT,
  keyId: '4fQz81LmKx2P',
  requests: 12,
  received: 240,
  stored: 238,
  duplicate: 1,
  replaced: 0,
  rejected: 1,
  reasons: { invalid_id: 1 },
  notices: {},
};
const exampleRejection: z.input<typeof rejection> = {
  id: '17',
  at: AT,
  keyId: '4fQz81LmKx2P',
  source: 'otlp',
  reason: 'invalid_id',
  message: 'The span id is all zeros',
  spans: 1,
  traceId: OTEL_TRACE_ID,
  spanId: null,
};
const exampleWhereabouts: z.input<typeof whereabouts> = {
  traceId: OTEL_TRACE_ID,
  spanId: SPAN_ID,
  stored: true,
  traceSpanCount: 1,
  traceUpdatedAt: AT,
  deletedAt: null,
  rejections: [],
};

interface IngestDeps {
  read: Read;
}

export const ingestRoutes = (deps: IngestDeps): Route[] => [
  listLedgerRoute(deps),
  listRejectionsRoute(deps),
  lookUpSpanRoute(deps),
];

const listLedgerRoute = ({ read }: IngestDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/ingest/ledger',
    operationId: 'listLedger',
    group: 'Ingest',
    summary: 'List the ledger of received requests',
    description: 'One entry per hour and API key, newest first.',
    scope: 'read',
    query: z.object({
      skip: hourOrder.skip,
      limit: hourOrder.limit,
      keyId: z.string().max(64).optional().describe('Only requests with this API key.'),
      startDate: givenTime.optional().describe('Only hours that began then or later.'),
      endDate: givenTime.optional().describe('Only hours that began then or earlier.'),
    }),
    response: z.object({ data: z.array(ledgerRow), pagination }),
    example: { response: page([exampleHour]) },
    handler: ({ principal: { application }, query }) =>
      read(listLedger, {
        application,
        ...query,
        keyId: query.keyId ?? null,
        startDate: milliseconds(query.startDate),
        endDate: milliseconds(query.endDate),
      }),
  });

const listRejectionsRoute = ({ read }: IngestDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/ingest/ledger/rejected',
    operationId: 'listRejections',
    group: 'Ingest',
    summary: 'List rejections, newest first',
    description: 'Keeps the newest 1000. An entry may stand for several spans of one request.',
    scope: 'read',
    query: z.object({ skip: timeOrder.skip, limit: timeOrder.limit }),
    response: z.object({ data: z.array(rejection), pagination }),
    example: { response: page([exampleRejection]) },
    handler: ({ principal: { application }, query }) => read(listRejections, { application, ...query }),
  });

const lookUpSpanRoute = ({ read }: IngestDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/ingest/lookup',
    operationId: 'lookUpSpan',
    group: 'Ingest',
    summary: 'Look up a span or a trace',
    description: 'Reports whether it was stored, deleted or rejected. Omit `spanId` to look up a trace.',
    scope: 'read',
    query: z.object({
      traceId,
      spanId: z
        .string()
        .toLowerCase()
        .regex(/^[0-9a-f]{16}$/, 'must be a span id: 16 hex digits')
        .optional(),
    }),
    response: z.object({ data: whereabouts }),
    example: { response: { data: exampleWhereabouts } },
    handler: async ({ principal: { application }, query }) => {
      const found = await read(lookUpSpan, {
        application,
        traceIds: traceIdCandidates(query.traceId),
        spanId: query.spanId === undefined ? null : parseId(query.spanId),
      });
      return { data: { ...found, traceId: query.traceId, spanId: query.spanId ?? null } };
    },
  });

function milliseconds(date: string | undefined): number | null {
  return date === undefined ? null : Date.parse(date);
}
