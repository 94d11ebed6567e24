import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, apiCalls, exampleOf, sendCall } from '../support/api-calls.ts';
import { besideServer } from '../support/beside-store.ts';
import { addPerson } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { applicationKey } from '../support/stored-tests.ts';
import {
  createTenantFixture,
  FIXTURE_SETTINGS,
  type Outside,
  startOutside,
  type TenantFixture,
} from '../support/tenant-fixture.ts';

/** Text of every verdict on the traces under review, in the reason, the critique and the answer of the judge. */
const SECRET = 'withheldsecretverdict';

let server: TestServer;
let outside: Outside;
let own: TenantFixture;
let reviewer: Record<string, string>;
let viewer: Record<string, string>;

beforeAll(async () => {
  server = await startServer({ config: FIXTURE_SETTINGS });
  outside = await startOutside();
  own = await createTenantFixture(server, server, outside);
  const people = (['admin', 'viewer'] as const).map((role) => addPerson(server, server, { role }));
  [reviewer, viewer] = people.map(({ headers }) => ({ ...headers })) as [typeof reviewer, typeof viewer];
  const ok = (path: string, body: object) => server.call('POST', path, { body });
  const queue = await ok('/v0/human-annotation-queues', {
    title: 'Blind',
    isBlind: true,
    reviewerIds: [people[0]?.id],
  });
  const { id: queueId } = (queue.json as { data: { id: string } }).data;
  const traces = (await server.call('GET', '/v0/traces?limit=100')).json as { data: { id: string }[] };
  for (const { id: traceId } of traces.data) {
    await ok('/v0/human-annotation-queue-items', { queueId, traceId });
    const verdict = { verdict: false, critique: `It is wrong: ${SECRET}`, correctedOutput: SECRET };
    await ok('/v0/human-annotations', { traceId, ...verdict, annotatorId: 'bob', source: 'TRACE_PAGE' });
  }
  besideServer(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    database.run(
      `UPDATE eval SET reason = :secret, passed = 0, results = json_object('why', :secret), judge = json_object('raw', :secret)
       WHERE application = :application`,
      { application, secret: SECRET },
    );
    database.run(
      `UPDATE judge_call SET raw = :secret WHERE application = :application
       AND subject_id IN (SELECT id FROM eval WHERE application = :application)`,
      { application, secret: SECRET },
    );
    database.run(
      "UPDATE test_result SET outcome = 'FAILED', cause = :secret WHERE application = :application",
      { application, secret: SECRET },
    );
  });
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

const isRead = ({ method, scope }: ApiCall): boolean =>
  scope !== null && (method === 'GET' || (method === 'POST' && scope === 'read'));

async function answered(call: ApiCall, headers: Record<string, string>) {
  const request = exampleOf(call, own.ids, own.texts);
  const format = call.operation.parameters?.find(({ name }) => name === 'format');
  if (format && call.path !== '/v0/traces/export') request.query.set('format', 'jsonl');
  return sendCall(server.url, request, headers);
}

/** Calls whose answer has a verdict on a trace, or what follows from one. */
const WITH_VERDICTS = [
  'getEval',
  'getTask',
  'getTest',
  'downloadResults',
  'downloadTests',
  'listAnnotations',
  'listEvals',
  'listJudgeCalls',
  'listResults',
  'listTasks',
  'listTests',
  'streamTest',
];

describe('a verdict on a trace', () => {
  it.each(apiCalls.filter(isRead).map((call) => [call.name, call] as const))(
    'is withheld from its reviewer by %s',
    async (_name, call) => {
      const { text, status } = await answered(call, reviewer);
      expect(status).not.toBe(500);
      expect(text).not.toContain(SECRET);
      expect(text).not.toMatch(/"outcome":"FAILED","(?:outcomeBasis|causeKey)"/);
    },
  );

  it('is shown to others by all calls that have verdicts', async () => {
    const found: string[] = [];
    for (const call of apiCalls.filter(isRead))
      if ((await answered(call, viewer)).text.includes(SECRET)) found.push(call.operation.operationId);
    expect(found.toSorted()).toEqual(WITH_VERDICTS.toSorted());
  });

  it('says that it is withheld', async () => {
    const data = async (path: string) =>
      (
        (
          await sendCall(
            server.url,
            {
              method: 'GET',
              path,
              query: new URLSearchParams(),
              headers: {},
              body: undefined,
              isForm: false,
            },
            reviewer,
          )
        ).json as { data: object[] }
      ).data;
    for (const path of ['/v0/evals', '/v0/human-annotations', '/v0/tests'])
      for (const record of await data(path)) expect(record, path).toMatchObject({ withheld: true });
  });

  /** Filters that would show the verdict by what they find. */
  it.each([
    '/v0/evals?passed=false',
    '/v0/human-annotations?verdict=false',
    '/v0/tests?outcome=FAILED',
    `/v0/tests?causeKey=${SECRET}`,
    '/v0/tests?q=verdict:fail',
    '/v0/tests?q=outcome:FAILED',
    '/v0/traces?q=verdict:fail',
    '/v0/traces?q=human:fail',
    '/v0/traces?q=outcome:FAILED',
    '/v0/sessions?q=human:fail',
    '/v0/results?side=run:RUN&outcome=FAILED',
    '/v0/results?side=run:RUN&q=verdict:fail',
  ])('is not found by %s', async (address) => {
    const [path = '', query = ''] = address.replace('RUN', own.ids.run).split('?');
    const found = async (headers: Record<string, string>) => {
      const request = {
        method: 'GET',
        path,
        query: new URLSearchParams(query),
        headers: {},
        body: undefined,
        isForm: false,
      };
      const { status, json, text } = await sendCall(server.url, request, headers);
      expect(status, text).toBe(200);
      return (json as { pagination: { total: number } }).pagination.total;
    };
    expect(await found(viewer), 'control').toBeGreaterThan(0);
    expect(await found(reviewer)).toBe(0);
  });

  it.each(['human_annotation', 'eval', 'test'])('is in no report of %s', async (datasource) => {
    const body = {
      datasource,
      groupBy: [{ column: 'id' }],
      measurements: [{ as: 'n', aggregation: 'count' }],
    };
    const request = {
      method: 'POST',
      path: '/v0/reporting/query',
      query: new URLSearchParams(),
      headers: {},
      body,
      isForm: false,
    };
    const { json, text, status } = await sendCall(server.url, request, reviewer);
    expect(status, text).toBe(200);
    expect(json).toMatchObject({ data: [] });
  });
});
