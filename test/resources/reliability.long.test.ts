import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { Reliability } from '../../src/resources/definitions/reliability-contract.ts';
import { parseId } from '../../src/traces/ids.ts';
import { type HttpCase, testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import { evalOf, verdict } from '../support/stored-evals.ts';
import { storeRun, type StoredRun, storeTask, storeTest } from '../support/stored-tests.ts';
import { annotating, CRITIQUE } from './annotation-support.ts';
import { defining, UNKNOWN } from './definition-support.ts';
import { judging } from './reliability-support.ts';

let server: TestServer;
let other: Tenant;
const RUN: StoredRun = { id: uuid(0x3001), taskId: uuid(0x1001), createdAt: BASE_MS };

let tools: ReturnType<typeof judging>;
beforeAll(async () => {
  server = await startServer();
  tools = judging(server);
  other = await server.newTenant();
  tools.inStore((database, application) => {
    storeTask(database, application, RUN.taskId);
    storeRun(database, application, RUN);
  });
});
afterAll(() => server.close());

async function reliabilityOf(id: string, query = ''): Promise<Reliability> {
  return (await server.ok('GET', `/v0/definitions/${id}/reliability?${query}`)).data;
}

const NOTHING: Omit<Reliability, 'definitionId'> = {
  version: 1,
  judgeVersion: null,
  isAdvisory: true,
  gate: null,
  verdicts: { compared: 0, tied: 0, settled: 0, unjudged: 0, random: 0, missing: 30 },
  confusion: { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 },
  agreement: null,
  kappa: null,
  annotators: { traces: 0, alpha: null, fleissKappa: null, people: [], pairs: [] },
  truePositiveRate: null,
  trueNegativeRate: null,
  correctedPassRate: null,
  refusal: {
    code: 'TOO_FEW_VERDICTS',
    message: '30 human verdicts on traces drawn at random are required; so far: 0.',
  },
};
const near = (value: number): number => expect.closeTo(value, 2) as number;

describe('GET /v0/definitions/{id}/reliability', () => {
  it('has no value before a person has judged', async () => {
    const id = await tools.newDefinition({ isOverall: false });
    expect(await reliabilityOf(id)).toEqual({ definitionId: id, ...NOTHING });
  });

  it('compares evals of traces with what people say of these', async () => {
    const { id, traceIds } = await tools.reported(22, 2, 4, 11);
    const more = await tools.traces(61);
    tools.judge({ definitionId: id, traceIds: more, passed: more.map((_trace, i) => i < 40) });
    expect(traceIds).toHaveLength(39);
    expect(await reliabilityOf(id)).toEqual({
      definitionId: id,
      version: 1,
      annotators: {
        traces: 0,
        alpha: null,
        fleissKappa: null,
        people: expect.any(Array) as never,
        pairs: expect.any(Array) as never,
      },
      judgeVersion: null,
      isAdvisory: true,
      gate: null,
      verdicts: { compared: 39, tied: 0, settled: 0, unjudged: 0, random: 39, missing: 0 },
      confusion: { truePositives: 22, falsePositives: 2, falseNegatives: 4, trueNegatives: 11 },
      agreement: { rate: 84.6153846154, low: near(70.27), high: near(92.75) },
      kappa: { value: 0.666666666667, low: near(0.357), high: near(0.848) },
      truePositiveRate: { rate: 84.6153846154, low: near(66.47), high: near(93.85) },
      trueNegativeRate: { rate: 84.6153846154, low: near(57.77), high: near(95.67) },
      // (40/61 + 11/13 − 1) / (22/26 + 11/13 − 1).
      correctedPassRate: {
        rate: near(72.495),
        low: near(45.91),
        high: near(98.97),
        isClamped: false,
        judged: 61,
        judgedPassRate: 65.5737704918,
      },
      refusal: null,
    });
  });

  it('counts what people say through the API', async () => {
    const { annotation } = annotating(server);
    const id = await tools.newDefinition();
    const [traceId] = (await tools.traces(1)) as [string];
    tools.judge({ definitionId: id, traceIds: [traceId], passed: [false] });
    await annotation({ traceId, verdict: false, critique: CRITIQUE });
    expect((await reliabilityOf(id)).confusion.trueNegatives).toBe(1);
  });

  it('takes of each person the newest verdict, and of these the majority', async () => {
    const id = await tools.newDefinition();
    const [changed, outvoted, tied] = (await tools.traces(3)) as [string, string, string];
    tools.judge({ definitionId: id, traceIds: [changed, outvoted, tied], passed: [true, true, true] });
    tools.say(
      { traceId: changed, verdict: false },
      { traceId: changed, verdict: true },
      { traceId: outvoted, verdict: true, annotatorId: 'ann' },
      { traceId: outvoted, verdict: false, annotatorId: 'ben' },
      { traceId: outvoted, verdict: false, annotatorId: 'cem' },
      { traceId: tied, verdict: true, annotatorId: 'ann' },
      { traceId: tied, verdict: false, annotatorId: 'ben' },
    );
    expect(await reliabilityOf(id)).toMatchObject({
      verdicts: { compared: 3, tied: 1, settled: 1 },
      confusion: { truePositives: 1.5, falsePositives: 1.5, falseNegatives: 0, trueNegatives: 0 },
    });
  });

  it('compares evals of tests with what people say of their traces, each eval once', async () => {
    const id = await tools.newDefinition();
    const test = { id: randomUUID(), run: RUN, status: 'COMPLETED', createdAt: BASE_MS } as const;
    const [first, second] = (await annotating(server).traces(2, { testId: test.id })) as [string, string];
    tools.inStore((database, application) => {
      storeTest(database, application, test);
      saveEvals(database, { application, evals: [evalOf(test, id, verdict(false))], at: BASE_MS });
    });
    tools.say(
      { traceId: first, verdict: true, annotatorId: 'ann' },
      { traceId: second, verdict: false, annotatorId: 'ann' },
    );
    expect(await reliabilityOf(id)).toMatchObject({
      verdicts: { compared: 1 },
      confusion: { trueNegatives: 1 },
    });
  });

  it('counts annotated traces without a completed eval', async () => {
    const id = await tools.newDefinition();
    const before = (await reliabilityOf(id)).verdicts.unjudged;
    const [none, waiting] = (await tools.traces(2)) as [string, string];
    tools.judge({ definitionId: id, traceIds: [waiting], passed: [] }, { status: 'PENDING', passed: null });
    tools.say({ traceId: none, verdict: true }, { traceId: waiting, verdict: true });
    expect((await reliabilityOf(id)).verdicts).toMatchObject({ compared: 0, unjudged: before + 2 });
  });

  it('reports each version by the newest of its own evals', async () => {
    const id = await tools.newDefinition();
    const [traceId] = (await tools.traces(1)) as [string];
    tools.judge({ definitionId: id, traceIds: [traceId], passed: [false] });
    tools.judge({ definitionId: id, traceIds: [traceId], passed: [true] });
    await defining(server).put(id, { globalConfig: { criterion: 'Is it very kind?' } });
    tools.judge({ definitionId: id, traceIds: [traceId], passed: [false] }, { definitionVersion: 2 });
    tools.say({ traceId, verdict: true });
    expect(await reliabilityOf(id, 'version=1')).toMatchObject({
      version: 1,
      confusion: { truePositives: 1 },
    });
    expect(await reliabilityOf(id, 'version=2')).toMatchObject({
      version: 2,
      confusion: { falseNegatives: 1 },
    });
    expect(await reliabilityOf(id)).toMatchObject({ version: 2, verdicts: { compared: 1 } });
  });

  it('corrects by traces drawn at random alone', async () => {
    const { id } = await tools.reported(20, 0, 0, 15);
    const chosen = await tools.traces(10);
    tools.judge({ definitionId: id, traceIds: chosen, passed: chosen.map(() => false) });
    tools.say(...chosen.map((traceId) => ({ traceId, verdict: true })));
    tools.draw(chosen, 'FAILED');
    expect(await reliabilityOf(id)).toMatchObject({
      verdicts: { compared: 45, random: 35 },
      confusion: { truePositives: 20, falseNegatives: 10, trueNegatives: 15 },
      // The judge never erred on those drawn at random, and let all of the others fail.
      correctedPassRate: { rate: 0, low: 0, isClamped: false, judged: 10, judgedPassRate: 0 },
      refusal: null,
    });
  });

  it('limits the corrected rate to 0 to 100 %', async () => {
    const { id } = await tools.reported(18, 5, 2, 10);
    const more = await tools.traces(20);
    tools.judge({ definitionId: id, traceIds: more, passed: more.map(() => true) });
    expect((await reliabilityOf(id)).correctedPassRate).toMatchObject({
      rate: 100,
      high: 100,
      isClamped: true,
    });
  });

  it.each<[code: string, counts: [number, number, number, number], missing: number]>([
    ['TOO_FEW_VERDICTS', [15, 1, 1, 12], 1],
    ['ONE_SIDED_VERDICTS', [25, 0, 5, 0], 0],
    ['ONE_SIDED_VERDICTS', [0, 25, 0, 5], 0],
    // 16/20 + 7/20 − 1 = 0.15
    ['WEAK_JUDGE', [16, 13, 4, 7], 0],
    ['NOTHING_ELSE_JUDGED', [15, 1, 1, 13], 0],
  ])('rejects to correct: %s', async (code, counts, missing) => {
    const { id } = await tools.reported(...counts);
    expect(await reliabilityOf(id)).toMatchObject({
      verdicts: { missing },
      correctedPassRate: null,
      refusal: { code },
    });
  });

  const cases: HttpCase[] = [
    ['an unknown definition', UNKNOWN, 404],
    ['no uuid', 'x', 422],
  ].map(([name, id, status]) => ({
    name: `answers ${name} with ${status}`,
    request: `GET /v0/definitions/${id}/reliability`,
    status: status as number,
  }));
  testHttp(() => server, cases);

  it('knows no version that is not there', async () => {
    const id = await tools.newDefinition();
    for (const [version, status] of [
      ['2', 404],
      ['0', 422],
      ['x', 422],
    ] as const)
      expect((await server.call('GET', `/v0/definitions/${id}/reliability?version=${version}`)).status).toBe(
        status,
      );
  });

  it('shows nothing of another application, nor counts what its people say', async () => {
    const { id, traceIds } = await tools.reported(1, 0, 0, 1);
    const path = `/v0/definitions/${id}/reliability`;
    expect((await server.call('GET', path, { headers: other.headers })).status).toBe(404);
    tools.inStore((database, application) => {
      database.run(
        `INSERT INTO human_annotation (id, application, trace_id, verdict, annotator_id, source, created_at, modified_at)
         VALUES (?, ?, ?, 0, 'ann', 'TRACE_PAGE', 9e15, 9e15)`,
        randomUUID(),
        application,
        parseId(traceIds[0] as string),
      );
    }, other);
    expect((await reliabilityOf(id)).confusion).toMatchObject({ truePositives: 1, trueNegatives: 1 });
  });
});

describe('the gate of a definition', () => {
  const put = (id: string, body: object) => server.call('PUT', `/v0/definitions/${id}`, { body });
  const gateOf = async (id: string): Promise<unknown> =>
    ((await defining(server).get(id)) as unknown as { gate: unknown }).gate;

  it('is set, changed and removed at any time, and stays with a new version', async () => {
    const id = await tools.newDefinition();
    expect(await gateOf(id)).toBeNull();
    expect((await put(id, { gate: { minKappa: 0.7 } })).status).toBe(200);
    expect(await gateOf(id)).toEqual({ minKappa: 0.7, minAnnotations: 30, maxAgeDays: 90, canaries: 20 });
    await put(id, { gate: { minKappa: 0.6, minAnnotations: 50 } });
    await put(id, { globalConfig: { criterion: 'Is it very kind?' } });
    expect(await gateOf(id)).toEqual({ minKappa: 0.6, minAnnotations: 50, maxAgeDays: 90, canaries: 20 });
    expect((await put(id, { gate: null })).status).toBe(200);
    expect(await gateOf(id)).toBeNull();
  });

  it('is not valid with two verdicts that agree', async () => {
    const { id } = await tools.reported(1, 0, 0, 1);
    await put(id, { gate: { minKappa: 0.9 } });
    expect(await reliabilityOf(id)).toMatchObject({
      isAdvisory: true,
      kappa: { value: 1 },
      gate: {
        isValid: false,
        verdicts: 2,
        lastTest: null,
        nextTestAt: 30,
        reason:
          'The judge has not been tested yet. The next test is at 30 human verdicts on tests and traces drawn at random; there are 2.',
      },
    });
  });

  it('is valid by the lower bound of kappa over enough verdicts, and revoked by contrary ones', async () => {
    const { id } = await tools.reported(15, 0, 0, 15);
    await put(id, { gate: { minKappa: 0.6 } });
    expect(await reliabilityOf(id)).toMatchObject({
      isAdvisory: false,
      gate: { isValid: true, reason: null, lastTest: { verdicts: 30, confidence: 0.96 }, nextTestAt: 60 },
    });
    const contrary = await tools.traces(20);
    tools.judge({ definitionId: id, traceIds: contrary, passed: contrary.map((_trace, i) => i % 2 === 0) });
    tools.say(...contrary.map((traceId, i) => ({ traceId, verdict: i % 2 === 1 })));
    tools.draw(contrary);
    expect(await reliabilityOf(id)).toMatchObject({
      isAdvisory: true,
      gate: {
        isValid: false,
        revokedBy: { verdicts: 30 },
        reason: expect.stringMatching(/^The newest 30 human verdicts disagree with the judge/) as string,
      },
    });
  });

  it('does not count traces that people chose', async () => {
    const id = await tools.newDefinition();
    const chosen = await tools.traces(30);
    tools.judge({ definitionId: id, traceIds: chosen, passed: chosen.map((_trace, i) => i % 2 === 0) });
    tools.say(...chosen.map((traceId, i) => ({ traceId, verdict: i % 2 === 0 })));
    tools.draw(chosen, 'MANUAL');
    await put(id, { gate: { minKappa: 0.5 } });
    expect((await reliabilityOf(id)).gate).toMatchObject({ isValid: false, verdicts: 0 });
  });

  it('starts again with another judge of the same version', async () => {
    const { id, traceIds } = await tools.reported(15, 0, 0, 15);
    await put(id, { gate: { minKappa: 0.6 } });
    tools.judge({ definitionId: id, traceIds, passed: traceIds.map(() => true) }, { judgeVersion: 'other' });
    expect(await reliabilityOf(id)).toMatchObject({
      judgeVersion: 'other',
      confusion: { truePositives: 15, falsePositives: 15, falseNegatives: 0, trueNegatives: 0 },
      gate: { isValid: false, verdicts: 30 },
    });
  });

  it.each([
    ['OUTPUT_MATCH', { type: 'string' }],
    ['ASSERT', { assertions: [{ type: 'is-json' }] }],
  ])('is not needed by %s, which always decides', async (type, globalConfig) => {
    expect(await reliabilityOf(await tools.newDefinition({ type, globalConfig }))).toMatchObject({
      isAdvisory: false,
      gate: null,
    });
  });

  it.each([[{ minKappa: -0.1 }], [{ minKappa: 1.1 }], [{ minKappa: 0.5, minAnnotations: 2 }], [{}], [true]])(
    'cannot be %j',
    async (gate) => {
      const { status, text } = await put(await tools.newDefinition(), { gate });
      expect(`${status} ${text}`).toMatch(/^422 .*"path":\["gate"/);
    },
  );
});
