import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { halfOf } from '../../src/resources/definitions/holdout.ts';
import { addPerson } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { annotating } from './annotation-support.ts';
import { judging } from './reliability-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const GATE = { minKappa: 0.1, minAnnotations: 10 };
const at = (id: string, path: string) => `/v0/definitions/${id}/${path}`;
const stepOf = async (id: string): Promise<{ step: string; count: number; queueId: string | null }> =>
  ((await server.call('GET', at(id, 'next-step'))).json as { data: never }).data;
const change = (id: string, body: object) => server.call('PUT', `/v0/definitions/${id}`, { body });

describe('what is missing until a definition is blocking', () => {
  it('is a gate, a verdict, a sample, reviews, and after a change verdicts of the new version', async () => {
    const { newDefinition, judge, say, traces } = judging(server);
    const id = await newDefinition();
    expect(await stepOf(id)).toMatchObject({ step: 'SET_GATE' });
    await change(id, { gate: GATE });
    expect(await stepOf(id)).toMatchObject({ step: 'JUDGE', queueId: null });
    const traceIds = await traces(10);
    judge({ definitionId: id, traceIds, passed: traceIds.map((_, place) => place < 5) });
    expect(await stepOf(id)).toMatchObject({ step: 'SAMPLE', count: 10 });
    const queue = await annotating(server).queue();
    await annotating(server).draw({ queueId: queue.id, count: 10, evalDefinitionId: id });
    expect(await stepOf(id)).toMatchObject({ step: 'REVIEW', count: 10, queueId: queue.id });
    say(...traceIds.map((traceId, place) => ({ traceId, verdict: place < 5 })));
    expect(await stepOf(id)).toMatchObject({ step: 'NONE' });

    await change(id, { globalConfig: { criterion: 'Is it very kind?' } });
    expect(await stepOf(id)).toMatchObject({ step: 'MEASURE', count: 10 });
    const evaluate = async (body: object) =>
      (await server.call('POST', at(id, 'evaluate'), { body })).json as { data: object };
    expect(await evaluate({ dryRun: true })).toMatchObject({ data: { reviewed: 10, evals: 0, cost: null } });
    expect(await evaluate({})).toMatchObject({ data: { reviewed: 10, evals: 0 } });
    await server.call('POST', '/v0/definitions/link-application', { body: { evalIds: [id] } });
    expect(await evaluate({})).toMatchObject({ data: { reviewed: 10, evals: 10 } });
    expect((await stepOf(id)).step).not.toBe('MEASURE');
  });

  it('is nothing for rules', async () => {
    const globalConfig = { assertions: [{ type: 'contains', value: 'Hello' }] };
    const id = await judging(server).newDefinition({ type: 'ASSERT', globalConfig, isOverall: false });
    expect(await stepOf(id)).toMatchObject({ step: 'NONE', count: 0 });
  });
});

describe('disagreements', () => {
  it('have the reasons of both, by half, and are withheld from those who review them', async () => {
    const { newDefinition, judge, draw, traces } = judging(server);
    const id = await newDefinition();
    const traceIds = await traces(12);
    const [first = '', second = ''] = traceIds;
    judge({ definitionId: id, traceIds, passed: traceIds.map(() => true) }, { reason: 'It is kind.' });
    for (const traceId of traceIds)
      await annotating(server).annotation({
        traceId,
        verdict: traceId === second,
        annotatorId: 'omar',
        ...(traceId !== second && { critique: 'It does not name the order number.' }),
      });
    draw(traceIds);
    const read = async (query = '', headers: Record<string, string | null> = {}) =>
      (await server.call('GET', at(id, `disagreements${query}`), { headers })).json as {
        data: { traceId: string; half: string }[];
        counts: { draft: number; holdout: number };
      };
    const { data, counts } = await read('?limit=50');
    expect(data).toHaveLength(11);
    expect(data.map(({ traceId }) => traceId)).not.toContain(second);
    expect(data.find(({ traceId }) => traceId === first)).toMatchObject({
      testId: null,
      input: 'Hello',
      passed: true,
      reason: 'It is kind.',
      people: [{ name: 'omar', said: 'FAIL', critique: 'It does not name the order number.' }],
    });
    const halves = data.map(({ traceId }) => halfOf(traceId.replaceAll('-', '')));
    expect(data.map(({ half }) => half)).toEqual(halves);
    expect(counts).toEqual({
      draft: halves.filter((half) => half === 'DRAFT').length,
      holdout: halves.filter((half) => half === 'HOLDOUT').length,
    });
    expect((await read('?half=HOLDOUT')).data).toHaveLength(counts.holdout);

    const person = addPerson(server, server, { role: 'admin' });
    const queue = await annotating(server).queue({ isBlind: true, reviewerIds: [person.id] });
    await annotating(server).item({ queueId: queue.id, traceId: first });
    const seen = await read('?limit=50', { ...person.headers, 'x-api-key': null });
    expect(seen.data.map(({ traceId }) => traceId)).not.toContain(first);
    expect(seen.data).toHaveLength(10);
  });
});

describe('versions', () => {
  it('have their configurations as they were applied, and are compared on what both have judged', async () => {
    const { newDefinition, judge, traces } = judging(server);
    const id = await newDefinition();
    const traceIds = await traces(4);
    const applied = (criterion: string, version: number) => ({
      definitionVersion: version,
      version,
      judge: { definition: { version, name: 'Kind', type: 'CUSTOM', config: { criterion }, repeats: 1 } },
    });
    judge({ definitionId: id, traceIds, passed: [true, true, false, false] }, applied('Is it kind?', 1));
    await change(id, { globalConfig: { criterion: 'Is it very kind?' } });
    judge({ definitionId: id, traceIds, passed: [true, false, true, false] }, applied('Is it very kind?', 2));
    await change(id, { globalConfig: { criterion: 'Is it kind at all?' } });
    const { json } = await server.call('GET', at(id, 'versions?against=1'));
    expect(json).toMatchObject({
      data: [
        {
          version: 3,
          isCurrent: true,
          globalConfig: { criterion: 'Is it kind at all?' },
          judged: 0,
          passRate: null,
        },
        {
          version: 2,
          isCurrent: false,
          globalConfig: { criterion: 'Is it very kind?' },
          judged: 4,
          passRate: { rate: 50 },
          shared: { judged: 4, bothPassed: 1, onlyThisPassed: 1, onlyOtherPassed: 1, bothFailed: 1 },
        },
        { version: 1, globalConfig: { criterion: 'Is it kind?' }, shared: { judged: 4, bothPassed: 2 } },
      ],
    });
  });
});
