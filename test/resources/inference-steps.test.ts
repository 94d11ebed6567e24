import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateInferenceStepBody, InferenceStep } from '../../src/api/generated/schema.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';

const PATH = '/v0/inference-steps';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

type Headers = Readonly<Record<string, string>>;

async function create(given: object, headers: Headers = {}) {
  const body = given as CreateInferenceStepBody;
  return (await server.ok('POST', PATH, { body, headers })).data;
}

describe('POST /v0/inference-steps', () => {
  it('fills in defaults', async () => {
    const step = await create({ type: 'LLM', externalId: ' answer 🙂 ', title: ' Answer ' });
    expect(step).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: step.createdAt,
      type: 'LLM',
      externalId: ' answer 🙂 ',
      title: 'Answer',
      description: null,
    });
    expect((await server.call('GET', `${PATH}/${step.id.toUpperCase()}`)).json).toEqual({ data: step });
  });

  it('takes all fields', async () => {
    const body = { type: 'RETRIEVER', externalId: 'x'.repeat(255), title: 'x', description: 'Finds.' };
    expect(await create(body)).toMatchObject(body);
  });

  it('takes each name once in an application', async () => {
    const body = { type: 'LLM', externalId: 'twice', title: 'x' };
    await create(body);
    const again = await server.call('POST', PATH, { body: { ...body, type: 'RETRIEVER' } });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('externalId') as string]);
    await create({ ...body, externalId: 'Twice' });
    await create(body, other.headers);
  });

  const valid = { type: 'LLM', externalId: 'refused', title: 'x' };
  testHttp(
    () => server,
    (
      [
        ['a name that can be sent', { externalId: '\ud800' }, 'invalid_string', 'externalId'],
        ['a title in letters', { title: ' ' }, 'too_small', 'title'],
      ] as const
    ).map(([rule, fields, code, field]) => ({
      name: `needs ${rule}`,
      request: `POST ${PATH}` as const,
      body: { ...valid, ...fields },
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );

  it('makes nothing of what it rejects', async () => {
    expect((await server.call('GET', `${PATH}?limit=100`)).text).not.toContain('refused');
  });
});

describe('GET /v0/inference-steps', () => {
  let tenant: Tenant;
  const list = async (query: string): Promise<{ data: InferenceStep[]; pagination: unknown }> => {
    return server.ok('GET', `${PATH}?${query}`, { headers: tenant.headers });
  };
  beforeAll(async () => {
    tenant = await server.newTenant();
    for (const [title, type, externalId] of [
      ['b', 'LLM', '3'],
      ['c', 'RETRIEVER', '1'],
      ['a', 'LLM', '4'],
      ['a', 'LLM', '2'],
    ])
      await create({ title, type, externalId }, tenant.headers);
  });

  it.each([
    ['orderBy=title&orderDir=asc', 'aabc'],
    ['orderBy=title&orderDir=asc&skip=1&limit=2', 'ab'],
    ['orderBy=type&limit=1', 'c'],
    ['orderBy=externalId', 'abac'],
    ['skip=4', ''],
  ])('takes ?%s', async (query, expected) => {
    expect((await list(query)).data.map(({ title }) => title).join('')).toBe(expected);
  });
});
