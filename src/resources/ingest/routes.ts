import { z } from 'zod';
import { paginate, pagination, paging } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { dateTime, isoTime, traceId } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { parseId, traceIdCandidates } from '../../traces/ids.ts';
import { ledgerRow, rejection, whereabouts } from './contract.ts';
import type { ingestQueries, RejectionRow } from './store.ts';

const hourOrder = paging(['hour']);
const timeOrder = paging(['at']);

export function ingestRoutes({ read }: { read: Call<typeof ingestQueries> }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v0/ingest/ledger',
      summary: 'Read the ledger of everything received',
      description: 'One row an hour and key, newest first.',
      scope: 'read',
      query: z.object({
        skip: hourOrder.skip,
        limit: hourOrder.limit,
        keyId: z.string().max(64).optional().describe('Only requests that came with this key.'),
        startDate: dateTime.optional().describe('Only hours that began then or later.'),
        endDate: dateTime.optional().describe('Only hours that began then or earlier.'),
      }),
      response: z.object({ data: z.array(ledgerRow), pagination }),
      status: 200,
      handler: async ({ scope: { application }, query }) => {
        const { rows, total } = await read('listLedger', {
          application,
          keyId: query.keyId ?? null,
          startDate: milliseconds(query.startDate),
          endDate: milliseconds(query.endDate),
          skip: query.skip,
          limit: query.limit,
        });
        const data = rows.map((row) => ({
          ...row,
          hour: isoTime(row.hour),
          reasons: JSON.parse(row.reasons) as Record<string, number>,
          notices: JSON.parse(row.notices) as Record<string, number>,
        }));
        return { data, pagination: paginate(query, total) };
      },
    }),
    route({
      method: 'GET',
      path: '/v0/ingest/ledger/rejected',
      summary: 'List what was refused, newest first',
      description: 'The newest thousand; a line may stand for several spans of one request.',
      scope: 'read',
      query: z.object({ skip: timeOrder.skip, limit: timeOrder.limit }),
      response: z.object({ data: z.array(rejection), pagination }),
      status: 200,
      handler: async ({ scope: { application }, query }) => {
        const { rows, total } = await read('listRejections', {
          application,
          skip: query.skip,
          limit: query.limit,
        });
        return { data: rows.map(rejectionJson), pagination: paginate(query, total) };
      },
    }),
    route({
      method: 'GET',
      path: '/v0/ingest/lookup',
      summary: 'Ask what became of a span',
      description: 'Without `spanId`: of a trace.',
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
      status: 200,
      handler: async ({ scope: { application }, query }) => {
        const found = await read('lookUpSpan', {
          application,
          traceIds: traceIdCandidates(query.traceId),
          spanId: query.spanId === undefined ? null : parseId(query.spanId),
        });
        return {
          data: {
            ...found,
            traceId: query.traceId,
            spanId: query.spanId ?? null,
            traceUpdatedAt: found.traceUpdatedAt === null ? null : isoTime(found.traceUpdatedAt),
            deletedAt: found.deletedAt === null ? null : isoTime(found.deletedAt),
            rejections: found.rejections.map(rejectionJson),
          },
        };
      },
    }),
  ];
}

function rejectionJson(row: RejectionRow): z.input<typeof rejection> {
  return { ...row, id: String(row.id), at: isoTime(row.at) };
}

function milliseconds(date: string | undefined): number | null {
  return date === undefined ? null : Date.parse(date);
}
