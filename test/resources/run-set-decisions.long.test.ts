import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { advisoryOf } from '../../src/cli/test-advisory.ts';
import { comparisonWith } from '../../src/cli/test-comparison.ts';
import { outcomeOf, type ServerAccess } from '../../src/cli/test-runs.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { QUESTIONS } from '../../src/evaluate/statistics/question.ts';
import type { Decision, DecisionRule } from '../../src/resources/run-sets/decision-contract.ts';
import { gateVerdictOf, regressionGate } from '../../src/resources/run-sets/gate.ts';
import { makeReport, NO_ADVISORY } from '../../src/resources/run-sets/report.ts';
import type { Database } from '../../src/storage/database.ts';
import { besideServer } from '../support/beside-store.ts';
import { effort } from '../support/effort.ts';
import { mulberry32 } from '../support/random.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { evalOf, storeDefinition, verdict } from '../support/stored-evals.ts';
import { applicationKey, type StoredTest, storeRun, storeTask, storeTest } from '../support/stored-tests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const SETS = effort(8);
const AT = Date.now() - 60_000;
const OUTCOMES = ['PASS', 'FAIL', 'INCONCLUSIVE'] as const;

interface StoredSet {
  id: string;
  runIds: string[];
}

/** Random tasks and definitions, and two run sets of them: the second may have other tests than the first. */
class RandomSets {
  private readonly random: () => number;
  private readonly database: Database;
  private readonly application: number;

  constructor(random: () => number, database: Database, application: number) {
    this.random = random;
    this.database = database;
    this.application = application;
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private upTo(most: number): number {
    return 1 + Math.floor(this.random() * most);
  }

  store(): { taskIds: string[]; baseline: StoredSet; candidate: StoredSet } {
    const taskIds = Array.from({ length: this.upTo(6) }, () => randomUUID());
    for (const id of taskIds) storeTask(this.database, this.application, id);
    const definitions = Array.from({ length: this.upTo(3) }, () => ({
      id: randomUUID(),
      type: this.chance(0.25) ? 'CUSTOM' : 'ASSERT',
    }));
    for (const one of definitions) storeDefinition(this.database, this.application, one);
    const examples = this.upTo(8);
    const rate = 0.5 + this.random() / 2;
    const baseline = this.storeSet(taskIds, { definitions, examples, rate });
    const later = { definitions, examples: this.chance(0.8) ? examples : this.upTo(8), rate: this.random() };
    return { taskIds, baseline, candidate: this.storeSet(taskIds, later) };
  }

  private storeSet(
    taskIds: readonly string[],
    of: { definitions: { id: string; type: string }[]; examples: number; rate: number },
  ): StoredSet {
    const id = randomUUID();
    const runIds = taskIds.map((taskId) => {
      const run = { id: randomUUID(), taskId, createdAt: AT };
      storeRun(this.database, this.application, run);
      this.database.run('UPDATE run SET run_set_id = ? WHERE id = ?', id, run.id);
      const isClean = this.chance(0.5);
      for (let exampleIndex = 0; exampleIndex < of.examples; exampleIndex++)
        this.storeTest({ id: randomUUID(), run, exampleIndex, createdAt: AT }, of, isClean);
      return run.id;
    });
    this.database.run(
      `INSERT INTO run_set (id, application, status, repeat, planned_tests, open_tests, created_at, modified_at)
       VALUES (?, ?, 'COMPLETED', 1, 0, 0, ?, ?)`,
      id,
      this.application,
      AT,
      AT,
    );
    return { id, runIds };
  }

  private storeTest(
    test: StoredTest,
    { definitions, rate }: { definitions: { id: string; type: string }[]; rate: number },
    isClean: boolean,
  ): void {
    if (!isClean && this.chance(0.05)) {
      const code = this.chance(0.5) ? ('webhook_status' as const) : ('webhook_unreachable' as const);
      const failure = { code, message: 'It failed.', hint: '' };
      storeTest(this.database, this.application, { ...test, status: 'FAILED', phase: 'done', failure });
      return;
    }
    const ended = { ...test, status: 'COMPLETED', phase: 'done' } as const;
    storeTest(this.database, this.application, ended);
    const evals = definitions.map(({ id, type }) => {
      if (!isClean && this.chance(0.05))
        return evalOf(ended, id, { definitionType: type, status: 'SKIPPED', reason: 'nothing is expected' });
      return evalOf(ended, id, { definitionType: type, reason: 'because', ...verdict(this.chance(rate)) });
    });
    saveEvals(this.database, { application: this.application, evals, at: AT });
  }
}

const ruleOf = (random: () => number): DecisionRule => ({
  // 1 and less would need the sign.
  failUnder: 2 + Math.round(random() * 98),
  strict: random() < 0.3,
  allowSkipped: random() < 0.5 ? 0 : 100,
  question: QUESTIONS[Math.floor(random() * 3)] ?? 'THESE_TASKS',
  equalTasks: random() < 0.3,
  withAdvisory: random() < 0.3,
  margin: random() < 0.7 ? Math.round(random() * 20) : null,
  minPaired: random() < 0.8 ? 80 : 0,
  findLoss: random() < 0.5 ? 50 : 100,
});

/** Definitions of runs whose verdicts are only shown, as the runs say. */
async function shownOnly(runs: readonly { runId: string }[]): Promise<Decision['advisory']> {
  const found = new Map<string, Decision['advisory'][number]>();
  for (const { runId } of runs) {
    const { run } = await server.ok('GET', `/v0/runs/${runId}`);
    for (const { id, name, isAdvisory } of run.evals)
      if (isAdvisory) found.set(id, { id, name, reason: null });
  }
  return [...found.values()];
}

/** Decides from what lists and comparisons of the API say, without the route that decides. */
async function decideByLists(
  access: ServerAccess,
  { taskIds, baseline, candidate }: ReturnType<RandomSets['store']>,
  rule: DecisionRule,
): Promise<Pick<Decision, 'outcome' | 'rate' | 'comparison'> & { messages: string[] }> {
  const runs = candidate.runIds.map((runId) => ({ runId }));
  const outcome = await outcomeOf(access, runs);
  const { question, equalTasks, withAdvisory } = rule;
  const advisory = withAdvisory ? NO_ADVISORY : await advisoryOf(access, runs, await shownOnly(runs));
  const tasks = taskIds.map((id) => ({ id, title: 'Task' }));
  const report = makeReport(tasks, outcome, { question, equalTasks, advisory });
  const comparison = await comparisonWith(access, runs, {
    baseline: baseline.runIds,
    question,
    equalTasks,
    withAdvisory,
  });
  const gates = [
    gateVerdictOf(report, { ...rule, isStrict: rule.strict }),
    ...(rule.margin === null ? [] : [regressionGate(comparison, { ...rule, margin: rule.margin })]),
  ];
  const codes = gates.map(({ code }) => code);
  return {
    outcome: codes.includes(1) ? 'FAIL' : codes.includes(2) ? 'INCONCLUSIVE' : 'PASS',
    messages: gates.map(({ message }) => message),
    rate: report.rate,
    comparison,
  };
}

it('a decision is what lists and comparisons of the API say, for random run sets and rules', async () => {
  const { url, apiKey, applicationId } = server;
  const access: ServerAccess = {
    api: createClient({ baseUrl: url, apiKey, applicationId }),
    url,
    signal: new AbortController().signal,
    onTrouble: () => undefined,
  };
  const seen = new Set<string>();
  for (let i = 0; i < SETS; i++) {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const random = mulberry32(seed);
    const sets = besideServer(server.folder, (database) =>
      database.transaction(() =>
        new RandomSets(random, database, applicationKey(database, applicationId)).store(),
      ),
    );
    const rule = ruleOf(random);
    const expected = await decideByLists(access, sets, rule);
    const query = new URLSearchParams({ baseline: sets.baseline.id });
    for (const [name, value] of Object.entries(rule)) if (value !== null) query.set(name, String(value));
    const { data } = await server.ok('GET', `/v0/run-sets/${sets.candidate.id}/decision?${query.toString()}`);
    const { outcome, rate, comparison } = data;
    // Which test is the first one that could not be judged may differ.
    const withoutFirst = (text: string): string => text.replace(/ \(.*: .*\)/, '');
    expect(
      {
        outcome,
        rate,
        comparison,
        messages: data.gates.map(({ message }) => withoutFirst(message)),
      },
      `seed ${seed}`,
    ).toEqual({ ...expected, messages: expected.messages.map(withoutFirst) });
    seen.add(outcome);
  }
  expect(OUTCOMES.filter((one) => seen.has(one)).length).toBeGreaterThan(SETS < 20 ? 0 : 2);
});
