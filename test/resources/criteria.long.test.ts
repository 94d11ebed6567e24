import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateAnnotationBody, Reliability } from '../../src/api/generated/schema.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { uuid } from '../support/spans.ts';
import { annotating, CRITIQUE } from './annotation-support.ts';
import { judging } from './reliability-support.ts';

let server: TestServer;
let tools: ReturnType<typeof judging>;
beforeAll(async () => {
  server = await startServer();
  tools = judging(server);
});
afterAll(() => server.close());

const PATH = '/v0/human-annotations';
const post = (body: object) => server.call('POST', PATH, { body: { source: 'TRACE_PAGE', ...body } });
const newTrace = async (): Promise<string> => (await tools.traces(1))[0] as string;
const criterion = (more: object = {}): Promise<string> => tools.newDefinition({ isOverall: false, ...more });
const graded = (): Promise<string> =>
  criterion({ globalConfig: { criterion: 'Kind?', scale: { min: 0, max: 4 }, passThreshold: 3 } });
const annotate = async (body: Omit<CreateAnnotationBody, 'source'>) =>
  (await server.ok('POST', PATH, { body: { source: 'TRACE_PAGE', ...body } })).data;
const reliabilityOf = async (id: string): Promise<Reliability> =>
  (await server.ok('GET', `/v0/definitions/${id}/reliability`)).data;
const withGate = (id: string, gate: object = { minKappa: 0.6 }) =>
  server.call('PUT', `/v0/definitions/${id}`, { body: { gate } });

describe('a verdict of a person', () => {
  it('is about the criterion that it names, else about the complete trace', async () => {
    const [traceId, evalDefinitionId] = [await newTrace(), await criterion()];
    expect(await annotate({ traceId, evalDefinitionId, verdict: true })).toMatchObject({
      evalDefinitionId,
      verdict: true,
      score: null,
      unsure: false,
    });
    expect(await annotate({ traceId, verdict: true })).toMatchObject({ evalDefinitionId: null });
    const { data } = await server.ok('GET', `${PATH}?evalDefinitionId=${evalDefinitionId}`);
    expect(data).toMatchObject([{ traceId, evalDefinitionId }]);
  });

  it('replaces the earlier one of the same person on the same trace and criterion', async () => {
    const [traceId, one, other] = [await newTrace(), await criterion(), await criterion()];
    const first = await annotate({ traceId, evalDefinitionId: one, verdict: true });
    const ofOther = await annotate({ traceId, evalDefinitionId: other, verdict: true });
    const ofBen = await annotate({ traceId, evalDefinitionId: one, verdict: true, annotatorId: 'ben' });
    const second = await annotate({
      traceId,
      evalDefinitionId: one,
      verdict: false,
      critique: CRITIQUE,
      correctedOutput: 'Hi',
    });
    expect(second).toMatchObject({ id: first.id, verdict: false, critique: CRITIQUE, correctedOutput: 'Hi' });
    expect(new Set([first.id, ofOther.id, ofBen.id]).size).toBe(3);
    const { data } = await server.ok('GET', `${PATH}?traceId=${traceId}`);
    expect(data).toHaveLength(3);
  });

  it('follows from a score on the scale of the definition', async () => {
    const evalDefinitionId = await graded();
    const said = async (body: Pick<CreateAnnotationBody, 'score' | 'critique'>) =>
      annotate({ traceId: await newTrace(), evalDefinitionId, ...body });
    expect(await said({ score: 3 })).toMatchObject({ score: 3, verdict: true });
    const low = await said({ score: 2.5, critique: CRITIQUE });
    expect(low).toMatchObject({ score: 2.5, verdict: false });
    const { data } = await server.ok('PUT', `${PATH}/${low.id}` as '/v0/human-annotations/{id}', {
      body: { score: 4 },
    });
    expect(data).toMatchObject({ score: 4, verdict: true });
  });

  it('may be that the person is unsure, and words without a verdict are a note', async () => {
    const [traceId, evalDefinitionId] = [await newTrace(), await criterion()];
    const unsure = await annotate({ traceId, evalDefinitionId, unsure: true });
    expect(unsure).toMatchObject({ verdict: null, unsure: true });
    const notes = [
      await annotate({ traceId, evalDefinitionId, critique: 'Odd.' }),
      await annotate({ traceId, evalDefinitionId, critique: 'Very odd.' }),
    ];
    expect(new Set(notes.map(({ id }) => id)).size).toBe(2);
    const decided = await annotate({ traceId, evalDefinitionId, verdict: true });
    expect(decided).toMatchObject({ id: unsure.id, verdict: true, unsure: false });
    const { status } = await server.call('PUT', `${PATH}/${notes[0]?.id}`, { body: { verdict: true } });
    expect(status).toBe(409);
  });

  it.each<[string, body: (graded: string, plain: string) => object, status: number, path?: string]>([
    ['nothing at all', () => ({}), 422, 'verdict'],
    ['unsure with a verdict', () => ({ verdict: true, unsure: true }), 422, 'unsure'],
    ['a failure without a critique', () => ({ verdict: false }), 422, 'critique'],
    ['a score without a criterion', () => ({ score: 1 }), 422, 'score'],
    ['a score without a scale', (_graded, plain) => ({ evalDefinitionId: plain, score: 1 }), 422, 'score'],
    ['a score off the scale', (id) => ({ evalDefinitionId: id, score: 5 }), 422, 'score'],
    [
      'a verdict that contradicts the score',
      (id) => ({ evalDefinitionId: id, score: 4, verdict: false, critique: CRITIQUE }),
      422,
      'verdict',
    ],
    ['a low score without a critique', (id) => ({ evalDefinitionId: id, score: 1 }), 422, 'critique'],
    ['an unknown criterion', () => ({ evalDefinitionId: uuid(0x77), verdict: true }), 404],
  ])('cannot be %s', async (_name, body, status, path = '') => {
    const answer = await post({ traceId: await newTrace(), ...body(await graded(), await criterion()) });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(path);
  });
});

it('a definition on which people gave verdicts is archived instead of deleted', async () => {
  const [traceId, id] = [await newTrace(), await criterion()];
  await annotate({ traceId, evalDefinitionId: id, verdict: true });
  await server.ok('DELETE', `/v0/definitions/${id}` as '/v0/definitions/{id}');
  expect((await server.ok('GET', `/v0/definitions/${id}` as '/v0/definitions/{id}')).data.status).toBe(
    'ARCHIVED',
  );
});

describe('reliability and gate of a definition', () => {
  it('use verdicts on that definition only, not those on the complete trace', async () => {
    const [other, own] = [await criterion(), await criterion()];
    const traceIds = await tools.traces(30);
    const passed = traceIds.map((_trace, index) => index % 2 === 0);
    for (const definitionId of [other, own]) tools.judge({ definitionId, traceIds, passed });
    tools.draw(traceIds);
    tools.say(...traceIds.map((traceId, index) => ({ traceId, verdict: passed[index] as boolean })));
    await withGate(own);
    await withGate(other);
    expect(await reliabilityOf(own)).toMatchObject({
      verdicts: { compared: 0, random: 0 },
      gate: { isValid: false, verdicts: 0 },
    });
    tools.say(
      ...traceIds.map((traceId, index) => ({
        traceId,
        verdict: passed[index] as boolean,
        evalDefinitionId: own,
      })),
    );
    expect(await reliabilityOf(own)).toMatchObject({
      verdicts: { compared: 30, random: 30 },
      gate: { isValid: true, expiresAt: expect.any(String) as string },
    });
    expect((await reliabilityOf(other)).verdicts).toMatchObject({ compared: 0, random: 0 });
    // A gate alone makes no judge blocking, only a valid one.
    const isBlocking = async (id: string): Promise<boolean> =>
      (await server.ok('GET', `/v0/definitions/${id}` as '/v0/definitions/{id}')).data.isBlocking;
    await expect.poll(() => isBlocking(own), { timeout: 15_000 }).toBe(true);
    expect(await isBlocking(other)).toBe(false);
    const { data: evals } = await server.ok('GET', `/v0/evals?traceId=${traceIds[0]}`);
    expect(Object.fromEntries(evals.map(({ definition }) => [definition.id, definition.isBlocking]))).toEqual(
      { [own]: true, [other]: false },
    );
  });

  it('of the overall definition use verdicts on the complete trace, unless the same person named the criterion', async () => {
    const id = await criterion();
    const [traceId, whole] = (await tools.traces(2)) as [string, string];
    tools.judge({ definitionId: id, traceIds: [traceId, whole], passed: [true, true] });
    tools.say({ traceId, verdict: true, evalDefinitionId: id });
    tools.say({ traceId, verdict: false }, { traceId: whole, verdict: false });
    expect(await reliabilityOf(id)).toMatchObject({ confusion: { truePositives: 1, falsePositives: 0 } });
    await server.call('PUT', `/v0/definitions/${id}`, { body: { isOverall: true } });
    expect(await reliabilityOf(id)).toMatchObject({
      version: 1,
      confusion: { truePositives: 1, falsePositives: 1 },
    });
  });

  it('are not helped by a second person who judges only where the judge and the first one differ', async () => {
    const id = await criterion();
    const traceIds = await tools.traces(30);
    const human = traceIds.map((_trace, index) => index % 2 === 0);
    const passed = human.map((one, index) => (index < 8 ? !one : one));
    tools.judge({ definitionId: id, traceIds, passed });
    tools.draw(traceIds);
    tools.say(
      ...traceIds.map((traceId, index) => ({
        traceId,
        verdict: human[index] as boolean,
        evalDefinitionId: id,
      })),
    );
    tools.say(
      ...traceIds.slice(0, 8).map((traceId, index) => ({
        traceId,
        verdict: passed[index] as boolean,
        annotatorId: 'ben',
        evalDefinitionId: id,
      })),
    );
    await withGate(id);
    expect(await reliabilityOf(id)).toMatchObject({
      verdicts: { compared: 30, tied: 8, settled: 0, random: 30 },
      kappa: { value: expect.closeTo(11 / 15) as number },
      gate: { isValid: false, lastTest: { verdicts: 30, isPassed: false } },
      annotators: {
        traces: 8,
        people: [
          { annotatorId: 'ann', verdicts: 30, passRate: 50, shared: 8, bias: 0 },
          { annotatorId: 'ben', verdicts: 8, shared: 8, bias: 0 },
        ],
        pairs: [{ annotatorIds: ['ann', 'ben'], traces: 8, agreed: 0, kappa: -1 }],
      },
    });
    // A third person decides.
    tools.say(
      ...traceIds.slice(0, 8).map((traceId, index) => ({
        traceId,
        verdict: human[index] as boolean,
        annotatorId: 'cem',
        evalDefinitionId: id,
      })),
    );
    expect(await reliabilityOf(id)).toMatchObject({ verdicts: { tied: 0, settled: 8 } });
  });

  it('take the first that were drawn, judged or not; one that expired counts as a disagreement', async () => {
    const id = await criterion();
    const traceIds = await tools.traces(30);
    const passed = traceIds.map((_trace, index) => index % 2 === 0);
    tools.judge({ definitionId: id, traceIds, passed });
    const queueId = uuid(0x9100);
    tools.draw(traceIds.slice(0, 1), 'RANDOM', { queueId });
    tools.draw(traceIds.slice(1, 2), 'RANDOM', { queueId, expiresAt: 1 });
    tools.draw(traceIds.slice(2), 'RANDOM', { queueId });
    const say = (from: number, to?: number): void =>
      tools.say(
        ...traceIds.slice(from, to).map((traceId, index) => ({
          traceId,
          verdict: passed[from + index] as boolean,
          evalDefinitionId: id,
        })),
      );
    say(2);
    await withGate(id);
    expect((await reliabilityOf(id)).gate).toMatchObject({
      isValid: false,
      lastTest: null,
      verdicts: 29,
      awaited: 1,
      reason: expect.stringContaining(
        'It takes the first 30 that were drawn, 1 of which no one has judged.',
      ) as string,
    });
    say(0, 1);
    expect(await reliabilityOf(id)).toMatchObject({
      verdicts: { compared: 29, random: 30 },
      gate: { isValid: true, lastTest: { verdicts: 30, kappa: expect.closeTo(28 / 30, 2) as number } },
    });
  });

  it('say who is unsure', async () => {
    const id = await criterion();
    const traceIds = await tools.traces(2);
    tools.judge({ definitionId: id, traceIds, passed: [true, false] });
    tools.say(...traceIds.map((traceId) => ({ traceId, verdict: null, evalDefinitionId: id })));
    expect(await reliabilityOf(id)).toMatchObject({
      verdicts: { compared: 2, tied: 2 },
      confusion: { truePositives: 0.5, falsePositives: 0.5, falseNegatives: 0.5, trueNegatives: 0.5 },
    });
  });

  it('are of the judge, whatever an app without an output made of the newest eval', async () => {
    const id = await criterion();
    const traceIds = await tools.traces(2);
    tools.judge({ definitionId: id, traceIds: traceIds.slice(0, 1), passed: [true] }, { judgeVersion: 'v' });
    tools.judge({ definitionId: id, traceIds: traceIds.slice(1), passed: [false] });
    expect(await reliabilityOf(id)).toMatchObject({ judgeVersion: 'v' });
  });
});

it('a judge whose model changed behind the same name is measured again, and the gate says so', async () => {
  const id = await criterion();
  const traceIds = await tools.traces(30);
  const passed = traceIds.map((_trace, index) => index % 2 === 0);
  const judgeAs = (model: string, fingerprint: string | null, at: number): void =>
    tools.judge(
      { definitionId: id, traceIds, passed },
      { judgeVersion: model, judge: { served: [{ model, fingerprint }] } },
      at,
    );
  judgeAs('m-1', 'fp', Date.UTC(2026, 5, 1));
  tools.draw(traceIds);
  tools.say(
    ...traceIds.map((traceId, index) => ({
      traceId,
      verdict: passed[index] as boolean,
      evalDefinitionId: id,
    })),
  );
  await withGate(id);
  expect((await reliabilityOf(id)).gate).toMatchObject({ isValid: true });
  const [more] = await tools.traces(1);
  tools.judge(
    { definitionId: id, traceIds: [more as string], passed: [true] },
    { judgeVersion: 'm-2', judge: { served: [{ model: 'm-2', fingerprint: null }] } },
    Date.UTC(2026, 6, 1),
  );
  expect((await reliabilityOf(id)).gate).toMatchObject({
    isValid: false,
    verdicts: 0,
    reason: expect.stringMatching(
      /^Another judge has judged since 2026-06-01: m-2 answers instead of m-1 \(fp\)\. Its measurement starts again\. The judge has not been tested yet\./,
    ) as string,
  });
});

describe('a trace that a person chose', () => {
  it('is not drawn at random, whatever the request says', async () => {
    const { queue } = annotating(server);
    const { id: queueId } = await queue();
    const body = { queueId, traceId: await newTrace(), selection: 'RANDOM' };
    const { status, text } = await server.call('POST', '/v0/human-annotation-queue-items', { body });
    expect(`${status} ${text}`).toMatch(/^422 .*"path":\["selection"\]/);
  });

  it('is judged by several criteria and people for one item of a queue', async () => {
    const { queue, item } = annotating(server);
    const { id: queueId } = await queue();
    const traceId = await newTrace();
    const { id: queueItemId } = await item({ queueId, traceId });
    const say = (body: object) =>
      post({ traceId, source: 'REVIEW_QUEUE', queueItemId, verdict: true, ...body });
    const [one, other] = [await criterion(), await criterion()];
    expect((await say({ evalDefinitionId: one })).status).toBe(201);
    expect((await say({ evalDefinitionId: other })).status).toBe(201);
    expect((await say({ evalDefinitionId: one, annotatorId: 'ben' })).status).toBe(201);
    expect((await say({ evalDefinitionId: one })).status).toBe(409);
  });
});
