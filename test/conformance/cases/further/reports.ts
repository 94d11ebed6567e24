/** Reports. */
import type { Case } from '../../case.ts';
import { inAnyOrder, TEXT, OBJECT, only, listOf } from '../../shapes.ts';

export const REPORTS: readonly Case[] = [
  {
    name: 'datasources are listed',
    request: 'GET /v0/reporting/datasources',
    status: 200,
    contains: only({
      data: inAnyOrder(
        ...['task', 'test', 'eval', 'topic', 'tag', 'human_annotation'].map((id) =>
          only({ id, title: TEXT, description: TEXT }),
        ),
      ),
    }),
  },
  {
    name: 'columns are listed',
    request: 'GET /v0/reporting/datasources/task/columns',
    status: 200,
    contains: { data: listOf({ id: TEXT, title: TEXT, type: TEXT, description: TEXT }) },
  },
  {
    name: 'a report counts',
    given: ['task', 'topic', { request: 'PUT /v0/tasks/{{task.id}}', body: { topicId: '{{topic.id}}' } }],
    request: 'POST /v0/reporting/query',
    body: { datasource: 'task', groupBy: [{ column: 'topic' }], measurements: [{ aggregation: 'count' }] },
    status: 200,
    contains: {
      data: [
        { groups: { topic: only({ id: '{{topic.id}}', name: 'Billing' }) }, values: only({ count: 1 }) },
      ],
      pagination: OBJECT,
    },
  },
  {
    name: 'a report has no unknown column',
    request: 'POST /v0/reporting/query',
    body: { datasource: 'task', groupBy: [{ column: 'x' }], measurements: [{ aggregation: 'count' }] },
    status: 422,
    contains: { issues: [{ path: ['groupBy', '0', 'column'] }] },
  },
];
