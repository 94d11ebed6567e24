import PQueue from 'p-queue';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import type { Call } from '../../storage/operations.ts';
import { TRUNCATE_UNITS } from '../../storage/sqlite/truncate-time.ts';
import { aggregationsOf, type Column, operatorsOf } from './column.ts';
import {
  type ColumnRecord,
  columnPath,
  columnRecord,
  columnValue,
  datasourcePath,
  datasourceRecord,
  report,
  reportBody,
  valuesQuery,
} from './contract.ts';
import { DATASOURCES, datasourceId, findColumn } from './datasources.ts';
import { planReport } from './plan.ts';
import type { reportingQueries } from './store.ts';

/** Reports that wait for others, of all applications. */
const MAX_WAITING = 32;

export function reportingRoutes({ read }: { read: Call<typeof reportingQueries> }): Route[] {
  // One at a time: a report may take seconds, in which the other readers answer everything else.
  const queue = new PQueue({ concurrency: 1 });
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= MAX_WAITING) throw new AppError('unavailable', 'too many reports wait; send again');
    return queue.add(work);
  };

  return [
    route({
      method: 'GET',
      path: '/v0/reporting/datasources',
      summary: 'List what reports can be made of',
      scope: 'read',
      response: z.object({ data: z.array(datasourceRecord) }),
      status: 200,
      handler: () => ({
        data: datasourceId.options.map((id) => ({
          id,
          title: DATASOURCES[id].title,
          description: DATASOURCES[id].description,
        })),
      }),
    }),

    route({
      method: 'GET',
      path: '/v0/reporting/datasources/{id}/columns',
      summary: 'List the columns of a datasource',
      description: 'What each of them means, and what reports can do with it.',
      scope: 'read',
      params: datasourcePath,
      response: z.object({ data: z.array(columnRecord) }),
      status: 200,
      handler: ({ params }) => ({
        data: Object.entries(DATASOURCES[params.id].columns).map(([id, column]) => recordOf(id, column)),
      }),
    }),

    route({
      method: 'GET',
      path: '/v0/reporting/datasources/{id}/columns/{columnId}/values',
      summary: 'Get distinct values for a column',
      description:
        'The first 1 000, ordered by name, numbers and dates by value. Rows without a value give none. Values are text: `true`, `3.5`, ISO 8601.',
      scope: 'read',
      params: columnPath,
      query: valuesQuery,
      response: z.object({ data: z.array(columnValue) }),
      status: 200,
      errors: ['not_found', 'unavailable'],
      handler: async ({ scope, params: { id, columnId }, query: { search = null } }) => {
        const column = findColumn(id, columnId);
        if (!column) throw new AppError('not_found', 'column not found');
        const takesAll = DATASOURCES[id].leftOut?.column === columnId;
        const args = { application: scope.application, datasource: id, column, takesAll, search };
        return { data: await inTurn(() => read('listColumnValues', args)) };
      },
    }),

    route({
      method: 'POST',
      path: '/v0/reporting/query',
      summary: 'Make a report',
      description:
        'Filters rows of a datasource, groups them, and measures each group. A report may look at 2 000 000 rows and take ten seconds.',
      scope: 'read',
      body: reportBody,
      response: report,
      status: 200,
      errors: ['unavailable'],
      handler: ({ scope, body }) => {
        const args = { application: scope.application, plan: planReport(body) };
        return inTurn(() => read('runReport', args));
      },
    }),
  ];
}

const recordOf = (id: string, column: Column): ColumnRecord => ({
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
