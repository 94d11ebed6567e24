import { z } from 'zod';
import { page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import type { Write } from '../../storage/calls.ts';
import {
  deleteTrace,
  findTraceByTest,
  listTraces,
  purgeTrace,
  readSpans,
  readTrace,
  readTraceSummary,
  traceFacets as traceFacetsQuery,
} from '../../traces/calls.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { countedPagination, listedTrace, searched, span, trace, traceFacetCounts } from './trace-record.ts';
import { exampleFacets, exampleListedTrace, exampleSpan, exampleTrace } from './example.ts';
import { spanIndexRoute } from './span-index-route.ts';
import { spanRoutes } from './span-routes.ts';
import { exportTracesRoute } from './export-route.ts';
import { type StreamTracesDeps, streamTracesRoute } from './stream-route.ts';
import { filterOf, filterQuery, listQuery, spansQuery, testPath, tracePath, traceQuery } from './contract.ts';

interface TraceRouteDeps extends StreamTracesDeps {
  write: Write;
}

const one = z.object({ data: trace });

export const traceRoutes = (deps: TraceRouteDeps): Route[] => [
  listTracesRoute(deps),
  traceFacetsRoute(deps),
  streamTracesRoute(deps),
  exportTracesRoute(deps),
  getTraceByTestRoute(deps),
  getTraceRoute(deps),
  listSpansRoute(deps),
  spanIndexRoute(deps),
  ...spanRoutes(deps),
  deleteTraceRoute(deps),
];

const listTracesRoute = ({ read, now }: TraceRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces',
    operationId: 'listTraces',
    group: 'Traces',
    summary: 'List traces',
    description:
      'Newest first, without steps and with truncated texts. Any order but that of the timestamp reads every trace that meets the filters: narrow them by time if there are millions.',
    scope: 'read',
    query: listQuery,
    response: 'bytes',
    documents: {
      response: z.object({
        data: z.array(listedTrace),
        pagination: countedPagination,
        searched: searched.optional(),
      }),
    },
    example: { response: page([exampleListedTrace]) },
    handler: ({ principal, query }) => {
      const { skip, limit, orderBy, orderDir } = query;
      return read(listTraces, {
        ...ownerOf(principal),
        filter: filterOf(query, principal, now()),
        skip,
        limit,
        orderBy,
        orderDir,
      });
    },
  });

const traceFacetsRoute = ({ read, now }: TraceRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/facets',
    operationId: 'listTraceFacets',
    group: 'Traces',
    summary: 'Count traces by their properties',
    description:
      'Counts the newest 10 000 traces that meet the filters by name, status, model, service, environment, provider, kind and tag: of each the 20 most frequent values.',
    scope: 'read',
    query: filterQuery,
    response: z.object({ data: traceFacetCounts }),
    example: { response: { data: exampleFacets } },
    handler: async ({ principal, query }) => ({
      data: await read(traceFacetsQuery, {
        ...ownerOf(principal),
        filter: filterOf(query, principal, now()),
      }),
    }),
  });

const getTraceByTestRoute = ({ read }: TraceRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/by-test/{testId}',
    operationId: 'getTraceByTest',
    group: 'Traces',
    summary: 'Get the trace of a test',
    description: 'Returns the earliest trace with this test id. `GET /v0/traces?testId=` lists all of them.',
    scope: 'read',
    params: testPath,
    response: 'bytes',
    documents: { response: one },
    example: { response: { data: exampleTrace } },
    errors: ['not_found'],
    handler: async ({ principal, params }) =>
      found(
        await read(findTraceByTest, { ...ownerOf(principal), testId: params.testId }),
        'trace not found for this test',
      ),
  });

const getTraceRoute = ({ read }: TraceRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/{id}',
    operationId: 'getTrace',
    group: 'Traces',
    summary: 'Get a trace',
    scope: 'read',
    description:
      'With `steps=false` returns the trace as lists show it, with truncated texts: for traces of any size in the same time.',
    params: tracePath,
    query: traceQuery,
    response: 'bytes',
    documents: { response: z.object({ data: z.union([trace, listedTrace]) }) },
    example: { response: { data: exampleTrace } },
    errors: ['not_found'],
    handler: async ({ principal, params, query }) => {
      const wanted = { ...ownerOf(principal), traceIds: traceIdCandidates(params.id) };
      return found(await read(query.steps ? readTrace : readTraceSummary, wanted));
    },
  });

const listSpansRoute = ({ read }: TraceRouteDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/{id}/spans',
    operationId: 'listSpans',
    group: 'Traces',
    summary: 'List the spans of a trace',
    description:
      'Spans are in tree order, each parent before its children. A placeholder stands for a parent that is not stored.',
    scope: 'read',
    params: tracePath,
    query: spansQuery,
    response: 'bytes',
    documents: { response: z.object({ data: z.array(span), pagination }) },
    example: {
      response: { data: [exampleSpan], pagination: { skip: 0, limit: 1_000, total: 1, totalPages: 1 } },
    },
    errors: ['not_found'],
    handler: async ({ principal, params, query }) => {
      const payload = query.include === 'payload';
      const spans = await read(readSpans, {
        application: principal.application,
        traceIds: traceIdCandidates(params.id),
        subtree: query.subtree ?? null,
        spanIds: query.spanId ?? null,
        payload,
        skip: query.skip,
        limit: query.limit ?? (payload ? 100 : 1_000),
      });
      return found(spans, query.subtree === undefined ? undefined : 'trace or span not found');
    },
  });

const deleteTraceRoute = ({ write, now }: TraceRouteDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/traces/{id}',
    operationId: 'deleteTrace',
    group: 'Traces',
    summary: 'Delete a trace',
    description: 'Deletes every copy of the trace. Its later spans are rejected.',
    scope: 'write',
    params: tracePath,
    response: null,
    errors: ['not_found'],
    handler: async ({ principal, params }) => {
      const traceIds = traceIdCandidates(params.id);
      const { tkey } = found(
        await write(deleteTrace, { application: principal.application, traceIds, at: now() }),
      );
      // Each step is a separate commit, so that a large trace delays no other caller.
      while (await write(purgeTrace, { tkey }));
      return undefined;
    },
  });

function found<T>(value: T | null, message = 'trace not found'): T {
  if (value === null) throw new AppError('not_found', message);
  return value;
}
