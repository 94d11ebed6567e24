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
    database.run('UPDATE note SET content = :secret WHERE application = :application', {
      application,
      secret: SECRET,
    });
    // What a reviewer wrote is the expected output of an example.
    database.run(
      `UPDATE example SET expected = :expected, trace_id = (
         SELECT trace_id FROM annotation_queue_item WHERE application = :application LIMIT 1)
       WHERE application = :application`,
      { application, expected: JSON.stringify(SECRET) },
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
  'listNotes',
  'listTests',
  'streamTest',
  'downloadEvidence',
  'downloadExamples',
  'getExample',
  'getNote',
  'listExampleVersions',
  'listExamples',
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

  const get = async (address: string, headers: Record<string, string>, body?: object) => {
    const [path = '', query = ''] = address.split('?');
    const request = {
      method: body === undefined ? 'GET' : 'POST',
      path,
      query: new URLSearchParams(query),
      headers: {},
      body,
      isForm: false,
    };
    return sendCall(server.url, request, headers);
  };
  const recordOf = ({ json }: { json: unknown }): Record<string, unknown> => {
    const { data, run, task } = json as Record<'data' | 'run' | 'task', Record<string, unknown>>;
    return data ?? run ?? task;
  };

  it('is in no rate of its run, its run set and its task, of which it may be the only one', async () => {
    const { run, runSet, task } = own.ids;
    for (const path of [`/v0/runs/${run}`, `/v0/run-sets/${runSet}`]) {
      const [hidden, shown] = await Promise.all([get(path, reviewer), get(path, viewer)]);
      const { total } = recordOf(shown)['result'] as { total: number };
      if (path.includes(`/runs/${run}`)) expect(total, 'control').toBeGreaterThan(0);
      expect(recordOf(hidden), path).toMatchObject({
        withheld: true,
        result: { passed: 0, failed: 0, total: 0, passRate: null },
      });
      expect(recordOf(shown), path).not.toHaveProperty('withheld');
    }
    expect(recordOf(await get(`/v0/runs/${run}`, reviewer))).toMatchObject({
      evals: [],
      passRateInterval: null,
      outcomeInterval: null,
      outcomes: { passed: 0, failed: 0 },
    });
    expect(recordOf(await get(`/v0/tasks/${task}`, reviewer))).toMatchObject({
      withheld: true,
      passRate: null,
      combined: { passed: 0, evaluations: 0, passRate: null },
    });
    const facets = async (headers: Record<string, string>) =>
      (
        (await get(`/v0/results?side=run:${run}`, headers)).json as {
          facets: { definitions: { passed: number; failed: number; none: number }[] };
        }
      ).facets.definitions;
    const sum = (counts: { passed: number; failed: number }[]): number =>
      counts.reduce((all, { passed, failed }) => all + passed + failed, 0);
    expect(sum(await facets(viewer)), 'control').toBeGreaterThan(0);
    expect(sum(await facets(reviewer))).toBe(0);
  });

  it('is in no comparison and no decision: these are rejected', async () => {
    const { run, runSet } = own.ids;
    const sides = { baseline: { runIds: [run] }, candidates: [{ runIds: [run] }] };
    for (const [headers, status] of [
      [reviewer, 409],
      [viewer, 200],
    ] as const) {
      expect((await get('/v0/runs/compare', headers, sides)).status).toBe(status);
      expect((await get(`/v0/run-sets/${runSet}/decision`, headers)).status).toBe(status);
    }
    expect((await get(`/v0/tasks/${own.ids.task}/examples/export?format=jsonl`, reviewer)).status).toBe(409);
  });

  it('stays in an example that its reviewer sends back as it was read', async () => {
    const path = `/v0/tasks/${own.ids.task}/examples/${own.ids.example}`;
    const read = recordOf(await get(path, reviewer));
    expect(read).toMatchObject({ expected: null });
    const put = { method: 'PUT', path, query: new URLSearchParams(), headers: {}, isForm: false };
    const sent = await sendCall(server.url, { ...put, body: read }, reviewer);
    expect([sent.status, sent.text]).toEqual([409, expect.stringContaining('leave `expected` out')]);
    expect((await sendCall(server.url, { ...put, body: { split: 'dev' } }, reviewer)).status).toBe(200);
    expect(recordOf(await get(path, viewer))).toMatchObject({ expected: SECRET, split: 'dev' });
  });

  it('is in no note, issue and occurrence', async () => {
    const { note, issue } = own.ids;
    expect(recordOf(await get(`/v0/notes/${note}`, reviewer))).toMatchObject({
      withheld: true,
      text: '',
      issueId: null,
    });
    const totalOf = async (path: string, headers: Record<string, string>): Promise<number> =>
      ((await get(path, headers)).json as { pagination: { total: number } }).pagination.total;
    for (const path of [
      `/v0/issues/${issue}/occurrences`,
      `/v0/notes?issueId=${issue}`,
      '/v0/traces?q=has:note',
      '/v0/traces?q=has:issue',
      `/v0/traces?q=issue:${issue}`,
      `/v0/traces?issueId=${issue}`,
      `/v0/tests?issueId=${issue}`,
      `/v0/sessions?q=has:issue`,
      `/v0/results?side=run:${own.ids.run}&issueId=${issue}`,
    ]) {
      expect(await totalOf(path, viewer), path).toBeGreaterThan(0);
      expect(await totalOf(path, reviewer), path).toBe(0);
    }
  });

  it('is in no count, time and reference of an issue', async () => {
    const { issue, trace } = own.ids;
    const shown = recordOf(await get(`/v0/issues/${issue}`, viewer)) as { linkCount: number };
    expect(shown.linkCount, 'control').toBeGreaterThan(0);
    const listed = async (headers: Record<string, string>) =>
      (
        (await get('/v0/issues', headers)).json as {
          data: { id: string; linkCount: number; daily: { count: number }[]; firstSeenAt: string | null }[];
        }
      ).data;
    const named = await sendCall(
      server.url,
      {
        method: 'POST',
        path: '/v0/issues',
        query: new URLSearchParams(),
        headers: {},
        body: { source: 'API', title: 'By its reviewer', traceId: trace },
        isForm: false,
      },
      reviewer,
    );
    expect(recordOf(named)).toMatchObject({ linkCount: 0, traceId: null, frequency: { count: 0 } });
    for (const one of await listed(reviewer)) {
      expect(one).toMatchObject({ linkCount: 0, frequency: { kind: 'COUNT', count: 0 }, firstSeenAt: null });
      expect(one).toMatchObject({ traceId: null, testId: null, annotationId: null });
      expect(one.daily.every(({ count }) => count === 0)).toBe(true);
    }
    expect((await listed(viewer)).filter(({ linkCount }) => linkCount > 0).length).toBeGreaterThan(1);
    expect(recordOf(await get(`/v0/issues/${issue}`, reviewer))).toMatchObject({ linkCount: 0 });
  });

  it('is in no issue, however many traces are under review', async () => {
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, server.applicationId);
      database.run(
        `INSERT INTO annotation_queue_item (id, application, queue_id, trace_id, selection, expires_at, created_at)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10001)
         SELECT printf('00000000-0000-4000-8000-%012d', n), :application, queue.id, CAST(printf('%016d', n) AS BLOB),
           'MANUAL', queue.expires, 0
         FROM numbers, (SELECT queue_id AS id, max(expires_at) AS expires FROM annotation_queue_item
           WHERE application = :application) AS queue`,
        { application },
      );
    });
    try {
      expect(recordOf(await get(`/v0/issues/${own.ids.issue}`, reviewer))).toMatchObject({ linkCount: 0 });
    } finally {
      besideServer(server.folder, (database) => {
        const application = applicationKey(database, server.applicationId);
        database.run(
          `DELETE FROM annotation_queue_item WHERE application = :application AND id LIKE '00000000-0000-4000-8000-%'`,
          { application },
        );
      });
    }
  });

  it('is in no evidence that an issue is resolved', async () => {
    const stateOf = async (headers: Record<string, string>) => {
      const { json } = await get(`/v0/issues/${own.ids.issue}/evidence`, headers);
      return (json as { data: { kind: string; withheld?: boolean }[] }).data
        .filter(({ withheld }) => withheld === true)
        .map(({ kind }) => kind);
    };
    expect(await stateOf(viewer)).toEqual([]);
    expect(await stateOf(reviewer)).toEqual(['EXAMPLES_PASS']);
    const { runSet } = own.ids;
    expect((await get(`/v0/run-sets/${runSet}/issues`, viewer)).status).toBe(200);
    expect((await get(`/v0/run-sets/${runSet}/issues`, reviewer)).status).toBe(409);
  });

  it('counts in no entry of what needs attention', async () => {
    const found = async (headers: Record<string, string>) =>
      ((await get('/v0/attention', headers)).json as { data: { kind: string }[] }).data.filter(
        ({ kind }) => kind === 'ISSUE_WITHOUT_EVALUATOR',
      ).length;
    besideServer(server.folder, (database) =>
      database.run(
        'UPDATE issue SET link_count = link_count + 1 WHERE application = :application AND id = :issue',
        { application: applicationKey(database, server.applicationId), issue: own.ids.issue },
      ),
    );
    expect(await found(viewer), 'control').toBeGreaterThan(0);
    expect(await found(reviewer)).toBe(0);
  });

  it('is withheld from the response to a write too', async () => {
    const { task } = own.ids;
    const put = {
      method: 'PUT',
      path: `/v0/tasks/${task}`,
      query: new URLSearchParams(),
      headers: {},
      body: { title: 'Renamed' },
      isForm: false,
    };
    expect(recordOf(await sendCall(server.url, put, reviewer))).toMatchObject({
      title: 'Renamed',
      withheld: true,
      passRate: null,
    });
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
    '/v0/tasks?status=success,warning,error',
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

  it.each(['human_annotation', 'eval', 'test', 'task', 'topic'])(
    'is in no report of %s',
    async (datasource) => {
      const body = {
        datasource,
        groupBy: [{ column: 'id' }],
        measurements: [{ as: 'n', aggregation: datasource === 'human_annotation' ? 'count' : 'passRate' }],
      };
      const judged = async (headers: Record<string, string>) => {
        const { json, text, status } = await get('/v0/reporting/query', headers, body);
        expect(status, text).toBe(200);
        return (json as { data: { values: { n: number | null } }[] }).data.filter(
          ({ values }) => values.n !== null,
        );
      };
      expect((await judged(viewer)).length, 'control').toBeGreaterThan(0);
      expect(await judged(reviewer)).toEqual([]);
    },
  );
});
