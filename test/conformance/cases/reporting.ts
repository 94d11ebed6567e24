import type { Case } from '../case.ts';
import { invalid, MESSAGE } from '../records.ts';
import { inAnyOrder, only } from '../shapes.ts';

const values = (
  datasource: string,
  column: string,
  given: Case['given'],
  found: readonly [id: string, name: string][],
  line = `datasource ${datasource}`,
  query = '',
): Case => ({
  name: `${column} of ${datasource}${query} has ${found.length} values`,
  line: ['ColumnValue.*', `ColumnValues.${line}`],
  given: given ?? [],
  request: `GET /v0/reporting/datasources/${datasource}/columns/${column}/values${query}`,
  status: 200,
  contains: only({ data: inAnyOrder(...found.map(([id, name]) => only({ id, name }))) }),
});
const TAGGED: Case['given'] = [
  'task',
  'tag',
  { request: 'POST /v0/tasks/tags', body: { taskIds: ['{{task.id}}'], addTagIds: ['{{tag.id}}'] } },
];
const IN_TOPIC: Case['given'] = [
  'topic',
  ...['STATIC', 'NORMAL', 'STATIC'].map((type) => ({
    request: 'POST /v0/tasks' as const,
    body: { title: 'A', type, topicId: '{{topic.id}}' },
  })),
];

export const REPORTING_CASES: readonly Case[] = [
  values('task', 'type', IN_TOPIC, [
    ['STATIC', 'STATIC'],
    ['NORMAL', 'NORMAL'],
  ]),
  values('task', 'status', [], [], 'answer'),
  values('task', 'topic', IN_TOPIC, [['{{topic.id}}', 'Billing']], 'relations'),
  values('task', 'tag', TAGGED, [['{{tag.id}}', 'Urgent']], 'relations'),
  values('test', 'status', ['test'], [['COMPLETED', 'COMPLETED']]),
  values('test', 'task', ['test'], [['{{task.id}}', 'Capital']], 'relations'),
  values('eval', 'definitionType', ['eval'], [['ASSERT', 'ASSERT']]),
  values('eval', 'evalDefinition', ['eval'], [['{{definition.id}}', 'Right']], 'relations'),
  values('topic', 'status', ['topic'], [['ACTIVE', 'ACTIVE']]),
  values('tag', 'color', ['tag'], [['#3B82F6', '#3B82F6']]),
  values('human_annotation', 'annotatorId', ['annotation'], [['ann', 'ann']]),
  values('human_annotation', 'queue', ['annotation'], [['{{queue.id}}', 'Weekly']], 'relations'),
  values('task', 'topic', IN_TOPIC, [['{{topic.id}}', 'Billing']], 'answer', '?search=BILL'),
  values('task', 'topic', IN_TOPIC, [], 'answer', '?search=%25'),
  {
    name: 'there is no other datasource',
    line: 'ColumnValues.unknown datasource',
    request: 'GET /v0/reporting/datasources/run/columns/type/values',
    status: 422,
    contains: invalid([['id'], 'invalid_enum_value']),
  },
  ...['nothing', 'title', '__proto__', 'task.id%3B--'].map(
    (column): Case => ({
      name: `there is no column ${column}`,
      line: 'ColumnValues.columnId',
      request: `GET /v0/reporting/datasources/task/columns/${column}/values`,
      status: 404,
      contains: MESSAGE,
    }),
  ),
];
