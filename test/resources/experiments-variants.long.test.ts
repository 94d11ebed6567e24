import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Experiment, Variant } from '../../src/api/generated/schema.ts';
import { VARIANT_STATUSES } from '../../src/resources/experiments/states.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { experimentCalls } from './experiments-support.ts';

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

let server: TestServer;
let other: Tenant;
const calls = experimentCalls(() => server);
const { read } = calls;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

const pathOf = (experimentId: string, variantId?: string): string =>
  `/v0/experiments/${experimentId}/variants${variantId === undefined ? '' : `/${variantId}`}`;
const add = (experimentId: string, body: object = {}) =>
  server.call('POST', pathOf(experimentId), { body: { title: 'v', configPatch: {}, ...body } });
const put = (experimentId: string, variantId: string, body: object) =>
  server.call('PUT', pathOf(experimentId, variantId), { body });
const statusOf = async (experimentId: string): Promise<string> =>
  (await read<Experiment>(`/v0/experiments/${experimentId}`)).status;

/** Takes rows to a state that only running could take them to. */
const set = (table: 'experiment' | 'experiment_variant', id: string, status: string): void =>
  besideServer(server.folder, (database) => {
    database.run(`UPDATE ${table} SET status = ? WHERE id = ?`, status, id);
  });

/** An experiment with its baseline and a variant of it. */
async function newFamily(body: object = {}): Promise<{ id: string; baseline: Variant; child: Variant }> {
  const { id } = await calls.experiment(body);
  const baseline = await calls.variant(id, { configPatch: { answer: { model: 'small', seed: 1 } } });
  const child = await calls.variant(id, { configPatch: { answer: { seed: 2 } }, parentId: baseline.id });
  return { id, baseline, child };
}

describe('POST /v0/experiments/{id}/variants', () => {
  it('makes the baseline first, with defaults', async () => {
    const { id } = await calls.experiment();
    const baseline = await calls.variant(id, { title: ' Base ' });
    expect(baseline).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: baseline.createdAt,
      experimentId: id,
      title: 'Base',
      description: null,
      status: 'DRAFT',
      configPatch: {},
      config: {},
      parentId: null,
      result: { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null },
      passRateInterval: null,
      progress: { completed: 0, total: 0 },
    });
    expect(await read(pathOf(id, baseline.id.toUpperCase()))).toEqual(baseline);
    expect(await statusOf(id)).toBe('BASELINE_PENDING');
  });

  it('takes all fields, and merges the settings down', async () => {
    const { id, child } = await newFamily();
    expect(child.config).toEqual({ answer: { model: 'small', seed: 2 } });
    const body = {
      title: 'Grandchild',
      description: 'Why',
      status: 'PENDING',
      configPatch: { answer: { model: { name: 'large' }, stop: ['a', null, 1.5] }, find: { k: 5 } },
      parentId: child.id,
    };
    expect(await calls.variant(id, body)).toMatchObject({
      ...body,
      config: { answer: { model: { name: 'large' }, seed: 2, stop: ['a', null, 1.5] }, find: { k: 5 } },
    });
    expect(await statusOf(id)).toBe('BASELINE_PENDING');
  });

  it('has one baseline, and a parent for all others', async () => {
    const { id, child } = await newFamily();
    for (const body of [{}, { parentId: null }]) {
      const rejected = await add(id, body);
      expect([rejected.status, rejected.text]).toEqual([
        422,
        expect.stringContaining('["parentId"]') as string,
      ]);
    }
    const strange = await newFamily();
    for (const parentId of [UNKNOWN, strange.child.id]) {
      const { status, json } = await add(id, { parentId });
      expect([status, json]).toEqual([404, { message: 'parent variant not found' }]);
    }
    expect((await add(id, { parentId: child.id })).status).toBe(201);
    const first = await add((await calls.experiment()).id, { parentId: child.id });
    expect(first.status, 'a parent where there is no baseline').toBe(404);
    expect(await read<unknown[]>(pathOf(id))).toHaveLength(3);
  });

  it('changes steps of the experiment only, if it names any', async () => {
    const experiment = await calls.experiment({ inferenceStepIds: [await calls.step('answer')] });
    const rejected = await add(experiment.id, { configPatch: { answer: {}, other: { k: 1 } } });
    expect([rejected.status, rejected.text]).toEqual([
      422,
      expect.stringContaining('["configPatch","other"]') as string,
    ]);
    const baseline = await calls.variant(experiment.id, { configPatch: { answer: { k: 1 } } });
    expect((await put(experiment.id, baseline.id, { configPatch: { other: {} } })).status).toBe(422);
    const free = await calls.experiment();
    expect((await add(free.id, { configPatch: { whatever: { k: 1 } } })).status).toBe(201);
  });

  it.each(['COMPLETED', 'ARCHIVED'])('adds nothing to an experiment that is %s', async (status) => {
    const { id, child } = await newFamily();
    set('experiment', id, status);
    expect((await add(id, { parentId: child.id })).status).toBe(409);
    expect(await read<unknown[]>(pathOf(id))).toHaveLength(2);
  });

  it('adds to an experiment that runs, which continues', async () => {
    const { id, baseline } = await newFamily();
    set('experiment', id, 'VARIANT_RUNNING');
    await calls.variant(id, { parentId: baseline.id });
    expect(await statusOf(id)).toBe('VARIANT_RUNNING');
  });

  it('adds up to 200', async () => {
    const { id, baseline } = await newFamily();
    besideServer(server.folder, (database) => {
      for (let n = 2; n < 200; n++)
        database.run(
          `INSERT INTO experiment_variant SELECT ? || substr(id, 9), application, experiment_id, title, description,
             status, config_patch, ?, started_at, created_at, modified_at FROM experiment_variant WHERE id = ?`,
          String(n).padStart(8, '0'),
          baseline.id,
          baseline.id,
        );
    });
    expect((await add(id, { parentId: baseline.id })).status).toBe(409);
    const { data, pagination } = await server.ok('GET', `${pathOf(id)}?limit=100&skip=100`);
    expect(data).toHaveLength(100);
    expect(pagination).toEqual({ skip: 100, limit: 100, total: 200, totalPages: 2, totalCount: 200 });
  });

  it('bounds the settings with those of all parents', async () => {
    const { id } = await calls.experiment();
    let parentId: string | null = null;
    for (const step of ['a', 'b', 'c', 'd']) {
      const configPatch = { [step]: { system: 'x'.repeat(49_900) } };
      parentId = (await calls.variant(id, { configPatch, parentId })).id;
    }
    const rejected = await add(id, { configPatch: { e: { system: 'x'.repeat(900) } }, parentId });
    expect([rejected.status, rejected.text]).toEqual([422, expect.stringContaining('"too_big"') as string]);
    const first = (await read<Variant[]>(`${pathOf(id)}?orderDir=asc`))[0] as Variant;
    await calls.variant(id, { configPatch: { e: { system: 'x'.repeat(280) } }, parentId });
    const longer = await put(id, first.id, {
      configPatch: { a: { system: 'x'.repeat(49_900), more: 'x'.repeat(60) } },
    });
    expect([longer.status, longer.text], 'a child would be too long').toEqual([
      422,
      expect.stringContaining('["configPatch"]') as string,
    ]);
  });

  const body = { title: 'v', configPatch: {} };
  const nested = (depth: number): unknown => (depth === 0 ? 0 : [nested(depth - 1)]);
  testHttp(
    () => server,
    (
      [
        ['a title in letters', { title: ' ' }, 'too_small', '["title"]'],
        ['parameters in an object', { configPatch: { a: 'large' } }, 'invalid_type', '["configPatch","a"]'],
        ['short names of parameters', { configPatch: { a: { ['x'.repeat(257)]: 1 } } }, 'too_big', '"a","xx'],
        ['short settings', { configPatch: { a: { b: 'x'.repeat(50_000) } } }, 'too_big', '["configPatch"]'],
        ['whole surrogates', { configPatch: { a: { b: '\ud800' } } }, 'custom', '["configPatch","a","b"]'],
        ['exact integers', { configPatch: { a: { b: 2 ** 53 } } }, 'custom', '["configPatch","a","b"]'],
        ['flat values', { configPatch: { a: { b: nested(125) } } }, 'custom', '["configPatch","a","b","0"'],
      ] as const
    ).map(([rule, fields, code, path]) => ({
      name: `needs ${rule}`,
      request: `POST ${pathOf(UNKNOWN)}` as const,
      body: { ...body, ...fields },
      status: 422,
      mustContain: [`"code":"${code}"`, path],
    })),
  );
  testHttp(
    () => server,
    [
      { name: 'needs an experiment', request: `POST ${pathOf(UNKNOWN)}`, body, status: 404 },
      { name: 'needs a body', request: `POST ${pathOf(UNKNOWN)}`, status: 400 },
      {
        name: 'takes no key __proto__',
        request: `POST ${pathOf(UNKNOWN)}`,
        body: '{"title":"v","configPatch":{"__proto__":{}}}',
        status: 400,
      },
    ],
  );
});

describe('PUT /v0/experiments/{id}/variants/{variantId}', () => {
  it('changes what is given, and what is built on it follows', async () => {
    const { id, baseline, child } = await newFamily();
    const changes = { title: 'after', description: 'Why', configPatch: { answer: { model: 'large' } } };
    const { status, json } = await put(id, baseline.id, { ...changes, experimentId: UNKNOWN });
    const { data } = json as { data: Variant };
    const { configPatch: config } = changes;
    expect([status, data]).toEqual([200, { ...baseline, ...changes, config, modifiedAt: data.modifiedAt }]);
    expect(await read(pathOf(id, baseline.id))).toEqual(data);
    expect(await read(pathOf(id, child.id))).toEqual({
      ...child,
      config: { answer: { model: 'large', seed: 2 } },
    });
    expect((await put(id, baseline.id, data)).status, 'what was read').toBe(200);
  });

  it('gives it another parent, never one that is built on it', async () => {
    const { id, baseline, child } = await newFamily();
    const sibling = await calls.variant(id, { configPatch: { find: { k: 1 } }, parentId: baseline.id });
    const grandchild = await calls.variant(id, { parentId: child.id });
    const moved = await put(id, child.id, { parentId: sibling.id });
    expect([moved.status, moved.json]).toMatchObject([
      200,
      { data: { config: { answer: { model: 'small', seed: 2 }, find: { k: 1 } } } },
    ]);
    expect(await read(pathOf(id, grandchild.id))).toMatchObject({ config: { find: { k: 1 } } });
    for (const [which, parentId] of [
      [sibling.id, sibling.id],
      [sibling.id, child.id],
      [sibling.id, grandchild.id],
      [child.id, null],
      [baseline.id, child.id],
      [baseline.id, baseline.id],
    ] as const) {
      const rejected = await put(id, which, { parentId });
      expect([rejected.status, rejected.text]).toEqual([
        422,
        expect.stringContaining('["parentId"]') as string,
      ]);
    }
    expect((await put(id, child.id, { parentId: UNKNOWN })).status).toBe(404);
    expect((await read<Variant>(pathOf(id, child.id))).parentId).toBe(sibling.id);
  });

  it('keeps the settings that something has run with', async () => {
    const { id, baseline, child } = await newFamily();
    const late = await calls.variant(id, { parentId: child.id });
    besideServer(server.folder, (database) => {
      database.run('UPDATE experiment_variant SET started_at = 1 WHERE id = ?', child.id);
    });
    for (const [which, body] of [
      [child, { configPatch: {} }],
      [child, { parentId: late.id }],
      [baseline, { configPatch: {} }],
    ] as const) {
      const rejected = await put(id, which.id, { title: 'never', ...body });
      expect([rejected.status, rejected.text]).toEqual([409, expect.stringContaining('has run') as string]);
      expect(await read(pathOf(id, which.id))).toEqual(which);
    }
    const { configPatch, parentId } = child;
    expect((await put(id, child.id, { title: 'after', configPatch, parentId })).status).toBe(200);
    expect((await put(id, late.id, { configPatch: { find: { k: 1 } }, parentId: baseline.id })).status).toBe(
      200,
    );
  });

  /** By hand: what a variant may become, in each state; the state itself may always be named. */
  const BY_HAND: Record<string, string[]> = {
    DRAFT: ['PENDING', 'REJECTED'],
    PENDING: ['DRAFT', 'REJECTED'],
    RUNNING: [],
    COMPLETED: ['REJECTED'],
    FAILED: ['REJECTED'],
    REJECTED: [],
  };
  it.each(VARIANT_STATUSES)('sets the status by hand in %s', async (from) => {
    const { id, baseline, child } = await newFamily();
    for (const [variantId, expected] of [
      [child.id, BY_HAND[from]],
      [baseline.id, BY_HAND[from]?.filter((status) => status !== 'REJECTED')],
    ] as const) {
      const allowed: string[] = [];
      for (const to of VARIANT_STATUSES) {
        set('experiment_variant', variantId, from);
        const { status } = await put(id, variantId, { status: to });
        expect([200, 409]).toContain(status);
        expect((await read<Variant>(pathOf(id, variantId))).status).toBe(status === 200 ? to : from);
        if (status === 200 && to !== from) allowed.push(to);
      }
      expect(allowed).toEqual(expected);
    }
  });
});

it.each([
  ['POST', ''],
  ['GET', ''],
  ['GET', '/{variant}'],
  ['PUT', '/{variant}'],
  ['POST', '/{variant}/run'],
])('%s …/variants%s finds nothing of others', async (method, end) => {
  const [ours, strange] = [await newFamily(), await newFamily()];
  const body = end.endsWith('/run') ? {} : { body: { title: 'theirs', configPatch: {} } };
  const call = method === 'GET' ? {} : body;
  const at = (experimentId: string, variantId: string): string =>
    pathOf(experimentId) + end.replace('{variant}', variantId);
  const [experiment, variant] = [{ message: 'experiment not found' }, { message: 'variant not found' }];
  const replies = [
    [await server.call(method, at(ours.id, ours.child.id), { ...call, headers: other.headers }), experiment],
    [await server.call(method, at(UNKNOWN, ours.child.id), call), experiment],
    ...(end === ''
      ? []
      : ([
          [await server.call(method, at(ours.id, UNKNOWN), call), variant],
          [await server.call(method, at(ours.id, strange.child.id), call), variant],
        ] as const)),
  ] as const;
  for (const [{ status, json }, expected] of replies) expect([status, json]).toEqual([404, expected]);
  expect(await read(pathOf(ours.id, ours.child.id))).toEqual(ours.child);
  expect(await read<unknown[]>(pathOf(ours.id))).toHaveLength(2);
});

describe('GET /v0/experiments/{id}/variants', () => {
  let id: string;
  const list = async (query: string): Promise<{ data: Variant[]; pagination: unknown }> => {
    return server.ok('GET', `${pathOf(id)}?${query}`);
  };
  beforeAll(async () => {
    await newFamily();
    ({ id } = await calls.experiment());
    const { id: parentId } = await calls.variant(id, { title: 'b' });
    for (const [title, status] of [
      ['a', 'DRAFT'],
      ['d', 'PENDING'],
      ['c', 'DRAFT'],
    ])
      await calls.variant(id, { title, status, parentId });
  });

  it.each([
    ['', 'cdab'],
    ['orderBy=title&orderDir=asc', 'abcd'],
    ['orderBy=title&orderDir=asc&skip=1&limit=2', 'bc'],
    ['orderBy=status&limit=1', 'd'],
    ['skip=4', ''],
  ])('takes ?%s', async (query, expected) => {
    expect((await list(query)).data.map(({ title }) => title).join('')).toBe(expected);
  });
});
