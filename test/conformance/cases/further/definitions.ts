/** Evaluation definitions beyond the interface. */
import type { Case } from '../../case.ts';
import { DEFINITION, MESSAGE, invalid } from '../../records.ts';
import { only } from '../../shapes.ts';

export const DEFINITIONS: readonly Case[] = [
  {
    name: 'a definition is made with its defaults',
    line: 'WholeDefinition.*',
    request: 'POST /v0/definitions',
    body: { name: 'Kind', type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' } },
    status: 201,
    contains: only({ data: { ...DEFINITION, status: 'ACTIVE', version: 1, repeats: 1, topics: [] } }),
  },
  {
    name: 'a definition is read',
    given: ['definition'],
    request: 'GET /v0/definitions/{{definition.id}}',
    status: 200,
    contains: only({ data: DEFINITION }),
  },
  {
    name: 'another criterion is another version',
    line: 'WholeDefinition.version',
    given: ['definition'],
    request: 'PUT /v0/definitions/{{definition.id}}',
    body: { globalConfig: { criterion: 'Is it true?' } },
    status: 200,
    contains: { data: { version: 2, name: 'Kind', globalConfig: { criterion: 'Is it true?' } } },
  },
  {
    name: 'another name is not',
    line: 'WholeDefinition.version',
    given: ['definition'],
    request: 'PUT /v0/definitions/{{definition.id}}',
    body: { name: 'B' },
    status: 200,
    contains: { data: { version: 1, name: 'B' } },
  },
  ...[1, 3, 5, 7, 9].map(
    (repeats): Case => ({
      name: `a judge may be asked ${repeats} times`,
      line: 'WholeDefinition.repeats',
      request: 'POST /v0/definitions',
      body: { name: 'A', type: 'NATURALNESS', repeats },
      status: 201,
      contains: { data: { repeats } },
    }),
  ),
  {
    name: 'a judge is not asked twice',
    line: 'WholeDefinition.repeats',
    request: 'POST /v0/definitions',
    body: { name: 'A', type: 'NATURALNESS', repeats: 2 },
    status: 422,
    contains: { issues: [{ path: ['repeats'] }] },
  },
  {
    name: 'a definition without results is deleted',
    given: ['definition'],
    request: 'DELETE /v0/definitions/{{definition.id}}',
    status: 204,
    after: { request: 'GET /v0/definitions/{{definition.id}}', status: 404, contains: MESSAGE },
  },
  {
    name: 'a definition with results is archived',
    given: ['eval'],
    request: 'DELETE /v0/definitions/{{definition.id}}',
    status: 204,
    after: { request: 'GET /v0/definitions/{{definition.id}}', contains: { data: { status: 'ARCHIVED' } } },
  },
  {
    name: 'definitions are linked to tasks with what is expected',
    given: ['definition', 'task'],
    request: 'POST /v0/definitions/link',
    body: { evalIds: ['{{definition.id}}'], taskIds: ['{{task.id}}'], config: { expected: 'Paris' } },
    status: 204,
    after: {
      request: 'GET /v0/tasks/{{task.id}}',
      contains: { task: { evalDefinitions: [{ config: only({ expected: 'Paris' }) }] } },
    },
  },
  {
    name: 'definitions are unlinked',
    given: [
      'definition',
      'task',
      {
        request: 'POST /v0/definitions/link',
        body: { evalIds: ['{{definition.id}}'], taskIds: ['{{task.id}}'] },
      },
    ],
    request: 'POST /v0/definitions/unlink',
    body: { evalIds: ['{{definition.id}}'], taskIds: ['{{task.id}}'] },
    status: 204,
    after: { request: 'GET /v0/tasks/{{task.id}}', contains: { task: { evalDefinitions: [] } } },
  },
  {
    name: 'linking to nothing is a bad request',
    given: ['definition'],
    request: 'POST /v0/definitions/link',
    body: { evalIds: ['{{definition.id}}'] },
    status: 400,
    contains: MESSAGE,
  },
  ...(
    [
      ['NATURALNESS', {}],
      ['RECALL', {}],
      ['FACT', {}],
      ['CUSTOM', { criterion: 'A' }],
      ['OUTPUT_MATCH', { type: 'string' }],
      ['ASSERT', { assertions: [{ type: 'equals', value: 'A' }] }],
    ] as const
  ).map(
    ([type, globalConfig]): Case => ({
      name: `there are definitions of the type ${type}`,
      line: 'Definition.type',
      request: 'POST /v0/definitions',
      body: { name: 'A', type, globalConfig },
      status: 201,
      contains: { data: { type } },
    }),
  ),
  {
    name: 'there are definitions of the type STYLE',
    line: 'Definition.styleGuideId',
    given: ['styleGuide'],
    request: 'POST /v0/definitions',
    body: { name: 'A', type: 'STYLE', styleGuideId: '{{styleGuide.id}}' },
    status: 201,
    contains: { data: { type: 'STYLE', styleGuideId: '{{styleGuide.id}}' } },
  },
  {
    name: 'there are no definitions of another type',
    line: 'Definition.type',
    request: 'POST /v0/definitions',
    body: { name: 'A', type: 'LENGTH' },
    status: 422,
    contains: invalid([['type'], 'invalid_enum_value']),
  },
];
