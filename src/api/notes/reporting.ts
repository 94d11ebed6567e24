import type { OperationNotes } from './note.ts';
import { ID } from './values.ts';

/** Reporting. */
export const reportingNotes: OperationNotes = {
  'GET /v0/reporting/datasources': {
    id: 'listDatasources',
    answer: { data: [{ id: 'test', title: 'Tests', description: 'One row a test.' }] },
  },
  'GET /v0/reporting/datasources/{id}/columns': {
    id: 'listColumns',
    answer: {
      data: [
        {
          id: 'status',
          title: 'Status',
          type: 'enum',
          description: 'How far the test is.',
          unit: null,
          isMany: false,
          isGroupable: true,
          truncations: [],
          operators: ['eq', 'ne', 'in', 'notIn'],
          aggregations: ['count'],
          values: ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'],
        },
      ],
    },
  },
  'GET /v0/reporting/datasources/{id}/columns/{columnId}/values': {
    id: 'listColumnValues',
    answer: { data: [{ id: ID.topic, name: 'Returns' }] },
  },
  'POST /v0/reporting/query': {
    id: 'queryReport',
    body: {
      datasource: 'test',
      groupBy: [{ column: 'status' }],
      measurements: [{ aggregation: 'count', as: 'tests' }],
    },
    answer: {
      data: [{ groups: { status: 'COMPLETED' }, values: { tests: 118 } }],
      columns: [
        { id: 'status', role: 'group', column: 'status', title: 'Status', type: 'enum', unit: null },
        { id: 'tests', role: 'measurement', column: null, title: 'Tests', type: 'number', unit: null },
      ],
      pagination: { skip: 0, limit: 100, total: 1, totalPages: 1 },
    },
  },
};
