import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportBody } from '../../src/resources/reporting/contract.ts';
import { DATASOURCES, datasourceId } from '../../src/resources/reporting/datasources.ts';
import { reportingRoutes } from '../../src/resources/reporting/routes.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { applicationKey, storeRun, storeTest } from '../support/stored-tests.ts';
import { reportingPage } from './reporting-page.ts';

let server: TestServer;
let other: Tenant;
let topicId: string;
let taskIds: string[];
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
  topicId = (await created('/v0/topics', { title: 'Returns' }))['data']?.id ?? '';
  taskIds = [
    (await created('/v0/tasks', { title: 'Ärger', type: 'STATIC', topicId }))['task']?.id ?? '',
    (await created('/v0/tasks', { title: 'Refund', type: 'NORMAL', status: 'DRAFT' }))['task']?.id ?? '',
  ];
  besideServer(server.folder, (database) => {
    for (const [tenant, count] of [
      [server, 3],
      [other, 5],
    ] as const) {
      const application = applicationKey(database, tenant.applicationId);
      for (let index = 0; index < count; index++) {
        const createdAt = Date.parse(`2026-03-2${8 + Math.min(index, 1)}T22:30:00Z`) + index * 1_000;
        const run = { id: randomUUID(), taskId: taskIds[index % 2] ?? '', createdAt };
        storeRun(database, application, run);
        storeTest(database, application, { id: randomUUID(), run, createdAt, status: 'PENDING' });
      }
    }
  });
});
afterAll(() => server.close());

async function created(path: string, body: object): Promise<Record<string, { id: string }>> {
  const { status, text, json } = await server.call('POST', path, { body });
  expect(status, text).toBe(201);
  return json as Record<string, { id: string }>;
}

async function answer(method: string, path: string, call: object = {}): Promise<unknown> {
  const { status, text, json } = await server.call(method, path, call);
  expect(status, text).toBe(200);
  return json;
}

const query = (body: object, headers: Tenant['headers'] = {}): Promise<unknown> =>
  answer('POST', '/v0/reporting/query', { body, headers });
const COUNT = { measurements: [{ aggregation: 'count' }] };

describe('GET /v0/reporting/datasources', () => {
  it('lists them', async () => {
    const { data } = (await answer('GET', '/v0/reporting/datasources')) as { data: unknown[] };
    expect(data).toHaveLength(6);
    expect(data[0]).toEqual({ id: 'task', title: 'Tasks', description: 'Definitions of tests.' });
  });

  it.each(datasourceId.options)('…/%s/columns tells what can be asked of them', async (id) => {
    const { data } = (await answer('GET', `/v0/reporting/datasources/${id}/columns`)) as {
      data: { id: string }[];
    };
    expect(data.map((column) => column.id)).toEqual(Object.keys(DATASOURCES[id].columns));
  });

  it('…/test/columns tells all of each', async () => {
    const { data } = (await answer('GET', '/v0/reporting/datasources/test/columns')) as {
      data: { id: string }[];
    };
    const one = (id: string): unknown => data.find((column) => column.id === id);
    expect(one('status')).toEqual({
      id: 'status',
      title: 'Status',
      type: 'enum',
      description: 'Status of the test.',
      unit: null,
      isMany: false,
      isGroupable: true,
      truncations: [],
      operators: ['eq', 'ne', 'in', 'notIn', 'isNull', 'isNotNull'],
      aggregations: ['count', 'countDistinct'],
      values: ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'],
    });
    expect(one('durationMs')).toMatchObject({ unit: 'milliseconds', isGroupable: false, values: null });
    expect(one('createdAt')).toMatchObject({
      truncations: ['hour', 'day', 'week', 'month', 'quarter', 'year'],
    });
    expect(one('model')).toMatchObject({ isMany: true, aggregations: [] });
  });
});

describe('…/columns/{columnId}/values', () => {
  const values = (path: string, headers: Tenant['headers'] = {}): Promise<unknown> =>
    answer('GET', `/v0/reporting/datasources/${path}`, { headers });

  it('names related records', async () => {
    const [first, second] = taskIds;
    const [arger, refund] = [
      { id: first, name: 'Ärger' },
      { id: second, name: 'Refund' },
    ];
    expect(await values('test/columns/task/values')).toEqual({ data: [refund, arger] });
    expect(await values('test/columns/task/values?search=%C3%A4RG')).toEqual({ data: [arger] });
    expect(await values('test/columns/topic/values')).toEqual({ data: [{ id: topicId, name: 'Returns' }] });
  });

  it('writes values as text', async () => {
    expect(await values('task/columns/isVerified/values')).toEqual({
      data: [{ id: 'false', name: 'false' }],
    });
    expect(await values('test/columns/passedEvals/values')).toEqual({ data: [{ id: '0', name: '0' }] });
    expect(await values('test/columns/status/values')).toEqual({
      data: [{ id: 'PENDING', name: 'PENDING' }],
    });
    const first = '2026-03-28T22:30:00.000Z';
    expect(await values('test/columns/createdAt/values?search=2026-03-28')).toEqual({
      data: [{ id: first, name: first }],
    });
  });

  it('shows nothing of another application, and leaves out what is empty', async () => {
    expect(await values('task/columns/id/values', other.headers)).toEqual({ data: [] });
    // Its tests name tasks of ours, whose titles are not for it.
    expect(await values('test/columns/task/values', other.headers)).toEqual({
      data: taskIds.map((id) => ({ id, name: id })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    });
    expect(await values('test/columns/failureCode/values')).toEqual({ data: [] });
  });

  it('answers the first thousand', async () => {
    const tenant = await server.newTenant();
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, tenant.applicationId);
      const run = { id: randomUUID(), taskId: randomUUID(), createdAt: 0 };
      database.transaction(() => {
        for (let index = 0; index < 1_010; index++)
          storeTest(database, application, { id: randomUUID(), run, createdAt: 0, exampleIndex: index });
      });
    });
    const { data } = (await values('test/columns/exampleIndex/values', tenant.headers)) as {
      data: { id: string }[];
    };
    expect([data.length, data[0]?.id, data.at(-1)?.id]).toEqual([1_000, '0', '999']);
  });

  testHttp(
    () => server,
    ['prompt', 'constructor', '__proto__', "'--", 'test.status', 'status%20'].map((id) => ({
      name: `knows no column ${id}`,
      request: `GET /v0/reporting/datasources/test/columns/${id}/values` as const,
      status: 404,
      mustContain: ['column not found'],
    })),
  );
});

describe('POST /v0/reporting/query', () => {
  it('answers groups, their measurements, and what these are', async () => {
    const report = {
      datasource: 'test',
      groupBy: [{ column: 'createdAt', truncate: 'day' }, { column: 'topic' }],
      timeZone: 'Europe/Berlin',
      measurements: [
        { aggregation: 'count' },
        { aggregation: 'max', column: 'createdAt', as: 'constructor' },
        { aggregation: 'passRate' },
      ],
      limit: 2,
    };
    const topic = { id: topicId, name: 'Returns' };
    const day = (createdAt: string, group: unknown, last: string): unknown => ({
      groups: { createdAt, topic: group },
      values: { count: 1, constructor: last, passRate: null },
    });
    // Clocks were put forward on the 29th: the next day began an hour earlier.
    expect(await query(report)).toEqual({
      data: [
        day('2026-03-27T23:00:00.000Z', topic, '2026-03-28T22:30:00.000Z'),
        day('2026-03-29T22:00:00.000Z', topic, '2026-03-29T22:30:02.000Z'),
      ],
      columns: [
        { id: 'createdAt', role: 'group', column: 'createdAt', title: 'Created', type: 'date', unit: null },
        { id: 'topic', role: 'group', column: 'topic', title: 'Topic', type: 'relation', unit: null },
        { id: 'count', role: 'measurement', column: null, title: 'Rows', type: 'number', unit: null },
        {
          id: 'constructor',
          role: 'measurement',
          column: 'createdAt',
          title: 'Created',
          type: 'date',
          unit: null,
        },
        {
          id: 'passRate',
          role: 'measurement',
          column: null,
          title: 'Pass rate',
          type: 'number',
          unit: 'percent',
        },
      ],
      pagination: { skip: 0, limit: 2, total: 3, totalPages: 2 },
    });
    expect(await query({ ...report, skip: 2 })).toMatchObject({
      data: [day('2026-03-29T22:00:00.000Z', null, '2026-03-29T22:30:01.000Z')],
      pagination: { skip: 2, limit: 2, total: 3, totalPages: 2 },
    });
  });

  it('counts rows of its own application', async () => {
    const counted = (count: number): object => ({ data: [{ groups: {}, values: { count } }] });
    expect(await query({ datasource: 'test', ...COUNT })).toMatchObject(counted(3));
    expect(await query({ datasource: 'test', ...COUNT }, other.headers)).toMatchObject(counted(5));
    expect(await query({ datasource: 'task', ...COUNT }, other.headers)).toMatchObject(counted(0));
  });

  it('takes ids in upper case', async () => {
    const filters = [{ column: 'topic', operator: 'in', value: [topicId.toUpperCase()] }];
    expect(await query({ datasource: 'test', filters, ...COUNT })).toMatchObject({
      data: [{ values: { count: 2 } }],
    });
  });

  const filtered = (column: string, operator: string, value?: unknown): object => ({
    filters: [{ column, operator, value }],
  });
  const rejected: [rule: string, body: object, code: string, path: string[]][] = [
    [
      'a column of the datasource',
      filtered('prompt', 'eq', 'x'),
      'invalid_enum_value',
      ['filters', '0', 'column'],
    ],
    [
      'an operator of the type',
      filtered('status', 'contains', 'x'),
      'invalid_enum_value',
      ['filters', '0', 'operator'],
    ],
    ['a value', filtered('cost', 'gt'), 'invalid_type', ['filters', '0', 'value']],
    ['a number for a number', filtered('cost', 'gt', '1'), 'invalid_type', ['filters', '0', 'value']],
    ['text for text', filtered('model', 'eq', 7), 'invalid_type', ['filters', '0', 'value']],
    ['no object', filtered('model', 'eq', { a: 1 }), 'invalid_union', ['filters', '0', 'value']],
    [
      'a time for a date',
      filtered('createdAt', 'gt', 'yesterday'),
      'invalid_string',
      ['filters', '0', 'value'],
    ],
    [
      'a time with an offset',
      filtered('createdAt', 'gt', '2026-01-01T00:00:00'),
      'invalid_string',
      ['filters', '0', 'value'],
    ],
    ['an id for a relation', filtered('task', 'eq', 'x'), 'invalid_string', ['filters', '0', 'value']],
    [
      'a value of the enum',
      filtered('status', 'in', ['PENDING', 'OPEN']),
      'invalid_enum_value',
      ['filters', '0', 'value', '1'],
    ],
    ['a list for in', filtered('status', 'in', 'PENDING'), 'invalid_type', ['filters', '0', 'value']],
    ['something in the list', filtered('status', 'in', []), 'too_small', ['filters', '0', 'value']],
    ['a pair for between', filtered('cost', 'between', [1]), 'too_small', ['filters', '0', 'value']],
    ['a group of few values', { groupBy: [{ column: 'cost' }] }, 'custom', ['groupBy', '0', 'column']],
    [
      'a group once',
      { groupBy: [{ column: 'status' }, { column: 'status' }] },
      'custom',
      ['groupBy', '1', 'column'],
    ],
    [
      'a date to cut',
      { groupBy: [{ column: 'status', truncate: 'day' }] },
      'custom',
      ['groupBy', '0', 'truncate'],
    ],
    ['a time zone', { timeZone: 'Mars/Olympus' }, 'invalid_string', ['timeZone']],
    ['a time zone by its name', { timeZone: '+01:00' }, 'invalid_string', ['timeZone']],
    [
      'an aggregation of the type',
      { measurements: [{ aggregation: 'sum', column: 'status' }] },
      'invalid_enum_value',
      ['measurements', '0', 'aggregation'],
    ],
    [
      'a column to sum up',
      { measurements: [{ aggregation: 'sum' }] },
      'invalid_type',
      ['measurements', '0', 'column'],
    ],
    [
      'a column with one value',
      { measurements: [{ aggregation: 'count', column: 'model' }] },
      'invalid_enum_value',
      ['measurements', '0', 'aggregation'],
    ],
    [
      'the pass rate without a column',
      { measurements: [{ aggregation: 'passRate', column: 'cost' }] },
      'custom',
      ['measurements', '0', 'column'],
    ],
    [
      'something that can pass',
      { datasource: 'tag', measurements: [{ aggregation: 'passRate' }] },
      'custom',
      ['measurements', '0', 'aggregation'],
    ],
    [
      'names that differ',
      { measurements: [{ aggregation: 'count' }, { aggregation: 'count' }] },
      'custom',
      ['measurements', '1', 'as'],
    ],
    [
      'a name that is no group',
      { groupBy: [{ column: 'status' }], measurements: [{ aggregation: 'count', as: 'status' }] },
      'custom',
      ['measurements', '0', 'as'],
    ],
    [
      'an order by what is answered',
      { orderBy: [{ by: 'status' }] },
      'invalid_enum_value',
      ['orderBy', '0', 'by'],
    ],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, path]) => ({
      name: `needs ${rule}`,
      request: 'POST /v0/reporting/query',
      body: { datasource: 'test', ...COUNT, ...body },
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":${JSON.stringify(path)}`],
    })),
  );

  it('names all that is wrong at once', async () => {
    const body = { datasource: 'test', ...filtered('a', 'eq', 1), groupBy: [{ column: 'b' }], ...COUNT };
    const { json } = await server.call('POST', '/v0/reporting/query', { body });
    expect(json).toMatchObject({
      issues: [{ path: ['filters', '0', 'column'] }, { path: ['groupBy', '0', 'column'] }],
    });
  });

  it.each(["'; DROP TABLE test; --", '") OR 1=1 --', "x' UNION SELECT hash FROM api_key --", '%', '\0'])(
    'takes %j as text',
    async (text) => {
      const report = { datasource: 'test', ...filtered('model', 'ne', text), ...COUNT };
      expect(await query(report)).toMatchObject({ data: [{ values: { count: 3 } }] });
      const { json } = await server.call('POST', '/v0/reporting/query', {
        body: { datasource: 'topic', ...filtered('assignedTo', 'contains', text), ...COUNT },
      });
      expect(json).toMatchObject({ data: [{ values: { count: 0 } }] });
    },
  );
});

it('reports run one at a time, and 32 may wait', async () => {
  const waiting: (() => void)[] = [];
  let started = 0;
  const read = (): Promise<never> => {
    started++;
    return new Promise((resolve) => waiting.push(() => resolve(undefined as never)));
  };
  const route = reportingRoutes({ read, now: () => 0 }).find(({ method }) => method === 'POST');
  const ask = async (): Promise<unknown> =>
    route?.handler({
      principal: { application: 1, actor: { type: 'key', id: 'key', name: 'key' }, scopes: new Set() },
      body: reportBody.parse({ datasource: 'test', ...COUNT }),
    } as never);
  const answers = Array.from({ length: 33 }, ask);
  await expect(ask()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  for (let ended = 1; ended <= 33; ended++) {
    expect([started, waiting.length]).toEqual([ended, 1]);
    waiting.pop()?.();
    await answers[ended - 1];
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(started).toBe(33);
});

it('the columns stand in docs/reporting.md; after a change: vitest -u', async () => {
  await expect(reportingPage()).toMatchFileSnapshot('../../docs/reporting.md');
});
