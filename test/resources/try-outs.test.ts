import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TryDefinitionBody, TryResult } from '../../src/api/generated/schema.ts';
import { halfOf } from '../../src/resources/definitions/holdout.ts';
import { quotesOf } from '../../src/resources/try-outs/judge-one.ts';
import { besideServer } from '../support/beside-store.ts';
import { addPerson } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';
import { annotating } from './annotation-support.ts';
import { judging } from './reliability-support.ts';

let folder: string;
let model: StandInJudge;
let server: TestServer;
let instead: JudgeBehaviour | null = null;
const PRICE = 0.003;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  model = await startStandInJudge(({ messages }) => {
    if (instead !== null) return instead;
    const isKind = messages.join('\n').includes('Gladly');
    return {
      say: { rationale: isKind ? 'It says “Gladly”.' : 'It is curt.', verdict: isKind ? 'yes' : 'no' },
    };
  });
  const only = {
    provider: 'openai-compatible',
    baseUrl: model.openAi,
    model: 'stand-in',
    prices: { input: 2, output: 10 },
  };
  const judgesFile = join(folder, 'judges.json');
  writeFileSync(judgesFile, JSON.stringify({ judges: { only }, dailyCostLimit: 0.1 }));
  server = await startServer({ config: { judgesFile } });
});
beforeEach(() => {
  instead = null;
});
afterAll(async () => {
  await server.close();
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const KIND = { type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' } } as const;
const tryOut = async (
  body: Partial<TryDefinitionBody> & Pick<TryDefinitionBody, 'sample'>,
  headers: Record<string, string | null> = {},
): Promise<TryResult> =>
  (await server.ok('POST', '/v0/definitions/try', { body: { definition: KIND, ...body }, headers })).data;
const rejected = (body: object) => server.call('POST', '/v0/definitions/try', { body });

/** Rows of each table that verdicts are stored in. */
const counts = () =>
  besideServer(server.folder, (database) =>
    Object.fromEntries(
      ['eval', 'definition', 'judge_prompt', 'judge_call', 'judge_day', 'test', 'job'].map((table) => [
        table,
        database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0,
      ]),
    ),
  );

describe('a try-out', () => {
  it('judges given texts, and stores nothing but the cost', async () => {
    const before = counts();
    const { results, spent, expected } = await tryOut({
      sample: { texts: [{ input: 'May I?', output: 'Gladly, do.' }, { output: 'No.' }] },
    });
    expect(results.map(({ now }) => [now?.passed, now?.cost])).toEqual([
      [true, PRICE],
      [false, PRICE],
    ]);
    expect(results[0]).toMatchObject({
      testId: null,
      traceId: null,
      input: 'May I?',
      now: {
        status: 'COMPLETED',
        reason: 'It says “Gladly”.',
        quotes: [{ text: 'Gladly', start: 0, end: 6 }],
        inputTokens: 1000,
        outputTokens: 100,
      },
    });
    expect(spent).toEqual({ calls: 2, inputTokens: 2000, outputTokens: 200, cost: 2 * PRICE });
    expect(expected).toMatchObject({ subjects: 2, judge: 'only', calls: 2 });
    expect(counts()).toEqual({ ...before, judge_call: (before['judge_call'] ?? 0) + 2, judge_day: 1 });
    const texts = besideServer(server.folder, (database) =>
      database.all('SELECT request, raw FROM judge_call WHERE request IS NOT NULL OR raw IS NOT NULL'),
    );
    expect(texts).toEqual([]);
  });

  it('says in a dry run what it is expected to cost, and asks no judge', async () => {
    const asked = model.requests.length;
    const { expected, results, spent } = await tryOut({
      dryRun: true,
      sample: { texts: [{ output: 'Gladly.' }] },
    });
    expect(model.requests).toHaveLength(asked);
    expect(results).toMatchObject([{ output: 'Gladly.', now: null }]);
    expect(spent).toMatchObject({ calls: 0, cost: 0 });
    expect(expected.cost).toBeGreaterThan(0);
    expect(expected.cost).toBeLessThan(0.02);
    expect(expected.leftToday).toBeLessThan(0.1);
  });

  it('judges by rules without a judge, and for nothing', async () => {
    const definition = {
      type: 'ASSERT',
      globalConfig: { assertions: [{ type: 'contains', value: 'Gladly' }] },
    } as const;
    const { results, expected, spent } = await tryOut({
      definition,
      sample: { texts: [{ output: 'Gladly.' }, { output: 'No.' }] },
    });
    expect(results.map(({ now }) => now?.passed)).toEqual([true, false]);
    expect(expected).toMatchObject({ judge: null, calls: 0, cost: 0 });
    expect(spent).toMatchObject({ calls: 0, cost: 0 });
  });

  it('shows beside its verdict that of people and that of the stored definition', async () => {
    const { newDefinition, judge, say } = judging(server);
    const id = await newDefinition();
    const [kind = '', curt = ''] = [
      ...(await annotating(server).traces(1, { output: 'Gladly.' })),
      ...(await annotating(server).traces(1, { output: 'No.' })),
    ];
    judge({ definitionId: id, traceIds: [kind, curt], passed: [true, true] });
    say({ traceId: kind, verdict: true }, { traceId: curt, verdict: false });
    const { results } = await tryOut({ definitionId: id, sample: { traceIds: [kind, curt] } });
    const shown = results.map(({ traceId, human, stored, now }) => [
      traceId,
      human?.verdict,
      stored?.passed,
      now?.passed,
    ]);
    expect(shown).toEqual([
      [kind, 'PASS', true, true],
      [curt, 'FAIL', true, false],
    ]);
    const disagreements = await tryOut({
      definitionId: id,
      dryRun: true,
      sample: { pick: 'DISAGREEMENTS' },
    });
    expect(disagreements.results.map(({ traceId }) => traceId)).toEqual([curt]);
    const reviewed = await tryOut({ definitionId: id, dryRun: true, sample: { pick: 'REVIEWED', count: 2 } });
    expect(new Set(reviewed.results.map(({ traceId }) => traceId))).toEqual(new Set([kind, curt]));
  });

  it('takes the newest, and those that failed', async () => {
    const { newDefinition, judge } = judging(server);
    const id = await newDefinition();
    const [passed = '', failed = ''] = await annotating(server).traces(2, {
      timestamp: '2026-02-01T12:00:00Z',
    });
    judge({ definitionId: id, traceIds: [passed, failed], passed: [true, false] });
    const recent = await tryOut({ dryRun: true, sample: { pick: 'RECENT', count: 2 } });
    expect(new Set(recent.results.map(({ traceId }) => traceId))).toEqual(new Set([passed, failed]));
    const worst = await tryOut({ definitionId: id, dryRun: true, sample: { pick: 'FAILED' } });
    expect(worst.results.map(({ traceId }) => traceId)).toEqual([failed]);
  });

  it('never shows the held-out half of a random sample', async () => {
    const { newDefinition, judge, say, draw } = judging(server);
    const id = await newDefinition();
    const traceIds = await annotating(server).traces(24);
    judge({ definitionId: id, traceIds, passed: traceIds.map(() => true) });
    say(...traceIds.map((traceId) => ({ traceId, verdict: false })));
    draw(traceIds);
    const held = traceIds.filter((traceId) => halfOf(traceId.replaceAll('-', '')) === 'HOLDOUT');
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThan(24);
    for (const pick of ['RECENT', 'REVIEWED', 'DISAGREEMENTS'] as const) {
      const { results } = await tryOut({ definitionId: id, dryRun: true, sample: { pick, count: 20 } });
      expect(results.map(({ traceId }) => traceId).filter((one) => held.includes(one ?? ''))).toEqual([]);
    }
    const named = await rejected({ definition: KIND, sample: { traceIds: [held[0]] } });
    expect(named.status).toBe(409);
    expect(named.text).toContain('held-out half');
  });

  it('leaves out what its caller reviews in a blind queue', async () => {
    const person = addPerson(server, server, { role: 'admin' });
    const [traceId = ''] = await annotating(server).traces(1);
    const queue = await annotating(server).queue({ isBlind: true, reviewerIds: [person.id] });
    await annotating(server).item({ queueId: queue.id, traceId });
    const own = await tryOut(
      { dryRun: true, sample: { traceIds: [traceId] } },
      { ...person.headers, 'x-api-key': null },
    );
    expect(own).toMatchObject({ results: [], leftOut: 1 });
    const others = await tryOut({ dryRun: true, sample: { traceIds: [traceId] } });
    expect(others.results).toHaveLength(1);
  });

  it('is rejected where the definition could not be stored', async () => {
    const sample = { texts: [{ output: 'Gladly.' }] };
    const without = await rejected({ definition: { type: 'CUSTOM' }, sample });
    expect(without.status).toBe(422);
    expect(without.text).toContain('criterion');
    const judge = { ...KIND, globalConfig: { ...KIND.globalConfig, judge: 'none' } };
    expect((await rejected({ definition: judge, sample })).text).toContain('no judge has the name');
    expect((await rejected({ definition: KIND, sample: {} })).status).toBe(422);
    expect((await rejected({ definition: KIND, sample: { pick: 'REVIEWED' } })).text).toContain(
      'definitionId',
    );
  });

  it('gives a reason where the judge fails', async () => {
    instead = { status: 400, body: '{"error": {"message": "no such model"}}' };
    const { results } = await tryOut({ sample: { texts: [{ output: 'Gladly.' }] } });
    expect(results[0]?.now).toMatchObject({ status: 'FAILED', passed: null });
    expect(results[0]?.now?.reason).toContain('no such model');
  });

  it('is bounded: a third one of an application waits for another time', async () => {
    instead = { say: { rationale: 'So.', verdict: 'yes' }, afterMs: 500 };
    const texts = [{ output: 'Gladly.' }];
    const body = { definition: KIND, sample: { texts } };
    const replies = await Promise.all([rejected(body), rejected(body), rejected(body)]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 503]);
  });

  it('is in the audit log, and judges nothing once the limit of the day is reached', async () => {
    const { data } = await server.ok('GET', '/v0/audit', {});
    expect(data.map(({ action }) => action)).toContain('tryDefinition');
    const texts = Array.from({ length: 20 }, () => ({ output: 'Gladly.' }));
    await tryOut({ sample: { texts } });
    await tryOut({ sample: { texts } });
    const { results, expected } = await tryOut({ sample: { texts: [{ output: 'No.' }] } });
    expect(expected.leftToday).toBe(0);
    expect(results[0]?.now).toMatchObject({
      status: 'SKIPPED',
      reason: 'the cost limit of the day is reached',
    });
  });
});

it('quotes are the words of the output that a reason repeats', () => {
  expect(
    quotesOf('It promises "money back" and „soon“, not "never".', 'You get your money back soon.'),
  ).toEqual([
    { text: 'money back', start: 13, end: 23 },
    { text: 'soon', start: 24, end: 28 },
  ]);
});
