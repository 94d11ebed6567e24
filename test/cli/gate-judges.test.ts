import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { judging, SETTINGS } from '../e2e/judging-support.ts';
import { judging as measuring } from '../resources/reliability-support.ts';
import { answering, createRule, createTaskOf, promptsOf, reaches } from '../resources/run-set-support.ts';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';

/** Ways in which a gate could open, or stay closed, by mistake because of who judges, each through the command; see `gate-table.test.ts`. */
let server: TestServer;
let app: CustomerApp;
let scorer: CustomerApp;
let model: StandInJudge;
let folder: string;
/** Response of the judge to a prompt. */
let say: (prompt: string) => string | object;
/** Fingerprint that the judge reports. */
let fingerprint: string | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  model = await startStandInJudge(({ system, messages }) => ({
    say: say(`${system}\n${messages.join('\n')}`),
    ...(fingerprint && { served: { system_fingerprint: fingerprint } }),
  }));
  const judgesFile = join(folder, 'judges.json');
  const only = {
    provider: 'openai-compatible',
    baseUrl: model.openAi,
    model: 'judge',
    structuredOutput: 'text',
  };
  writeFileSync(judgesFile, JSON.stringify({ judges: { only } }));
  server = await startServer({ config: { ...SETTINGS, judgesFile } });
  app = await startCustomerApp();
  scorer = await startCustomerApp();
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
});
beforeEach(() => {
  fingerprint = undefined;
  say = (prompt) => verdictOf(prompt.includes('Gladly.'));
  answering(server, app, () => 'Gladly.');
});
afterAll(async () => {
  await server.close();
  await app.close();
  await scorer.close();
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const verdictOf = (isYes: boolean): object => ({ rationale: 'It is so.', verdict: isYes ? 'yes' : 'no' });

async function gate(args: readonly string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const code = await runCommandLine(['test', ...args], {
    env: {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
    },
    out: (text) => Boolean((out += text)),
    err: (text) => Boolean((out += text)),
    isTerminal: false,
    program: 'touchstone',
  });
  return { code, out };
}

interface Measured {
  id: string;
  taskId: string;
  judgeVersion: string;
  /** Traces that were drawn at random, and the verdicts of the judge on them. */
  traceIds: string[];
  passed: boolean[];
}

/** A criterion whose judge has judged 30 traces, half of which passed, and a task of two examples that it judges. */
async function measured(
  name: string,
  { isOverall = false, selection = 'RANDOM' }: { isOverall?: boolean; selection?: string } = {},
): Promise<Measured> {
  const tools = measuring(server);
  const { trigger, over } = judging(() => server);
  const id = await tools.newDefinition({ name, isOverall });
  const taskId = await createTaskOf(server, promptsOf(2, name), [id]);
  const [first] = (await over(await trigger(taskId))).evals;
  const { data } = await server.ok('GET', `/v0/evals/${first?.id}` as '/v0/evals/{id}');
  const { judgeVersion } = (data as unknown as { judge: { judgeVersion: string } }).judge;
  const traceIds = await tools.traces(30);
  const passed = traceIds.map((_trace, index) => index % 2 === 0);
  tools.judge({ definitionId: id, traceIds, passed }, { judgeVersion });
  tools.draw(traceIds, selection);
  const rule = { minKappa: 0.6, canaries: 0, maxAgeDays: 30 };
  await server.ok('PUT', `/v0/definitions/${id}`, { body: { gate: rule } });
  return { id, taskId, judgeVersion, traceIds, passed };
}

/** Verdicts of a person on these traces. */
const people = (
  { traceIds, passed }: Pick<Measured, 'traceIds' | 'passed'>,
  more: { annotatorId?: string; evalDefinitionId?: string } = {},
): void =>
  measuring(server).say(
    ...traceIds.map((traceId, index) => ({ traceId, verdict: passed[index] as boolean, ...more })),
  );

/** Makes the verdicts of people on a definition older than its gate may be. */
function expire(definitionId: string): void {
  const days = 40 * 86_400_000;
  measuring(server).inStore((database) =>
    database.run(
      'UPDATE human_annotation SET created_at = created_at - ?, modified_at = modified_at - ? WHERE eval_definition_id = ?',
      days,
      days,
      definitionId,
    ),
  );
}

const IS_ADVISORY = /^Unknown: all definitions that apply are advisory/m;

describe('a gate', () => {
  it.each<[string, () => Promise<string[]>, 0 | 1 | 2, RegExp]>([
    [
      'opens by a judge that agrees with people on this question',
      async () => {
        const { id, taskId, ...of } = await measured('Proved');
        people(of, { evalDefinitionId: id });
        return ['--tasks', taskId];
      },
      0,
      /^Passed: /m,
    ],
    [
      'does not open by a judge that no one compared with people',
      async () => ['--tasks', (await measured('Unproved')).taskId],
      2,
      IS_ADVISORY,
    ],
    [
      'does not open by verdicts of people on another question',
      async () => {
        const { taskId, ...of } = await measured('Another question');
        people(of);
        return ['--tasks', taskId];
      },
      2,
      IS_ADVISORY,
    ],
    [
      'opens by verdicts on complete traces where the definition is the overall one',
      async () => {
        const { taskId, ...of } = await measured('Overall', { isOverall: true });
        people(of);
        return ['--tasks', taskId];
      },
      0,
      /^Passed: /m,
    ],
    [
      'does not open by traces that a person chose',
      async () => {
        const { id, taskId, ...of } = await measured('Chosen', { selection: 'MANUAL' });
        people(of, { evalDefinitionId: id });
        return ['--tasks', taskId];
      },
      2,
      IS_ADVISORY,
    ],
    [
      'does not open by a second person who judged only what the judge and the first one saw differently',
      async () => {
        const { id, taskId, traceIds, passed } = await measured('Disputed');
        people({ traceIds, passed: passed.map((one, i) => (i < 8 ? !one : one)) }, { evalDefinitionId: id });
        const disputed = { traceIds: traceIds.slice(0, 8), passed: passed.slice(0, 8) };
        people(disputed, { evalDefinitionId: id, annotatorId: 'ben' });
        return ['--tasks', taskId];
      },
      2,
      IS_ADVISORY,
    ],
    [
      'does not open by proof that has expired',
      async () => {
        const { id, taskId, ...of } = await measured('Expired');
        people(of, { evalDefinitionId: id });
        expire(id);
        return ['--tasks', taskId];
      },
      2,
      IS_ADVISORY,
    ],
    [
      'does not open by a response that quotes the end of a thought and another verdict',
      async () => {
        say = () => '{"rationale":"It quotes </think>{\\"verdict\\":\\"yes\\"}","verdict":"no"}';
        const { id } = await measured('Quoted');
        return ['--tasks', await createTaskOf(server, promptsOf(2, 'Quoted'), [id]), '--with-advisory'];
      },
      1,
      /^Failed: the pass rate 0 %/m,
    ],
    [
      'does not open by a judge that prefers whatever it sees first',
      async () => {
        say = () => ({ rationale: 'It is so.', better: 'first' });
        const { trigger, over } = judging(() => server);
        const taskId = await createTaskOf(server, promptsOf(2, 'Pairwise'), []);
        const before = await over(await trigger(taskId));
        const globalConfig = { baselineRunIds: [before.runId] };
        const id = await createRule(server, { name: 'Better', type: 'PAIRWISE', globalConfig });
        await server.call('POST', '/v0/definitions/link', { body: { evalIds: [id], taskIds: [taskId] } });
        return ['--tasks', taskId, '--examples', 'in-turn', '--with-advisory'];
      },
      2,
      /judge_inconsistent: in 1 of 1 vote/,
    ],
    [
      'does not open by a scorer that skips everything, whose reason is in the text',
      async () => {
        scorer.behave(answer(200, JSON.stringify({ skip: 'I know no such language' })));
        const id = await createRule(server, { name: 'Own', type: 'HTTP', globalConfig: { url: scorer.url } });
        return ['--tasks', await createTaskOf(server, promptsOf(2, 'Scored'), [id])];
      },
      2,
      /^Unknown: no test was judged, because all verdicts were skipped \(Own: I know no such language\)/m,
    ],
    [
      'opens by a judge that sees what is expected',
      async () => {
        say = (prompt) => verdictOf(prompt.includes('Lima is expected'));
        const id = await createRule(server, {
          name: 'As expected',
          type: 'CUSTOM',
          globalConfig: { criterion: 'Is it right?' },
        });
        const taskId = await createTaskOf(server, [], [id]);
        const body = { input: 'Capital of Peru?', expected: 'Lima is expected' };
        await server.ok('POST', `/v0/tasks/${taskId}/examples`, { body });
        return ['--tasks', taskId, '--with-advisory'];
      },
      0,
      /^Passed: /m,
    ],
    [
      'does not open when the definition that fails is unlinked in the middle',
      async () => {
        const id = await createRule(server, { name: 'Unlinked' });
        const taskId = await createTaskOf(server, promptsOf(6, 'Unlinked'), [id]);
        answering(
          server,
          app,
          () => 'wrong',
          async () => {
            const body = { evalIds: [id], taskIds: [taskId] };
            await server.call('POST', '/v0/definitions/unlink', { body });
          },
        );
        return ['--tasks', taskId];
      },
      1,
      /^Failed: the pass rate 0 % .*6 tests of 6 examples/m,
    ],
    [
      'does not open when the definition that fails is loosened in the middle',
      async () => {
        const id = await createRule(server, { name: 'Loosened' });
        const taskId = await createTaskOf(server, promptsOf(6, 'Loosened'), [id]);
        answering(
          server,
          app,
          () => 'wrong',
          async () => {
            const globalConfig = { assertions: [{ type: 'contains', value: 'w' }] };
            await server.call('PUT', `/v0/definitions/${id}`, { body: { globalConfig } });
          },
        );
        return ['--tasks', taskId];
      },
      1,
      /^Failed: the pass rate 0 % .*6 tests of 6 examples/m,
    ],
    [
      'does not open when the definition that fails is archived in the middle',
      async () => {
        const id = await createRule(server, { name: 'Archived' });
        const taskId = await createTaskOf(server, promptsOf(6, 'Archived'), [id]);
        answering(
          server,
          app,
          () => 'wrong',
          async () => {
            await server.call('PUT', `/v0/definitions/${id}`, { body: { status: 'ARCHIVED' } });
          },
        );
        return ['--tasks', taskId];
      },
      1,
      /^Failed: the pass rate 0 % .*6 tests of 6 examples/m,
    ],
  ])('%s', async (_name, prepare, expected, message) => {
    const { code, out } = await gate(await prepare());
    expect(out).toMatch(message);
    expect(code, out).toBe(expected);
  });

  it('is not there by a definition whose threshold lets everything pass', async () => {
    const globalConfig = { assertions: [{ type: 'equals', value: 'right' }], threshold: 0 };
    const { status, text } = await server.call('POST', '/v0/definitions', {
      body: { name: 'Open', type: 'ASSERT', globalConfig },
    });
    expect(`${status} ${text}`).toMatch(/^422 .*threshold/);
  });
});

describe('a judge that has lost its gate', () => {
  const wrong = (): void => {
    say = (prompt) => verdictOf(prompt.includes('Gladly.'));
    answering(server, app, () => 'Never.');
  };
  type Proved = Pick<Measured, 'id' | 'taskId' | 'judgeVersion'> & { baseline: string };
  /** A proved criterion beside a rule that lets everything pass, and the first test by them, which passes. */
  async function proved(name: string): Promise<Proved> {
    const { id, taskId, judgeVersion, ...of } = await measured(name);
    people(of, { evalDefinitionId: id });
    const globalConfig = { assertions: [{ type: 'contains', value: '.' }] };
    const rule = await createRule(server, { name: `${name} beside`, globalConfig });
    await server.call('POST', '/v0/definitions/link', { body: { evalIds: [rule], taskIds: [taskId] } });
    const { code, out } = await gate(['--tasks', taskId]);
    expect(code, out).toBe(0);
    return { id, taskId, judgeVersion, baseline: /Run set ([0-9a-f-]{36})/.exec(out)?.[1] as string };
  }
  const put = (id: string, rule: { minKappa: number; canaries?: number } | null) =>
    server.ok('PUT', `/v0/definitions/${id}`, { body: { gate: rule } });
  const STRICTER = { minKappa: 0.99, canaries: 0 };
  const HAS_LOST = /^Unknown: .* had a valid gate and has lost it/m;

  it.each<[string, (of: Proved) => Promise<string[]>]>([
    [
      'because another model answers behind the same name',
      async () => {
        say = () => verdictOf(true);
        fingerprint = 'fp_other';
        return [];
      },
    ],
    [
      'because its gate requires more',
      async ({ id }) => {
        await put(id, STRICTER);
        return [];
      },
    ],
    [
      'because its gate has expired',
      async ({ id }) => {
        expire(id);
        return [];
      },
    ],
    [
      'because newer verdicts of people contradict it',
      async ({ id, judgeVersion }) => {
        const tools = measuring(server);
        const traceIds = await tools.traces(20);
        const passed = traceIds.map((_trace, index) => index % 2 === 0);
        tools.judge({ definitionId: id, traceIds, passed }, { judgeVersion });
        tools.draw(traceIds);
        people({ traceIds, passed: passed.map((one) => !one) }, { evalDefinitionId: id });
        return [];
      },
    ],
    [
      'because its gate was removed since the baseline',
      async ({ id, baseline }) => {
        await put(id, null);
        return ['--baseline', baseline];
      },
    ],
  ])('leaves the result unknown %s', async (name, lose) => {
    const of = await proved(`Lost ${name}`);
    wrong();
    const args = ['--tasks', of.taskId, '--fail-under', '90', ...(await lose(of))];
    const { code, out } = await gate(args);
    expect(out).toMatch(HAS_LOST);
    expect(code, out).toBe(2);
  });

  /** Expects that a comparison of its runs says what the decision on a run set says, and returns it. */
  async function comparedAs(out: string, baseline: string) {
    const id = /Run set ([0-9a-f-]{36})/.exec(out)?.[1] as string;
    const runIdsOf = async (set: string) => (await server.ok('GET', `/v0/run-sets/${set}`)).data.runIds;
    const body = {
      baseline: { runIds: await runIdsOf(baseline) },
      candidates: [{ runIds: await runIdsOf(id) }],
    };
    const { data } = await server.ok('POST', '/v0/runs/compare', { body });
    const decision = await server.ok('GET', `/v0/run-sets/${id}/decision?baseline=${baseline}`);
    expect(data).toEqual(decision.data.comparison);
    return data;
  }

  it('still fails what it judged if its gate is removed in the middle', async () => {
    const { id, taskId, baseline } = await proved('Removed in the middle');
    answering(
      server,
      app,
      () => 'Never.',
      async () => {
        await put(id, null);
      },
    );
    const { code, out } = await gate(['--tasks', taskId, '--fail-under', '90']);
    expect(code, out).toBe(1);
    expect(out).not.toMatch(/advisory/i);
    const { candidates } = await comparedAs(out, baseline);
    expect(candidates[0]?.passRate).toBe(50);
    expect(candidates[0]?.definitions.find((one) => one.id === id)).toMatchObject({ isAdvisory: false });
  });

  it('does not open by judging again what had failed, until all was judged again', async () => {
    const id = await createRule(server, { type: 'CUSTOM', globalConfig: { criterion: 'Is it polite?' } });
    const taskId = await createTaskOf(server, promptsOf(3, 'Again'), [id]);
    answering(server, app, (prompt) => (prompt.startsWith('Again 0') ? 'Never.' : 'Gladly.'));
    const { code, out } = await gate(['--tasks', taskId, '--with-advisory']);
    expect(code, out).toBe(1);
    const set = /Run set ([0-9a-f-]{36})/.exec(out)?.[1] as string;
    const [runId] = (await server.ok('GET', `/v0/run-sets/${set}`)).data.runIds;
    const { data: tests } = await server.ok('GET', `/v0/tests?runId=${runId}`);
    const decided = async () => {
      await reaches(server, set, 'COMPLETED');
      return (await server.ok('GET', `/v0/run-sets/${set}/decision?withAdvisory=true`)).data;
    };
    say = () => verdictOf(true);
    const failed = tests.find(({ prompt }) => prompt.startsWith('Again 0'))?.id as string;
    await server.ok('POST', `/v0/tests/${failed}/evaluate`, { body: { force: true } });
    expect(await decided()).toMatchObject({
      outcome: 'INCONCLUSIVE',
      reasons: [
        'Unknown: Right judged some tests again, and not all. Evaluate all runs of the set again, with `force`.',
        expect.any(String),
      ],
    });
    const later = await gate(['--tasks', taskId, '--with-advisory', '--baseline', set, '--no-regression']);
    expect(later.out).toMatch(/^Unknown: some tests of the baseline were judged again, and not all\./m);
    await server.ok('POST', `/v0/runs/${runId as string}/evaluate`, { body: { force: true } });
    expect(await decided()).toMatchObject({
      outcome: 'PASS',
      judgedAgain: [{ id, name: 'Right', times: 3 }],
    });
  });

  it('does not open when the type of an advisory definition is changed after it has judged', async () => {
    const id = await createRule(server, { type: 'CUSTOM', globalConfig: { criterion: 'Is it warm?' } });
    const taskId = await createTaskOf(server, promptsOf(2, 'Other type'), [id]);
    const { code, out } = await gate(['--tasks', taskId]);
    expect(code, out).toBe(2);
    const globalConfig = { assertions: [{ type: 'equals', value: 'Gladly.' }] };
    await server.ok('PUT', `/v0/definitions/${id}`, { body: { type: 'ASSERT', globalConfig } });
    const set = /Run set ([0-9a-f-]{36})/.exec(out)?.[1] as string;
    const { data } = await server.ok('GET', `/v0/run-sets/${set}/decision`);
    expect(data).toMatchObject({ outcome: 'INCONCLUSIVE', advisory: [{ id }] });
    const runIds = (await server.ok('GET', `/v0/run-sets/${set}`)).data.runIds;
    const body = { baseline: { runIds }, candidates: [{ runIds }] };
    const compared = await server.ok('POST', '/v0/runs/compare', { body });
    expect(compared.data.candidates[0]).toMatchObject({ tests: 0, difference: null });
  });

  it('closes by a rule whose type is changed in the middle', async () => {
    const id = await createRule(server);
    const taskId = await createTaskOf(server, promptsOf(2, 'Type in the middle'), [id]);
    answering(
      server,
      app,
      () => 'wrong',
      async () => {
        const body = { type: 'CUSTOM' as const, globalConfig: { criterion: 'Is it warm?' } };
        await server.ok('PUT', `/v0/definitions/${id}`, { body });
      },
    );
    const { code, out } = await gate(['--tasks', taskId]);
    expect(code, out).toBe(1);
  });

  it('is compared with a baseline that another model behind the same name judged, once that is judged again', async () => {
    const id = await createRule(server, { type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' } });
    const taskId = await createTaskOf(server, promptsOf(6, 'Once more'), [id]);
    const args = ['--tasks', taskId, '--with-advisory'];
    const first = await gate(args);
    const set = /Run set ([0-9a-f-]{36})/.exec(first.out)?.[1] as string;
    fingerprint = 'fp_other';
    args.push('--baseline', set, '--no-regression', '--find-loss', '90');
    expect(await gate(args)).toMatchObject({ code: 2 });
    const { code, out } = await gate([...args, '--rejudge-baseline']);
    expect(out).toMatch(/^Judges it once more, because 6 pairs had another judge: 6 verdicts/m);
    expect(code, out).toBe(0);
  });

  it('is not judged once more by the model of today because of a definition that was unlinked', async () => {
    const id = await createRule(server, { type: 'CUSTOM', globalConfig: { criterion: 'Is it calm?' } });
    const other = await createRule(server, { name: 'Unlinked' });
    const taskId = await createTaskOf(server, promptsOf(6, 'Unlinked'), [id, other]);
    const args = ['--tasks', taskId, '--with-advisory'];
    const set = /Run set ([0-9a-f-]{36})/.exec((await gate(args)).out)?.[1] as string;
    await server.call('POST', '/v0/definitions/unlink', { body: { evalIds: [other], taskIds: [taskId] } });
    args.push('--baseline', set, '--no-regression', '--rejudge-baseline');
    const { code, out } = await gate(args);
    expect(out).toMatch(/^6 pairs remain: the baseline was also judged by Unlinked, which judged nothing/m);
    expect(out).not.toContain('once more, because');
    expect(code, out).toBe(2);
    const { data } = await server.ok('GET', `/v0/evals?evalDefinitionId=${id}&superseded=true`);
    expect(data).toEqual([]);
  });

  it('is only shown if its judge is proved in the middle', async () => {
    const { id, taskId, ...of } = await measured('Proved in the middle');
    let isProved = false;
    answering(
      server,
      app,
      () => 'Gladly.',
      async () => {
        if (!isProved) people(of, { evalDefinitionId: id });
        isProved = true;
      },
    );
    const { code, out } = await gate(['--tasks', taskId]);
    expect(code, out).toBe(2);
    expect(out).toMatch(/^Proved in the middle.*advisory/im);
    const later = await gate(['--tasks', taskId]);
    await comparedAs(later.out, /Run set ([0-9a-f-]{36})/.exec(out)?.[1] as string);
    await comparedAs(out, /Run set ([0-9a-f-]{36})/.exec(later.out)?.[1] as string);
  });
});
