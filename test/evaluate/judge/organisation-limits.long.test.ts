import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JudgedEvaluator } from '../../../src/evaluate/evaluator.ts';
import { evaluatorOf } from '../../../src/evaluate/evaluators.ts';
import { judgeCostsByOrganisation } from '../../../src/evaluate/judge/call-store.ts';
import type { OrganisationCostLimits } from '../../../src/evaluate/judge/judge.ts';
import type { JudgedEval } from '../../../src/evaluate/judge/judges.ts';
import { withDefaults } from '../../../src/resources/applications/contract.ts';
import { insertApplication } from '../../../src/resources/applications/store.ts';
import { defining } from '../../resources/definition-support.ts';
import { type CustomerApp, startCustomerApp } from '../../support/customer-app.ts';
import { appliedDefinition, subjectOf } from '../../support/judged.ts';
import { CALL_COST, judgeOf, openJudges } from '../../support/judges.ts';
import { jsonRequest, jsonSpan, newSpanId } from '../../e2e/otlp-sender.ts';
import { startServer, type Tenant as Client, type TestServer } from '../../support/server.ts';
import { type StandInJudge, startStandInJudge } from '../../support/stand-in-judge.ts';
import { Tenant, useStore } from '../../support/storage.ts';

const YES = { rationale: 'It says 30.', verdict: 'yes' };

let model: StandInJudge;
beforeEach(async () => {
  model = await startStandInJudge(() => ({ say: YES }));
});
afterEach(() => model[Symbol.asyncDispose]());

describe('a limit of the cost of an organisation', () => {
  const { database } = useStore();
  let now = Date.UTC(2026, 0, 10, 12);

  /** Creates an application; returns a function that judges one of its evals with these limits. */
  function application(orgId: string) {
    const fields = withDefaults({ title: 'A', type: 'AGENT' });
    const tenant = new Tenant(
      database(),
      insertApplication(database(), { id: randomUUID(), orgId, fields, at: now }),
    );
    return async (limits: OrganisationCostLimits, judged: JudgedEval = waiting(tenant)) => {
      const judges = openJudges(database(), [judgeOf(model.openAi)], {}, () => now, {
        organisationLimits: limits,
      });
      const { verdict } = await judges.evaluate(
        appliedDefinition('CUSTOM'),
        subjectOf(),
        evaluatorOf('CUSTOM') as JudgedEvaluator,
        judged,
        { signal: new AbortController().signal },
      );
      return verdict;
    };
  }
  const waiting = ({ application: key }: Tenant): JudgedEval => ({
    application: key,
    subjectId: randomUUID(),
    runId: null,
  });

  const DAY = { perDay: 2 * CALL_COST, perMonth: null };
  const MONTH = { perDay: null, perMonth: 2 * CALL_COST };
  it.each([
    ['day', DAY, Date.UTC(2026, 0, 11)],
    ['month', MONTH, Date.UTC(2026, 1, 1)],
  ])(
    'for a %s skips the evals of all its applications until the next one, and no others',
    async (of, limits, next) => {
      now = Date.UTC(2026, 0, 10, 12);
      const orgId: string = randomUUID();
      const [first, second, other] = [application(orgId), application(orgId), application(randomUUID())];
      expect((await first(limits)).status).toBe('COMPLETED');
      expect((await second(limits)).status).toBe('COMPLETED');
      const reason = `the cost limit of the organisation for the ${of} is reached`;
      for (const judge of [first, second]) expect(await judge(limits)).toEqual({ status: 'SKIPPED', reason });
      expect((await other(limits)).status).toBe('COMPLETED');
      expect(model.requests).toHaveLength(3);
      now = next - 1;
      expect((await first(limits)).status).toBe('SKIPPED');
      now = next;
      expect((await first(limits)).status).toBe('COMPLETED');
    },
  );

  it('is compared with the cost of the day and of the month so far', async () => {
    now = Date.UTC(2026, 5, 1, 12);
    const orgId: string = randomUUID();
    const otherId: string = randomUUID();
    const judge = application(orgId);
    const none = { perDay: null, perMonth: null };
    await judge(none);
    now = Date.UTC(2026, 5, 30, 23);
    await judge(none);
    await application(otherId)(none);
    const costs = judgeCostsByOrganisation(database(), { at: now });
    const rounded = costs
      .filter((cost) => [orgId, otherId].includes(cost.orgId))
      .map(({ orgId: id, day, month }) => [id, day.toFixed(4), month.toFixed(4)]);
    expect(new Set(rounded)).toEqual(
      new Set([
        [orgId, CALL_COST.toFixed(4), (2 * CALL_COST).toFixed(4)],
        [otherId, CALL_COST.toFixed(4), CALL_COST.toFixed(4)],
      ]),
    );
    expect(judgeCostsByOrganisation(database(), { at: Date.UTC(2026, 6, 1) })).toEqual([]);
  });
});

describe('tests of an organisation that has reached its limit', () => {
  let folder: string;
  let server: TestServer;
  let app: CustomerApp;
  let dear: StandInJudge;
  beforeAll(async () => {
    dear = await startStandInJudge(() => ({ say: YES }));
    folder = mkdtempSync(join(tmpdir(), 'touchstone-judges-'));
    const judgesFile = join(folder, 'judges.json');
    const prices = { input: 1_000, output: 0 };
    const judge = { provider: 'openai-compatible', baseUrl: dear.openAi, model: 'judge-1', prices };
    writeFileSync(judgesFile, JSON.stringify({ judges: { first: judge } }));
    server = await startServer({ config: { quietMs: 200, judgesFile, organisationJudgeDollarsPerDay: 1 } });
    app = await startCustomerApp();
  });
  afterAll(async () => {
    await server.close();
    await app.close();
    await dear[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  interface Outcome {
    test: string;
    evals: { status: string; reason: string | null }[];
  }

  /** Runs a test with a judged definition; returns its status and that of its evals. */
  async function run({ headers }: Client): Promise<Outcome> {
    const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
      (await server.call(method, path, { headers, ...(body && { body }) })).json as T;
    await call('POST', '/v0/webhook', { url: app.url });
    app.behave((request, response) => {
      const [, trace = '', parentSpanId] = String(request.headers['traceparent']).split('-');
      const attributes = [{ key: 'output.value', value: { stringValue: 'Within 30 days.' } }];
      const span = jsonSpan(trace, 'answer', { spanId: newSpanId(), parentSpanId, attributes });
      void call('POST', '/v1/traces', jsonRequest(span)).then(() => response.writeHead(200).end());
    });
    const task = await defining(server, headers).task();
    const definition = await defining(server, headers).definition({
      type: 'CUSTOM',
      globalConfig: { criterion: 'It names a number.' },
    });
    await defining(server, headers).link('link', { evalIds: [definition.id], taskIds: [task.id] });
    await call('POST', '/v0/tasks/trigger', { taskIds: [task.id] });
    const read = async (): Promise<Outcome> => {
      const query = `taskId=${task.id}`;
      const tests = await call<{ data: { id: string; status: string }[] }>('GET', `/v0/tests?${query}`);
      const evals = await call<{ data: { testId: string; status: string; reason: string | null }[] }>(
        'GET',
        `/v0/evals?testId=${tests.data[0]?.id}`,
      );
      return {
        test: tests.data[0]?.status ?? '',
        evals: evals.data.map(({ status, reason }) => ({ status, reason })),
      };
    };
    await expect.poll(async () => (await read()).test).toMatch(/COMPLETED|FAILED/);
    return read();
  }

  it('complete with skipped evals, which say why; those of others are judged', async () => {
    const sibling = await server.newTenant();
    const neighbour = await server.newTenant({ orgId: 'org-2' });
    expect(await run(server)).toMatchObject({ test: 'COMPLETED', evals: [{ status: 'COMPLETED' }] });
    for (const client of [server, sibling])
      expect(await run(client)).toEqual({
        test: 'COMPLETED',
        evals: [{ status: 'SKIPPED', reason: 'the cost limit of the organisation for the day is reached' }],
      });
    expect(await run(neighbour)).toMatchObject({ test: 'COMPLETED', evals: [{ status: 'COMPLETED' }] });
    expect(dear.requests).toHaveLength(2);

    const { text } = await server.call('GET', '/metrics');
    expect(text).toContain('touchstone_organisation_judge_cost_dollars_total{organisation="org-1"} 1');
    expect(text).toContain(
      'touchstone_organisation_quota_usage_ratio{organisation="org-1",quota="judgeDollarsOfDay"} 1',
    );
  });
});
