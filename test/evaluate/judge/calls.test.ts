import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JudgedEvaluator, AppliedDefinition } from '../../../src/evaluate/evaluator.ts';
import { evaluatorOf } from '../../../src/evaluate/evaluators.ts';
import { storeJudgeCall } from '../../../src/evaluate/judge/call-store.ts';
import type { JudgedEval, Judges } from '../../../src/evaluate/judge/judges.ts';
import type { JudgeSettings, JudgesSettings } from '../../../src/evaluate/judge/settings.ts';
import type { Subject } from '../../../src/evaluate/subject.ts';
import { deleteTrace } from '../../../src/traces/delete.ts';
import { commands } from '../../../src/operations.ts';
import { appliedDefinition, subjectOf } from '../../support/judged.ts';
import { CALL_COST, judgeOf, openJudges, SECRET, waitingEval } from '../../support/judges.ts';
import { BASE_MS, traceBytes } from '../../support/spans.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../../support/stand-in-judge.ts';
import { type Folder, type Tenant, temporaryFolder, useStore } from '../../support/storage.ts';

const DAY_MS = 86_400_000;
const YES = { rationale: 'It says 30.', verdict: 'yes' };

const { database, newTenant } = useStore();

let model: StandInJudge;
let behave: (index: number) => JudgeBehaviour;
beforeEach(async () => {
  behave = () => ({ say: YES });
  model = await startStandInJudge((_request, index) => behave(index));
});
afterEach(() => model[Symbol.asyncDispose]());

let today = BASE_MS;
/** Limits of a day are of all applications: each test has a day of its own. */
beforeEach(() => {
  today += 10 * DAY_MS;
});

const open = (more: Partial<JudgesSettings> = {}, judge: Partial<JudgeSettings> = {}): Judges =>
  openJudges(database(), [judgeOf(model.openAi, judge)], more, () => today);

const judge = (
  judges: Judges,
  judged: JudgedEval,
  {
    definition,
    subject,
    signal,
  }: { definition?: Partial<AppliedDefinition>; subject?: Partial<Subject>; signal?: AbortSignal } = {},
) =>
  judges.evaluate(
    appliedDefinition('CUSTOM', definition),
    subjectOf(subject),
    evaluatorOf('CUSTOM') as JudgedEvaluator,
    judged,
    { signal: signal ?? new AbortController().signal },
  );

interface CallRow {
  repeat: number;
  request: string | null;
  raw: string | null;
  cost: number | null;
}
const callsOf = ({ subjectId }: JudgedEval): CallRow[] =>
  database().all<CallRow>(
    'SELECT repeat, request, raw, cost FROM judge_call WHERE subject_id = ? ORDER BY repeat',
    subjectId,
  );

describe('an answer that was stored', () => {
  it('is not requested again for its eval, by whatever process', async () => {
    const judged = waitingEval(newTenant());
    const first = await judge(open(), judged, { definition: { repeats: 3 } });
    const again = await judge(open(), judged, { definition: { repeats: 3 } });
    expect(model.requests).toHaveLength(3);
    expect(again).toEqual(first);
  });

  it('counts when the others are still to come', async () => {
    const judged = waitingEval(newTenant());
    behave = (index) => (index === 1 ? 'stall' : { say: YES });
    const stop = new AbortController();
    const cutOff = judge(open(), judged, { definition: { repeats: 3 }, signal: stop.signal });
    await expect.poll(() => callsOf(judged).length).toBe(2);
    stop.abort(new Error('the process ends'));
    await expect(cutOff).rejects.toThrow('the process ends');

    const { verdict, record } = await judge(open(), judged, { definition: { repeats: 3 } });
    expect(verdict).toMatchObject({ status: 'COMPLETED', results: { agreement: 1 } });
    expect(record?.repeats).toHaveLength(3);
    expect(model.requests).toHaveLength(4);
  });

  it('of a repair counts too', async () => {
    const judged = waitingEval(newTenant());
    behave = (index) => ({ say: index === 0 ? 'Well.' : YES });
    const first = await judge(open(), judged);
    expect(await judge(open(), judged)).toEqual(first);
    expect(model.requests).toHaveLength(2);
    expect(first.record?.repeats[0]).toMatchObject({ cost: 2 * CALL_COST, attempts: 2 });
  });

  it.each<[string, Parameters<typeof judge>[2], Partial<JudgeSettings>]>([
    ['another output', { subject: { output: 'Within 14 days.' } }, {}],
    ['another criterion', { definition: { config: { criterion: 'It is kind.' } } }, {}],
    ['another model', {}, { model: 'judge-2' }],
    ['another temperature', {}, { temperature: 0.5 }],
    ['another seed', {}, { seed: 1 }],
  ])('is not taken for that of %s', async (_name, given, settings) => {
    const judged = waitingEval(newTenant());
    await judge(open(), judged);
    await judge(open({}, settings), judged, given);
    expect(model.requests).toHaveLength(2);
  });

  it('is of its eval and application alone', async () => {
    const tenant = newTenant();
    const judged = waitingEval(tenant);
    await judge(open(), judged);
    await judge(open(), waitingEval(tenant));
    await judge(open(), { ...judged, application: newTenant().application });
    expect(model.requests).toHaveLength(3);
  });

  it('is kept with the request, once for all repeats, and without any secret', async () => {
    const judged = waitingEval(newTenant());
    const { verdict, record } = await judge(open(), judged, { definition: { repeats: 3 } });
    const calls = callsOf(judged);
    expect(calls.map(({ raw }) => raw)).toEqual(Array(3).fill(JSON.stringify(YES)));
    const requests = calls.flatMap(({ request }) => request ?? []);
    expect(requests).toHaveLength(1);
    expect(JSON.parse(requests[0] as string)).toMatchObject({
      model: 'judge-1',
      temperature: 0,
      inputs: expect.arrayContaining([{ label: 'output', text: 'Within 30 days.', length: 15 }]) as unknown,
      mistake: null,
    });
    expect(JSON.stringify([calls, verdict, record])).not.toContain(SECRET);
  });

  it('shares its instructions with all evals of the same criterion', async () => {
    const tenant = newTenant();
    const promptHashOf = async (given: Parameters<typeof judge>[2] = {}): Promise<string | undefined> =>
      (await judge(open(), waitingEval(tenant), given)).record?.promptHash;
    const hash = await promptHashOf();
    expect(await promptHashOf()).toBe(hash);
    const other = await promptHashOf({ definition: { config: { criterion: 'It is kind.' } } });
    expect(other).not.toBe(hash);
    const sql = 'SELECT hash, system FROM judge_prompt WHERE application = ?';
    const stored = database().all<{ hash: string; system: string }>(sql, tenant.application);
    expect(new Map(stored.map((one) => [one.hash, one.system]))).toEqual(
      new Map([
        [hash, model.requests[0]?.system],
        [other, model.requests[2]?.system],
      ]),
    );
    const requests = 'SELECT request FROM judge_call WHERE application = ?';
    expect(JSON.stringify(database().all(requests, tenant.application))).not.toContain('The criterion');
  });

  it('is kept without the key that the endpoint put into it', async () => {
    const judged = waitingEval(newTenant());
    behave = () => ({ say: { ...YES, rationale: `I was sent ${SECRET}.` } });
    const judges = open({}, { model: SECRET });
    const { verdict, record } = await judge(judges, judged);
    expect(verdict).toMatchObject({ status: 'COMPLETED', reason: 'I was sent ***.' });
    expect(record?.repeats).toMatchObject([{ model: '***-2026-08-07' }]);
    expect(JSON.stringify([callsOf(judged).map(({ raw }) => raw), verdict, record?.repeats])).not.toContain(
      SECRET,
    );
  });

  it('is kept as it is where the key is a placeholder', async () => {
    const judged = waitingEval(newTenant());
    expect(await judge(open({}, { apiKey: 'yes' }), judged)).toMatchObject({ verdict: { passed: true } });
  });
});

describe('when a trace is deleted', () => {
  const remove = ({ application }: Tenant, traceId: Uint8Array): void => {
    const deleted = deleteTrace(database(), { application, traceIds: [traceId], at: today });
    expect(deleted).not.toBeNull();
    while (commands.purgeTrace(database(), { tkey: deleted?.tkey ?? -1 }));
  };

  it('the texts of its judges are deleted, and what they cost stays', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const traceId = traceBytes(1);
    for (const one of [tenant, other]) one.store([{ trace: 1, id: 1 }]);
    const judged = waitingEval(tenant, { traceId });
    const ofOther = waitingEval(other, { traceId });
    const besides = waitingEval(tenant);
    for (const one of [judged, ofOther, besides]) await judge(open(), one);

    remove(tenant, traceId);
    expect(callsOf(judged)).toEqual([{ repeat: 0, request: null, raw: null, cost: CALL_COST }]);
    for (const one of [ofOther, besides]) {
      expect(callsOf(one)).toEqual([
        { repeat: 0, request: expect.any(String) as string, raw: JSON.stringify(YES), cost: CALL_COST },
      ]);
    }
  });

  it('an answer on its way leaves no text', async () => {
    const tenant = newTenant();
    tenant.store([{ trace: 2, id: 1 }]);
    const judged = waitingEval(tenant, { traceId: traceBytes(2) });
    remove(tenant, traceBytes(2));
    await judge(open(), judged);
    expect(callsOf(judged)).toEqual([{ repeat: 0, request: null, raw: null, cost: CALL_COST }]);
  });
});

describe('a limit of cost', () => {
  const skipped = (of: string): object => ({
    verdict: { status: 'SKIPPED', reason: `the cost limit of the ${of} is reached` },
  });

  it('of a day holds for all applications until the next day', async () => {
    const limits = { dailyCostLimit: 2 * CALL_COST };
    for (const status of ['COMPLETED', 'COMPLETED', 'SKIPPED']) {
      const { verdict } = await judge(open(limits), waitingEval(newTenant()));
      expect(verdict.status).toBe(status);
    }
    const judges = openJudges(database(), [judgeOf(model.openAi)], limits, () => today);
    expect(await judge(judges, waitingEval(newTenant()))).toMatchObject(skipped('day'));
    expect(await judges.metrics.text()).toContain(
      'touchstone_judge_calls_total{judge="first",outcome="judge_cost_limit"} 1',
    );
    expect(model.requests).toHaveLength(2);

    today += DAY_MS;
    expect(await judge(judges, waitingEval(newTenant()))).toMatchObject({ verdict: { status: 'COMPLETED' } });
  });

  it('of a run holds for that run alone, and what was paid before is reported', async () => {
    const tenant = newTenant();
    const runId = randomUUID();
    behave = () => ({ say: YES, afterMs: 20 });
    // The third call begins when the second has ended, long after the first was stored.
    const judges = open({ runCostLimit: CALL_COST }, { concurrency: 1 });
    const { verdict, record } = await judge(judges, waitingEval(tenant, { runId }), {
      definition: { repeats: 3 },
    });
    expect({ verdict }).toEqual(skipped('run'));
    expect(record?.repeats[0]).toMatchObject({ cost: CALL_COST });
    expect(await judge(judges, waitingEval(tenant, { runId }))).toMatchObject(skipped('run'));
    for (const other of [waitingEval(tenant), waitingEval(tenant, { runId: randomUUID() })])
      expect(await judge(judges, other)).toMatchObject({ verdict: { status: 'COMPLETED' } });
    expect(await judge(judges, waitingEval(newTenant(), { runId }))).toMatchObject({
      verdict: { status: 'COMPLETED' },
    });
  });

  it('does not keep a stored answer from counting', async () => {
    const judged = waitingEval(newTenant());
    await judge(open(), judged);
    expect(await judge(open({ dailyCostLimit: 0 }), judged)).toMatchObject({
      verdict: { status: 'COMPLETED' },
    });
    expect(await judge(open({ dailyCostLimit: 0 }), waitingEval(newTenant()))).toMatchObject(skipped('day'));
  });

  it('counts a call once, however often it is stored', () => {
    const { application, subjectId } = waitingEval(newTenant());
    const instructions = { hash: 'prompt', system: 'Judge.' };
    const request = { hash: 'hash', repeat: 0, runId: null, judge: 'first', request: '{}' };
    const call = { application, subjectId, instructions, ...request };
    const reply = {
      raw: '',
      model: 'm',
      fingerprint: null,
      inputTokens: 1,
      outputTokens: 1,
      cost: 5,
      latencyMs: 1,
      attempts: 1,
    };
    for (let time = 0; time < 2; time++) storeJudgeCall(database(), { call, reply, at: today });
    const day = new Date(today).toISOString().slice(0, 10);
    expect(database().get('SELECT application, cost FROM judge_day WHERE day = ?', day)).toEqual({
      application,
      cost: 5,
    });
  });
});

describe('recordings', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder[Symbol.dispose]());

  const record = (): Judges => open({ mode: 'record', folder: folder.path });
  const replay = (): Judges => open({ mode: 'replay', folder: folder.path });

  it('answer in the place of the model, and cost nothing', async () => {
    behave = (index) => ({ say: [YES, 'Well.', { ...YES, verdict: 'no' }, YES][index] as object | string });
    const definition = { repeats: 3 };
    const recorded = await judge(
      open({ mode: 'record', folder: folder.path }, { concurrency: 1 }),
      waitingEval(newTenant()),
      { definition },
    );
    expect(readdirSync(folder.path)).toHaveLength(4);
    const replayed = await judge(replay(), waitingEval(newTenant()), { definition });
    expect(model.requests).toHaveLength(4);
    expect(replayed.verdict).toEqual(recorded.verdict);
    expect(replayed.record?.repeats.map(({ raw }) => raw)).toEqual(
      recorded.record?.repeats.map(({ raw }) => raw),
    );
    expect(replayed.record?.repeats.map(({ cost }) => cost)).toEqual([0, 0, 0]);
  });

  it('are files named by the request, without the key', async () => {
    await judge(record(), waitingEval(newTenant()));
    const [name = ''] = readdirSync(folder.path);
    expect(name).toMatch(/^[\da-f]{64}\.json$/);
    const text = readFileSync(folder.file(name), 'utf8');
    expect(text).not.toContain(SECRET);
    expect(JSON.parse(text)).toMatchObject({
      repeat: 0,
      request: { model: 'judge-1', system: model.requests[0]?.system },
      reply: { raw: JSON.stringify(YES), inputTokens: 1000, outputTokens: 100 },
    });
  });

  it('of evals with the same request at the same time are one', async () => {
    const judges = record();
    const judged = Array.from({ length: 4 }, () => waitingEval(newTenant()));
    for (const { verdict } of await Promise.all(judged.map((one) => judge(judges, one))))
      expect(verdict).toMatchObject({ status: 'COMPLETED' });
    expect(readdirSync(folder.path)).toEqual([expect.stringMatching(/^[\da-f]{64}\.json$/)]);
  });

  it('that cannot be written are written by the next run, and nothing is paid again', async () => {
    const judged = waitingEval(newTenant());
    writeFileSync(folder.file('in the way'), '');
    const blocked = open({ mode: 'record', folder: folder.file('in the way') });
    await expect(judge(blocked, judged)).rejects.toThrow('in the way');
    expect(await judge(record(), judged)).toMatchObject({ verdict: { status: 'COMPLETED' } });
    expect(model.requests).toHaveLength(1);
    expect(await judge(replay(), waitingEval(newTenant()))).toMatchObject({
      verdict: { status: 'COMPLETED' },
    });
    expect(model.requests).toHaveLength(1);
  });

  it('that are missing or broken end the eval and say what to do', async () => {
    const missing = await judge(replay(), waitingEval(newTenant()));
    expect(missing.verdict).toMatchObject({
      status: 'FAILED',
      reason: expect.stringMatching(
        /^judge_not_recorded: there is no recording [\da-f]{64}\.json; run once with judge mode "record"/,
      ) as string,
    });
    await judge(record(), waitingEval(newTenant()));
    const [name = ''] = readdirSync(folder.path);
    for (const text of ['', '{}', '{"reply":{"raw":1}}']) {
      writeFileSync(folder.file(name), text);
      const { verdict } = await judge(replay(), waitingEval(newTenant()));
      expect(verdict).toEqual({
        status: 'FAILED',
        reason: `judge_not_recorded: the file ${name} is not a valid recording; record it again (judge first)`,
      });
    }
    expect(model.requests).toHaveLength(1);
  });

  it('make their folder', async () => {
    rmSync(folder.path, { recursive: true });
    await judge(record(), waitingEval(newTenant()));
    expect(readdirSync(folder.path)).toHaveLength(1);
  });
});
