import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareRunsBody } from '../../src/api/generated/schema.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { RunComparison } from '../../src/resources/runs/compare-contract.ts';
import type { Database } from '../../src/storage/database.ts';
import { besideServer } from '../support/beside-store.ts';
import { type HttpCase, testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import { evalOf, storeDefinition, verdict } from '../support/stored-evals.ts';
import { applicationKey, storeRun, type StoredRun, storeTask, storeTest } from '../support/stored-tests.ts';

const UNKNOWN = uuid(0xdead);
const [KIND, SHORT, LONE, JUDGED] = [uuid(0x2001), uuid(0x2002), uuid(0x2003), uuid(0x2004)];
const [VARIANT, THEIR_VARIANT] = [uuid(0x3001), uuid(0x3002)];
const APP_FAULT = { code: 'webhook_status', message: '', hint: '' } as const;
const OTHER_FAULT = { code: 'webhook_blocked_address', message: '', hint: '' } as const;

let server: TestServer;
let other: Tenant;
let runs = 0;

/**
 * Stores a run of the task, a test of each input example in turn for each letter: `p` both definitions let it pass, `f`
 * neither, `m` KIND does and SHORT does not; `P`, `F` KIND alone judges it; `a` it failed by the fault of the app, `o`
 * otherwise; `r` it still runs.
 */
function storeOutcomes(
  database: Database,
  application: number,
  task: number,
  outcomes: string,
  more: Partial<StoredRun> & { examples?: number } = {},
): string {
  const { examples = outcomes.length, ...ofRun } = more;
  const run: StoredRun = { id: uuid(0x50_000 + runs++), taskId: uuid(task), createdAt: BASE_MS, ...ofRun };
  storeRun(database, application, run);
  for (const [i, outcome] of outcomes.split('').entries()) {
    const ended = { a: APP_FAULT, o: OTHER_FAULT }[outcome];
    const status = outcome === 'r' ? 'IN_PROGRESS' : ended ? 'FAILED' : 'COMPLETED';
    const test = { id: randomUUID(), run, status, createdAt: BASE_MS + i } as const;
    storeTest(database, application, {
      ...test,
      exampleIndex: i % examples,
      ...(ended && { failure: ended }),
    });
    if (status !== 'COMPLETED') continue;
    const evals = [evalOf(test, KIND, verdict('pmP'.includes(outcome), 'pmP'.includes(outcome) ? 0.9 : 0.1))];
    if ('pfm'.includes(outcome)) evals.push(evalOf(test, SHORT, verdict(outcome === 'p')));
    saveEvals(database, { application, evals, at: BASE_MS });
  }
  return run.id;
}

const inStore = <T>(work: (database: Database, application: number) => T): T =>
  besideServer(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    return database.transaction(() => work(database, application));
  });

const run = (task: number, outcomes: string, more: Partial<StoredRun> & { examples?: number } = {}): string =>
  inStore((database, application) => storeOutcomes(database, application, task, outcomes, more));

/** A run of each of several tasks, the first of which is `from`. */
const runsOf = (from: number, outcomes: readonly string[], examples = 1): string[] =>
  inStore((database, application) =>
    outcomes.map((ofTask, i) => storeOutcomes(database, application, from + i, ofTask, { examples })),
  );

beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
  inStore((database, application) => {
    storeDefinition(database, application, { id: KIND, name: 'Kind', type: 'OUTPUT_MATCH' });
    storeDefinition(database, application, { id: SHORT, name: 'Short', type: 'ASSERT' });
    storeDefinition(database, application, { id: LONE, name: 'Lone' });
    storeDefinition(database, application, { id: JUDGED, name: 'Judged', type: 'CUSTOM' });
    for (let task = 0x1000; task < 0x1080; task++) storeTask(database, application, uuid(task));
    for (const [id, of] of [
      [VARIANT, application],
      [THEIR_VARIANT, applicationKey(database, other.applicationId)],
    ] as const)
      database.run(
        `INSERT INTO experiment_variant (id, application, experiment_id, title, status, config_patch, created_at, modified_at)
         VALUES (?, ?, ?, 'V', 'COMPLETED', '{}', 0, 0)`,
        id,
        of,
        randomUUID(),
      );
  });
});
afterAll(() => server.close());

async function compare(given: object): Promise<RunComparison> {
  const body = given as CompareRunsBody;
  return (await server.ok('POST', '/v0/runs/compare', { body })).data;
}

const sides = (baseline: readonly string[], ...candidates: (readonly string[])[]) => ({
  baseline: { runIds: baseline },
  candidates: candidates.map((runIds) => ({ runIds })),
});

describe('POST /v0/runs/compare', () => {
  it('takes the tests of an example on both sides for a pair, and each example for one observation', async () => {
    const [before, after] = [run(0x1000, 'pppppppppfffff'), run(0x1000, 'pppppppfppppff')];
    const { baseline, candidates, ...rest } = await compare(sides([before], [after]));
    expect(rest).toEqual({ confidence: 0.95, question: 'EXAMPLES_LIKE_THESE', definitionId: null });
    expect(baseline).toEqual({
      tests: 14,
      unfinished: 0,
      errors: 0,
      tracesDeleted: 0,
      passRate: 64.2857142857,
      passRateInterval: {
        // The interval of Clopper and Pearson of 9 of 14.
        low: expect.closeTo(35.138, 2) as number,
        high: expect.closeTo(87.24, 2) as number,
        question: 'EXAMPLES_LIKE_THESE',
        clusteredBy: 'EXAMPLE',
        clusters: 14,
        examples: 14,
        tests: 14,
        method: 'GAFFKE',
      },
    });
    const [candidate] = candidates;
    expect(candidate).toMatchObject({ pairs: 14, onlyInBaseline: 0, onlyInCandidate: 0 });
    // One pair is worse and three are better: too few differ to say anything.
    expect(candidate?.difference).toMatchObject({
      baseline: 64.2857142857,
      candidate: 78.5714285714,
      estimate: 14.2857142857,
      method: 'SIGN_FLIP',
      clusteredBy: 'EXAMPLE',
      clusters: 14,
      pValue: 1,
      adjustedPValue: 1,
    });
    expect(candidate?.difference?.low).toBeLessThan(0);
    expect(candidate?.difference?.high).toBeGreaterThan(14.3);
    expect(candidate?.effectSize).toEqual({
      riskDifference: 0.142857142857,
      oddsRatio: expect.closeTo(11 / 3 / (9 / 5), 9) as number,
      cohensD: expect.closeTo(0.31, 1) as number,
    });
    expect(candidate?.definitions).toEqual(
      [
        [KIND, 'Kind', 'OUTPUT_MATCH'],
        [SHORT, 'Short', 'ASSERT'],
      ].map(([id, name, type]) => ({
        id,
        name,
        type,
        isAdvisory: false,
        pairs: 14,
        baseline: 64.2857142857,
        candidate: 78.5714285714,
        difference: 14.2857142857,
        correctedBaseline: null,
        correctedCandidate: null,
      })),
    );
  });

  it('takes each of several tasks for one observation, whatever its tests', async () => {
    const before = runsOf(0x1010, ['ppf', 'fff', 'pff', 'ppp', 'pff', 'fff', 'ppf', 'pff']);
    const after = runsOf(0x1010, ['ppp', 'pff', 'ppf', 'ppp', 'ppf', 'pff', 'ppp', 'ppp']);
    const body = sides(before, after);
    const { candidates } = await compare(body);
    const { difference, tasks, pairs } = candidates[0] as RunComparison['candidates'][number];
    expect(pairs).toBe(8);
    expect(difference).toMatchObject({ clusteredBy: 'TASK', clusters: 8, estimate: 33.3333333333 });
    // Seven of seven that changed improved.
    expect(difference?.low).toBeGreaterThan(0);
    expect(tasks).toMatchObject({ better: 7, worse: 0, same: 1, mostWorsened: [] });
    expect(tasks.mostImproved[0]).toEqual({
      taskId: uuid(0x1017),
      title: 'Task',
      pairs: 1,
      baseline: 33.3333333333,
      candidate: 100,
      difference: 66.6666666667,
    });
    expect(await compare(body)).toMatchObject({ candidates: [{ difference }] });
    const these = await compare({ ...body, question: 'THESE_EXAMPLES' });
    expect(these.candidates[0]?.difference).toMatchObject({
      question: 'THESE_EXAMPLES',
      clusteredBy: 'TEST',
      method: 'NEWCOMBE_INDEPENDENT',
    });
    expect(these.candidates[0]?.difference?.low).toBeGreaterThan(0);
  });

  it('compares whether tests passed, if asked', async () => {
    // A test with one of two verdicts has failed, and one that the app failed too.
    const [before, after] = [run(0x1070, 'ppppppoP'), run(0x1070, 'mmmmmaoP')];
    const { baseline, candidates } = await compare({ ...sides([before], [after]), by: 'OUTCOME' });
    expect(baseline).toMatchObject({ tests: 7, errors: 1, passRate: 100 });
    expect(candidates[0]).toMatchObject({ tests: 7, pairs: 7, passRate: 14.2857142857 });
    expect(candidates[0]?.difference).toMatchObject({ estimate: -85.7142857143 });
    expect(candidates[0]?.difference?.high).toBeLessThan(0);
  });

  it('leaves out the verdicts of a judge without a gate, unless asked, and marks it', async () => {
    const judged = (passed: boolean): string =>
      inStore((database, application) => {
        const id = storeOutcomes(database, application, 0x1074, 'pp');
        const tests = database.all<{ id: string }>('SELECT id FROM test WHERE run_id = ?', id);
        const ofRun = { id, taskId: uuid(0x1074), createdAt: BASE_MS };
        const evals = tests.map((test) =>
          evalOf({ ...test, run: ofRun, status: 'COMPLETED', createdAt: BASE_MS }, JUDGED, verdict(passed)),
        );
        saveEvals(database, { application, evals, at: BASE_MS });
        return id;
      });
    const body = sides([judged(true)], [judged(false)]);
    const { candidates } = await compare(body);
    expect(candidates[0]).toMatchObject({ passRate: 100, difference: { estimate: 0 } });
    expect(candidates[0]?.definitions).toMatchObject([
      { id: KIND, isAdvisory: false, difference: 0 },
      { id: SHORT, isAdvisory: false, difference: 0 },
      { id: JUDGED, isAdvisory: true, difference: -100 },
    ]);
    const withAdvisory = await compare({ ...body, withAdvisory: true });
    expect(withAdvisory.candidates[0]).toMatchObject({
      passRate: 66.6666666667,
      difference: { estimate: -33.3333333333 },
    });
    const alone = await compare({ ...body, definitionId: JUDGED });
    expect(alone.candidates[0]).toMatchObject({ passRate: 0, difference: { estimate: -100 } });
  });

  it('lets a judge decide by the gates that the run sets of the candidate have fixed, each of them', async () => {
    const judged = (runSetId: string, task: number): string =>
      inStore((database, application) => {
        const id = storeOutcomes(database, application, task, 'pp');
        database.run('UPDATE run SET run_set_id = ? WHERE id = ?', runSetId, id);
        const tests = database.all<{ id: string }>('SELECT id FROM test WHERE run_id = ?', id);
        const ofRun = { id, taskId: uuid(task), createdAt: BASE_MS };
        const evals = tests.map((test) =>
          evalOf({ ...test, run: ofRun, status: 'COMPLETED', createdAt: BASE_MS }, JUDGED, {
            ...verdict(false),
            judgeVersion: 'j',
          }),
        );
        saveEvals(database, { application, evals, at: BASE_MS });
        return id;
      });
    const [proved, unproved] = [randomUUID(), randomUUID()];
    inStore((database, application) => {
      for (const [id, state, judge] of [
        [proved, 'PROVED', 'j'],
        [unproved, 'UNPROVED', null],
      ] as const)
        database.run(
          `INSERT INTO run_set_definition (application, run_set_id, definition_id, version, name, type, repeats, global_config,
             gate_state, gate_judge) VALUES (?, ?, ?, 1, 'Judged', 'CUSTOM', 1, '{}', ?, ?)`,
          application,
          id,
          JUDGED,
          state,
          judge,
        );
    });
    const [before, after] = [judged(unproved, 0x107d), judged(proved, 0x107d)];
    const decided = await compare(sides([before], [after]));
    expect(decided.candidates[0]).toMatchObject({ passRate: 66.6666666667 });
    expect(decided.candidates[0]?.definitions.find(({ id }) => id === JUDGED)?.isAdvisory).toBe(false);
    const shown = await compare(sides([after], [before]));
    expect(shown.candidates[0]).toMatchObject({ passRate: 100 });
    const both = await compare(sides([before], [after, judged(unproved, 0x107e)]));
    expect(both.candidates[0]).toMatchObject({ passRate: 100 });
    expect(both.candidates[0]?.definitions.find(({ id }) => id === JUDGED)?.isAdvisory).toBe(true);
  });

  it('says of no difference that it is none', async () => {
    const both = [runsOf(0x1020, ['ppp', 'ppp']), runsOf(0x1020, ['ppp', 'ppp'])] as const;
    const { candidates } = await compare(sides(...both));
    expect(candidates[0]?.difference).toMatchObject({ estimate: 0, pValue: 1, adjustedPValue: 1 });
    expect(candidates[0]?.difference?.low).toBeLessThan(0);
  });

  it('compares only what both sides tested, and counts the rest', async () => {
    const before = [run(0x1030, 'ppf'), run(0x1031, 'p')];
    const after = [run(0x1030, 'pp'), run(0x1032, 'ff')];
    const { candidates } = await compare(sides(before, after));
    expect(candidates[0]).toMatchObject({
      tests: 4,
      passRate: 50,
      pairs: 2,
      onlyInBaseline: 2,
      onlyInCandidate: 2,
      difference: { baseline: 100, candidate: 100 },
    });
  });

  it('has nothing to say where no pair is', async () => {
    const { candidates, baseline } = await compare(sides([run(0x1030, 'r')], [run(0x1031, 'p')]));
    expect(baseline).toEqual({
      tests: 0,
      unfinished: 1,
      errors: 0,
      tracesDeleted: 0,
      passRate: null,
      passRateInterval: null,
    });
    expect(candidates[0]).toMatchObject({
      pairs: 0,
      difference: null,
      effectSize: null,
      tasks: { better: 0, worse: 0, same: 0 },
      definitions: [],
    });
  });

  it('counts what failed by the fault of the app as 0, and nothing else that failed or runs', async () => {
    const [before, after] = [run(0x1030, 'pppp'), run(0x1030, 'paor')];
    const { candidates } = await compare(sides([before], [after]));
    expect(candidates[0]).toMatchObject({ tests: 2, unfinished: 1, errors: 1, passRate: 50, pairs: 2 });
  });

  it('compares by one definition alone when asked to', async () => {
    const [before, after] = [run(0x1030, 'mmP'), run(0x1030, 'pfF')];
    const body = sides([before], [after]);
    const both = await compare(body);
    expect(both.candidates[0]?.definitions).toMatchObject([
      { id: KIND, pairs: 3, baseline: 100, candidate: 33.3333333333, difference: -66.6666666667 },
      { id: SHORT, pairs: 2, baseline: 0, candidate: 50, difference: 50 },
    ]);
    const short = await compare({ ...body, definitionId: SHORT });
    expect(short).toMatchObject({
      definitionId: SHORT,
      baseline: { tests: 2, passRate: 0 },
      candidates: [{ pairs: 2, difference: { estimate: 50, clusters: 2 } }],
    });
    expect(short.candidates[0]?.definitions.map(({ id }) => id)).toEqual([SHORT]);
    expect(await compare({ ...body, definitionId: LONE })).toMatchObject({
      baseline: { tests: 0 },
      candidates: [{ pairs: 0, difference: null }],
    });
  });

  it('compares variants, with each other and with runs, each by all its tests', async () => {
    const before = run(0x1040, 'fff');
    run(0x1040, 'pf', { type: 'EXPERIMENT', experimentVariantId: VARIANT });
    run(0x1041, 'p', { type: 'EXPERIMENT', experimentVariantId: VARIANT });
    const baseline = { runIds: [before.toUpperCase(), before] };
    const candidates = [{ variantId: VARIANT.toUpperCase() }];
    expect(await compare({ baseline, candidates })).toMatchObject({
      baseline: { tests: 3 },
      candidates: [{ tests: 3, pairs: 2, difference: { estimate: 50 } }],
    });
  });

  it('adjusts p values for the number of candidates, and answers these in order', async () => {
    const before = run(0x1050, 'f'.repeat(10));
    const [same, better, best] = [
      run(0x1050, 'f'.repeat(10)),
      run(0x1050, 'ppppppffff'),
      run(0x1050, 'p'.repeat(10)),
    ];
    const { candidates } = await compare(sides([before], [same], [better], [best]));
    const values = candidates.map(({ difference }) => [
      difference?.pValue,
      difference?.adjustedPValue,
      difference?.falseDiscoveryPValue,
    ]);
    const near = (value: number): unknown => expect.closeTo(value, 4);
    expect(values).toEqual([
      [1, 1, 1],
      // Six of six that changed improved, and ten of ten: about 2 · 2⁻⁶ and 2 · 2⁻¹⁰.
      [near(0.01431), near(2 * 0.01431), near(1.5 * 0.01431)],
      [near(0.00157), near(3 * 0.00157), near(3 * 0.00157)],
    ]);
  });

  it('has wider intervals with more confidence', async () => {
    const body = sides([run(0x1050, 'ppffffff')], [run(0x1050, 'ppppppff')]);
    const widths = await Promise.all(
      [0.8, 0.99].map(async (confidence) => {
        const { candidates } = await compare({ ...body, confidence });
        const { low = 0, high = 0 } = candidates[0]?.difference ?? {};
        return high - low;
      }),
    );
    expect(widths[0]).toBeLessThan(widths[1] as number);
  });

  it('shows at most 50 tasks on each side of the difference, those that changed most', async () => {
    const before = runsOf(0x1000, Array<string>(64).fill('pf'), 2);
    const after = runsOf(0x1000, ['ff', 'pf', ...Array<string>(62).fill('pp')], 2);
    const { candidates } = await compare(sides(before, after));
    const { mostImproved, mostWorsened, ...counts } = candidates[0]?.tasks ?? {};
    expect(counts).toEqual({ better: 62, worse: 1, same: 1 });
    expect(mostImproved).toHaveLength(50);
    expect(mostWorsened).toMatchObject([{ taskId: uuid(0x1000), difference: -50 }]);
  });

  it('rejects more than 40 000 tests', async () => {
    const id = run(0x1060, '');
    inStore((database, application) =>
      database.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
         INSERT INTO test (id, application, task_id, run_id, run_type, status, phase, prompt, trace_id, created_at, modified_at)
         SELECT 'test-' || i, ?, ?, ?, 'MANUAL', 'PENDING', 'queued', '', x'00', 0, 0 FROM n`,
        application,
        uuid(0x1060),
        id,
      ),
    );
    const { status, text } = await server.call('POST', '/v0/runs/compare', { body: sides([id], [id]) });
    expect(`${status} ${text}`).toMatch(/^413 .*got 40002/);
  });

  const runIds = [UNKNOWN];
  const known = { runIds: [uuid(0x50_000)] };
  const rejected = (name: string, body: object, mustContain: string[], status = 422): HttpCase => ({
    name,
    request: 'POST /v0/runs/compare',
    body,
    status,
    mustContain,
  });
  testHttp(
    () => server,
    [
      rejected('needs runs or a variant', { baseline: {}, candidates: [known] }, [
        '"custom"',
        '["baseline"]',
      ]),
      rejected('takes not both', { baseline: known, candidates: [{ ...known, variantId: VARIANT }] }, [
        '["candidates","0"]',
      ]),
      rejected('knows the runs', { baseline: known, candidates: [{ runIds }] }, ['run not found'], 404),
      rejected(
        'knows the variants',
        { baseline: known, candidates: [{ variantId: UNKNOWN }] },
        ['variant'],
        404,
      ),
      rejected(
        'shows no variant of others',
        { baseline: { variantId: THEIR_VARIANT }, candidates: [known] },
        [],
        404,
      ),
      rejected(
        'knows the definition',
        { baseline: known, candidates: [known], definitionId: UNKNOWN },
        [],
        404,
      ),
    ],
  );
});

describe('the interval of a pass rate', () => {
  it('is the same with a run and in reports, of tests and of evals', async () => {
    // Three examples with two tests each; one test of the first one fails.
    const id = run(0x1075, 'pppfpp', { examples: 3 });
    const { passRateInterval } = (await server.ok('GET', `/v0/runs/${id}`)).run;
    expect(passRateInterval).toMatchObject({
      question: 'EXAMPLES_LIKE_THESE',
      clusteredBy: 'EXAMPLE',
      clusters: 3,
      examples: 3,
      tests: 6,
    });
    const report = async (datasource: string, groupBy: string[]): Promise<object[]> => {
      const answer = await server.call('POST', '/v0/reporting/query', {
        body: {
          datasource,
          filters: [{ column: 'task', operator: 'eq', value: uuid(0x1075) }],
          groupBy: groupBy.map((column) => ({ column })),
          measurements: [{ aggregation: 'passRate' }],
          withIntervals: true,
        },
      });
      expect(answer.status, answer.text).toBe(200);
      return (answer.json as { data: object[] }).data;
    };
    expect(await report('test', ['run'])).toMatchObject([
      {
        groups: { run: { id } },
        values: { passRate: expect.closeTo(500 / 6, 6) as number },
        passRateInterval,
      },
    ]);
    expect(await report('test', [])).toMatchObject([{ passRateInterval }]);
    // Two definitions judge each test alike.
    expect(await report('eval', ['evalDefinition'])).toMatchObject([
      { passRateInterval },
      { passRateInterval },
    ]);
    expect(await report('eval', [])).toMatchObject([
      { passRateInterval: { clusteredBy: 'EXAMPLE', clusters: 3, examples: 3, tests: 12 } },
    ]);
  });

  it('is nothing that tags have', async () => {
    const { status, text } = await server.call('POST', '/v0/reporting/query', {
      body: { datasource: 'tag', measurements: [{ aggregation: 'count' }], withIntervals: true },
    });
    expect(`${status} ${text}`).toMatch(/^422 .*Tags have no intervals.*withIntervals/);
  });
});

describe('repeats', () => {
  const repeatsOf = async (path: string): Promise<unknown> => {
    const { status, text, json } = await server.call('GET', path);
    expect(status, text).toBe(200);
    const [record] = Object.values(json as Record<string, { repeats?: unknown }>);
    return record?.repeats;
  };

  it('of a run are distinguished by its input examples, where it is requested alone', async () => {
    // Of two input examples in turn: p, m, p and p, p, a; `m` does not pass completely.
    const id = run(0x1071, 'ppmppa', { examples: 2 });
    expect(await repeatsOf(`/v0/runs/${id}`)).toEqual({
      groups: 2,
      k: 3,
      passPowK: 0,
      passAtK: 100,
      flakiness: 100,
    });
    const { json } = await server.call('GET', `/v0/runs?taskId=${uuid(0x1071)}`);
    expect((json as { data: object[] }).data[0]).not.toHaveProperty('repeats');
    expect(await repeatsOf(`/v0/runs/${run(0x1072, 'pp')}`)).toBeUndefined();
  });

  it('of a task are computed from all its runs that count', async () => {
    const createdAt = Date.now();
    inStore((database, application) => {
      for (const [outcomes, type] of [
        ['ppr', 'MANUAL'],
        ['pfo', 'SCHEDULED'],
        ['fff', 'EXPERIMENT'],
      ] as const)
        storeOutcomes(database, application, 0x1073, outcomes, { type });
      database.run('UPDATE test SET created_at = ? WHERE task_id = ?', createdAt, uuid(0x1073));
    });
    expect(await repeatsOf(`/v0/tasks/${uuid(0x1073)}`)).toEqual({
      groups: 2,
      k: 2,
      passPowK: 50,
      passAtK: 100,
      flakiness: 50,
    });
    const { json } = await server.call('GET', '/v0/tasks');
    expect((json as { data: object[] }).data[0]).not.toHaveProperty('repeats');
  });
});
