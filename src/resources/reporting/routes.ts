import PQueue from 'p-queue';
import { reviewerOf } from '../../contract/reviewer.ts';
import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import type { Read } from '../../storage/calls.ts';
import { TRUNCATE_UNITS } from '../../storage/dialect.ts';
import { listColumnValues, runReport } from './calls.ts';
import { aggregationsOf, type ReportColumn, operatorsOf } from './column.ts';
import {
  type ColumnRecord,
  columnPath,
  columnRecord,
  columnValue,
  datasourcePath,
  datasourceRecord,
  type ReportAnswer,
  report,
  reportBody,
  valuesQuery,
} from './contract.ts';
import { DATASOURCES, datasourceId, findColumn } from './datasources.ts';
import { planReport } from './plan.ts';

/** Most waiting reports of all applications. */
const MAX_WAITING = 32;

const exampleColumn: ColumnRecord = {
  id: 'status',
  title: 'Status',
  type: 'enum',
  description: 'Phase of the test.',
  unit: null,
  isMany: false,
  isGroupable: true,
  truncations: [],
  operators: ['eq', 'ne', 'in', 'notIn'],
  aggregations: ['count'],
  values: ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'],
};
const exampleQuery: z.input<typeof reportBody> = {
  datasource: 'test',
  groupBy: [{ column: 'status' }],
  measurements: [{ aggregation: 'count', as: 'tests' }],
};
const exampleReport: ReportAnswer = {
  data: [{ groups: { status: 'COMPLETED' }, values: { tests: 118 } }],
  columns: [
    { id: 'status', role: 'group', column: 'status', title: 'Status', type: 'enum', unit: null },
    { id: 'tests', role: 'measurement', column: null, title: 'Tests', type: 'number', unit: null },
  ],
  pagination: { skip: 0, limit: 100, total: 1, totalPages: 1 },
};

interface ReportingDeps {
  read: Read;
  now: () => number;
  /** Runs reports one at a time: each may take seconds, during which the other readers serve all other queries. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

export function reportingRoutes({ read, now }: Pick<ReportingDeps, 'read' | 'now'>): Route[] {
  const queue = new PQueue({ concurrency: 1 });
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= MAX_WAITING) throw new AppError('unavailable', 'too many reports wait; retry later');
    return queue.add(work);
  };
  const deps = { read, now, inTurn };
  return [listDatasourcesRoute, listColumnsRoute, listColumnValuesRoute(deps), queryReportRoute(deps)];
}

const listDatasourcesRoute = route({
  method: 'GET',
  path: '/v0/reporting/datasources',
  operationId: 'listDatasources',
  group: 'Reporting',
  summary: 'List the datasources of reports',
  scope: 'read',
  response: z.object({ data: z.array(datasourceRecord) }),
  example: { response: { data: [{ id: 'test', title: 'Tests', description: 'One row a test.' }] } },
  handler: () => ({
    data: datasourceId.options.map((id) => ({
      id,
      title: DATASOURCES[id].title,
      description: DATASOURCES[id].description,
    })),
  }),
});

const listColumnsRoute = route({
  method: 'GET',
  path: '/v0/reporting/datasources/{id}/columns',
  operationId: 'listColumns',
  group: 'Reporting',
  summary: 'List the columns of a datasource',
  description: 'Describes each column and how reports can use it.',
  scope: 'read',
  params: datasourcePath,
  response: z.object({ data: z.array(columnRecord) }),
  example: { response: { data: [exampleColumn] } },
  handler: ({ params }) => ({
    data: Object.entries(DATASOURCES[params.id].columns).map(([id, column]) => recordOf(id, column)),
  }),
});

const listColumnValuesRoute = ({ read, inTurn }: ReportingDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/reporting/datasources/{id}/columns/{columnId}/values',
    operationId: 'listColumnValues',
    group: 'Reporting',
    summary: 'List the distinct values of a column',
    description:
      'Returns the first 1000 values, ordered by name; numbers and dates are ordered by value. Values are text: `true`, `3.5`, ISO 8601.',
    scope: 'read',
    params: columnPath,
    query: valuesQuery,
    response: z.object({ data: z.array(columnValue) }),
    example: { response: { data: [{ id: ID.topic, name: 'Returns' }] } },
    errors: ['not_found', 'unavailable'],
    handler: async ({ principal, params: { id, columnId }, query: { search = null } }) => {
      const column = findColumn(id, columnId);
      if (!column) throw new AppError('not_found', 'column not found');
      const takesAll = DATASOURCES[id].leftOut?.column === columnId;
      const args = { application: principal.application, datasource: id, column, takesAll, search };
      return { data: await inTurn(() => read(listColumnValues, args)) };
    },
  });

const queryReportRoute = ({ read, now, inTurn }: ReportingDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/reporting/query',
    operationId: 'queryReport',
    group: 'Reporting',
    summary: 'Run a report',
    description:
      'Filters the rows of a datasource, groups them, and measures each group. A report may read at most 2000000 rows and take at most ten seconds.',
    scope: 'read',
    body: reportBody,
    response: report,
    example: { body: exampleQuery, response: exampleReport },
    errors: ['unavailable'],
    handler: ({ principal, body }) => {
      const { application } = principal;
      const args = { application, plan: planReport(body), reviewer: reviewerOf(principal), now: now() };
      return inTurn(() => read(runReport, args));
    },
  });

const recordOf = (id: string, column: ReportColumn): ColumnRecord => ({
  id,
  title: column.title,
  type: column.type,
  description: column.description,
  unit: column.unit ?? null,
  isMany: column.isMany ?? false,
  isGroupable: !column.isContinuous,
  truncations: column.type === 'date' ? [...TRUNCATE_UNITS] : [],
  operators: [...operatorsOf(column)],
  aggregations: [...aggregationsOf(column)],
  values: column.values ? [...column.values] : null,
});
