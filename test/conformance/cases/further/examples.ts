import type { Case } from '../../case.ts';
import { MESSAGE, OWNED, page } from '../../records.ts';
import { only, UUID } from '../../shapes.ts';

const EXAMPLE = only({
  ...OWNED,
  taskId: '{{task.id}}',
  position: 2,
  key: 'cl',
  input: 'Capital of Chile?',
  expected: 'Santiago',
  rubric: null,
  metadata: null,
  tags: ['south'],
  split: 'test',
  weight: 1,
  status: 'ACTIVE',
  version: 1,
  traceId: null,
});
const PATH = '/v0/tasks/{{task.id}}/examples';

export const EXAMPLES: readonly Case[] = [
  {
    name: 'an example is added to a task',
    line: 'Example.*',
    given: ['task'],
    request: `POST ${PATH}`,
    body: { input: 'Capital of Chile?', expected: 'Santiago', tags: ['south'], split: 'test', key: 'cl' },
    status: 201,
    contains: only({ data: EXAMPLE }),
  },
  {
    name: 'an example is read',
    given: ['example'],
    request: `GET ${PATH}/{{example.id}}`,
    status: 200,
    contains: only({ data: EXAMPLE }),
  },
  {
    name: 'the examples of a task are listed',
    given: ['example'],
    request: `GET ${PATH}?split=test`,
    status: 200,
    contains: only({ data: [EXAMPLE], pagination: page(1) }),
  },
  {
    name: 'an example is changed and keeps its earlier version',
    given: ['example'],
    request: `PUT ${PATH}/{{example.id}}`,
    body: { expected: 'Santiago de Chile' },
    status: 200,
    contains: { data: { expected: 'Santiago de Chile', version: 2, input: 'Capital of Chile?' } },
    after: {
      request: `GET ${PATH}/{{example.id}}/versions`,
      contains: { data: [{ version: 2 }, { version: 1, expected: 'Santiago' }] },
    },
  },
  {
    name: 'the versions of an example are listed',
    given: ['example'],
    request: `GET ${PATH}/{{example.id}}/versions`,
    status: 200,
    contains: { data: [{ version: 1, replacedAt: null, input: 'Capital of Chile?' }] },
  },
  {
    name: 'examples are imported from a file',
    given: ['task'],
    request: `POST ${PATH}/import`,
    form: { file: 'question,expected_output,note\nCapital of Chile?,Santiago,x\n' },
    status: 200,
    contains: {
      data: {
        created: 1,
        rejected: [],
        mapping: only({ input: 'question', expected: 'expected_output' }),
        unusedColumns: ['note'],
      },
    },
  },
  {
    name: 'a form takes from the query what it lacks',
    given: ['task'],
    request: `POST ${PATH}/import?dryRun=true`,
    form: { file: 'input,expected\nCapital of Chile?,Santiago\n' },
    status: 200,
    after: { request: `GET ${PATH}?search=Chile`, contains: { data: [] } },
  },
  {
    name: 'a trace becomes an example of a task of its own',
    given: [
      {
        as: 'sent',
        request: 'POST /v0/ingest',
        body: {
          events: [
            { type: 'trace', timestamp: '2026-03-01T12:00:00Z', input: 'Capital of Chile?', output: 'Lima' },
          ],
        },
      },
      { as: 'trace', request: 'GET /v0/traces/{{sent.0.id}}' },
    ],
    request: 'POST /v0/traces/{{trace.id}}/example',
    body: { expected: 'Santiago' },
    status: 200,
    contains: {
      data: {
        input: 'Capital of Chile?',
        expected: 'Santiago',
        key: 'trace:{{trace.id}}',
        traceId: '{{trace.id}}',
        taskId: UUID,
      },
    },
  },
  {
    name: 'the examples of a task are exported',
    given: ['example'],
    request: `GET ${PATH}/export?split=test`,
    status: 200,
    type: /^text\/csv/,
    says: /^input,expected,expectedJson,key,[^\n]*\r\nCapital of Chile\?,Santiago,,cl,[^\n]*\r\n$/,
  },
  {
    name: 'an example without tests is deleted',
    given: ['example'],
    request: `DELETE ${PATH}/{{example.id}}`,
    status: 204,
    after: { request: `GET ${PATH}/{{example.id}}`, status: 404, contains: MESSAGE },
  },
];
