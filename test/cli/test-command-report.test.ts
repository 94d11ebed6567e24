import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exitCodeOf, gateVerdictOf, regressionGate } from '../../src/resources/run-sets/gate.ts';
import { escapeXml, junitXml } from '../../src/cli/test-junit.ts';
import {
  type TestFinding,
  makeReport,
  type RateWithInterval,
  type Report,
  type ReportedEval,
} from '../../src/resources/run-sets/report.ts';
import { percentText } from '../../src/evaluate/statistics/percent-text.ts';
import { reportText } from '../../src/cli/test-text.ts';
import type { ListedTest } from '../../src/resources/tests/contract.ts';
import { suitesOf } from '../support/junit.ts';

const TASK = { id: 'task', title: 'Task' };
const NO_PROBLEM = { problem: null, runSetId: null };
const RULE = { failUnder: 50, isStrict: false, allowSkipped: 0 };

/** A test as lists show it, with so many of its evals passed. */
const testWith = (id: string, passed: number, total: number, more: Partial<ListedTest> = {}): ListedTest =>
  ({
    id,
    taskId: 'task',
    status: 'COMPLETED',
    phase: 'done',
    failure: null,
    prompt: 'Hello?',
    createdAt: '2026-08-01T00:00:00.000Z',
    modifiedAt: '2026-08-01T00:00:02.500Z',
    result: { passed, failed: total - passed, total, passRate: null, averageScore: null },
    ...more,
  }) as ListedTest;

const evalOf = (
  testId: string,
  status: ReportedEval['status'],
  reason: string | null = 'because',
): ReportedEval => ({
  testId,
  status,
  passed: status === 'COMPLETED' ? false : null,
  reason,
  definition: { id: 'rule', name: 'Rule' },
});

describe('the gate', () => {
  const tests = ['a', 'b', 'c'].map((id) => testWith(id, 1, 1));
  const gate = (report: Parameters<typeof gateVerdictOf>[0], allowSkipped = 0) =>
    gateVerdictOf(report, { ...RULE, allowSkipped });

  it('stays shut where a definition was skipped, beyond what is allowed', () => {
    const report = makeReport([TASK], { tests, evals: [evalOf('b', 'SKIPPED', 'no judge is configured')] });
    expect(gate(report)).toEqual({
      code: 2,
      message: 'Unknown: judged 2 of 3 tests (Rule: no judge is configured). --allow-skipped 1 accepts that.',
    });
    expect(gate(report, 1).code).toBe(0);
    expect(reportText(report)).toContain('2 of 3');
  });

  it('says why all verdicts were skipped', () => {
    const evals = ['a', 'b'].map((id) => evalOf(id, 'SKIPPED', 'the scorer knows no such language'));
    const skipped = makeReport([TASK], { tests: [testWith('a', 0, 0), testWith('b', 0, 0)], evals });
    expect(gate(skipped)).toEqual({
      code: 2,
      message:
        'Unknown: no test was judged, because all verdicts were skipped (Rule: the scorer knows no such language).',
    });
  });

  it('stays shut where no definition applies to a test', () => {
    const report = makeReport([TASK], { tests: [...tests, testWith('d', 0, 0)], evals: [] });
    expect(gate(report)).toMatchObject({ code: 2 });
    expect(gate(report).message).toContain('judged 3 of 4 tests (no definition applies to the others)');
  });

  const comparison = (low: number, high: number): Parameters<typeof regressionGate>[0] =>
    ({
      confidence: 0.95,
      candidates: [
        { pairedShare: 100, difference: { baseline: 90, low, high, highIfNonePassed: -90, smallestLoss: 3 } },
      ],
    }) as never;
  const rule = { margin: 0, minPaired: 80, findLoss: 50 };
  it.each([
    [-9, -3, 2, 1],
    [-9, -1, 2, 0],
    [-9, -1, 0, 1],
    [-1, 4, 0, 0],
  ])('compares an interval of %d to %d with a margin of %d: code %d', (low, high, margin, code) => {
    expect(regressionGate(comparison(low, high), { ...rule, margin }).code).toBe(code);
  });

  it('is unknown where nothing was compared, and fails if one of several gates does', () => {
    const nothing = { ...comparison(0, 0), candidates: [] };
    expect(regressionGate(nothing, rule).code).toBe(2);
    const codes = (...all: (0 | 1 | 2)[]) => exitCodeOf(all.map((code) => ({ code, message: '' })));
    expect([codes(0, 0), codes(2, 0), codes(2, 1)]).toEqual([0, 2, 1]);
  });
});

const failure = (code: NonNullable<ListedTest['failure']>['code']): Partial<ListedTest> => ({
  status: 'FAILED',
  failure: { code, message: 'It broke.', hint: 'Mend it.' },
});

describe('reportText', () => {
  it('counts a test once under a name that several of its definitions have', () => {
    const tests = [testWith('a', 0, 2), testWith('b', 1, 1)];
    const evals = [evalOf('a', 'COMPLETED', 'is short'), evalOf('a', 'COMPLETED', 'is rude')];
    const text = reportText(makeReport([TASK], { tests, evals }));
    expect(text).toContain('  Rule: failed in 1 of 2\n    Hello?: is short\n    Hello?: is rude\n');
  });

  it('reports three reasons, and none of them twice', () => {
    const reasons = ['is short', 'is short', 'is rude', 'is late', 'is wrong'];
    const tests = reasons.map((_, i) => testWith(String(i), 0, 1));
    const evals = reasons.map((reason, i) => evalOf(String(i), 'COMPLETED', reason));
    const text = reportText(makeReport([TASK], { tests, evals }));
    expect(text).toMatch(
      / {2}Rule: failed in 5 of 5\n {4}Hello\?: is short\n {4}Hello\?: is rude\n {4}Hello\?: is late\n$/,
    );
  });
});

describe('an advisory definition', () => {
  const definitions = [{ id: 'rule', name: 'Rule', reason: null }];
  const advisory = (counts: Record<string, { passed: number; total: number }>) => ({
    definitions,
    counts: new Map(Object.entries(counts)),
    hasGated: false,
  });

  it('is shown, and neither lowers the rate nor leaves a test without a verdict', () => {
    const tests = [testWith('a', 1, 2), testWith('b', 1, 1)];
    const evals = [evalOf('a', 'COMPLETED', 'is rude'), evalOf('b', 'SKIPPED', 'no judge is configured')];
    const report = makeReport(
      [TASK],
      { tests, evals },
      { advisory: advisory({ a: { passed: 0, total: 1 } }) },
    );
    expect(report.rate).toMatchObject({ rate: 100, tests: 2 });
    expect(gateVerdictOf(report, { ...RULE, failUnder: 100 }).code).toBe(0);
    expect(reportText(report)).toContain(
      '  Rule: not passed (advisory) in 2 of 2\n    Hello?: is rude\n    Hello?: no judge is configured\n',
    );
    expect(reportText(report)).toContain(
      'Rule is advisory: its verdicts do not count, because it has no gate\n',
    );
  });

  it('decides nothing alone', () => {
    const report = makeReport(
      [TASK],
      { tests: [testWith('a', 1, 1)], evals: [] },
      { advisory: advisory({ a: { passed: 1, total: 1 } }) },
    );
    expect(gateVerdictOf(report, RULE)).toEqual({
      code: 2,
      message:
        'Unknown: all definitions that apply are advisory. Give them a gate, or let their verdicts count with --with-advisory.',
    });
  });
});

describe('makeReport', () => {
  it.each<[string, ListedTest, ReportedEval[], string, TestFinding[]]>([
    ['all passed', testWith('t', 2, 2), [], 'passed', []],
    [
      'one did not',
      testWith('t', 1, 2),
      [evalOf('t', 'COMPLETED')],
      'failed',
      [{ kind: 'failed', name: 'Rule', reason: 'because' }],
    ],
    [
      'one could not be judged',
      testWith('t', 1, 1),
      [evalOf('t', 'FAILED', null)],
      'error',
      [{ kind: 'error', name: 'Rule', reason: '' }],
    ],
    [
      'one of several was left out',
      testWith('t', 1, 1),
      [evalOf('t', 'SKIPPED')],
      'passed',
      [{ kind: 'skipped', name: 'Rule', reason: 'because' }],
    ],
    [
      'all were left out',
      testWith('t', 0, 0),
      [evalOf('t', 'SKIPPED')],
      'skipped',
      [{ kind: 'skipped', name: 'Rule', reason: 'because' }],
    ],
    ['there was none', testWith('t', 0, 0), [], 'skipped', []],
    [
      'the app was at fault',
      testWith('t', 0, 1, failure('webhook_status')),
      [],
      'failed',
      [{ kind: 'failed', name: 'webhook_status', reason: 'It broke. Mend it.' }],
    ],
    [
      'something else was',
      testWith('t', 0, 0, failure('webhook_unreachable')),
      [],
      'error',
      [{ kind: 'error', name: 'webhook_unreachable', reason: 'It broke. Mend it.' }],
    ],
    [
      'it is not over',
      testWith('t', 0, 0, { status: 'IN_PROGRESS', phase: 'evaluating' }),
      [],
      'error',
      [{ kind: 'error', name: 'not over', reason: 'The test is still in the phase evaluating.' }],
    ],
  ])('of the evals of a test, when %s', (_name, test, evals, verdict, findings) => {
    const { tasks } = makeReport([TASK], { tests: [test], evals });
    expect(tasks).toMatchObject([{ task: TASK, tests: [{ id: 't', verdict, findings, seconds: 2.5 }] }]);
  });

  it('has each test count the same, whatever the number of its evals', () => {
    const tests = [testWith('a', 1, 1), testWith('b', 0, 9), testWith('c', 0, 0)];
    const { rate, tasks } = makeReport([TASK], { tests, evals: [] });
    expect(rate).toMatchObject({ rate: 50, tests: 2 });
    expect(tasks[0]?.rate).toEqual(rate);
  });

  it('has no rate where nothing counts', () => {
    expect(makeReport([TASK], { tests: [testWith('a', 0, 0)], evals: [] }).rate).toBeNull();
  });
});

const BASIS = {
  question: 'EXAMPLES_LIKE_THESE',
  clusteredBy: 'EXAMPLE',
  clusters: 2,
  examples: 2,
  tests: 4,
  method: 'GAFFKE',
} as const;
const reportWith = (rate: number | null, findings: readonly TestFinding[] = []): Report => {
  const whole: RateWithInterval | null =
    rate === null ? null : { ...BASIS, rate, low: rate - 10, high: rate + 10 };
  const test = { id: 't', prompt: 'Hello?', verdict: 'passed' as const, findings: [...findings], seconds: 1 };
  return {
    rate: whole,
    advisory: [],
    corrected: [],
    tasks: [{ task: TASK, tests: [test], rate: whole, corrected: [] }],
  };
};
const ERROR: TestFinding = { kind: 'error', name: 'Rule', reason: 'judge_timeout' };

describe('gateOf', () => {
  it.each<[string, Report, Partial<typeof RULE>, number]>([
    ['at the line', reportWith(50), {}, 0],
    ['a hair below', reportWith(49.99999), {}, 1],
    ['at the line, its interval below it', reportWith(50), { isStrict: true }, 1],
    ['with its interval at the line', reportWith(60), { isStrict: true }, 0],
    ['above the line, but not all judged', reportWith(90, [ERROR]), {}, 2],
    ['below the line, and not all judged', reportWith(10, [ERROR]), {}, 1],
    ['without anything that counts', reportWith(null), { failUnder: 0 }, 2],
    ['without anything that counts, as nothing could be judged', reportWith(null, [ERROR]), {}, 2],
    ['with a skipped one', reportWith(50, [{ ...ERROR, kind: 'skipped' }]), {}, 2],
    [
      'with a skipped one that is allowed',
      reportWith(50, [{ ...ERROR, kind: 'skipped' }]),
      { allowSkipped: 1 },
      0,
    ],
  ])('of a report %s', (_name, report, rule, code) => {
    expect(gateVerdictOf(report, { ...RULE, ...rule }).code).toBe(code);
  });
});

describe('percentText', () => {
  it.each([
    [0, '0 %'],
    [89.99, '89.9 %'],
    [87.5, '87.5 %'],
    [100, '100 %'],
  ])('writes %d as %s, never above itself', (percent, text) => {
    expect(percentText(percent)).toBe(text);
  });

  it('keeps what has one decimal', () => {
    for (let tenths = 0; tenths <= 1_000; tenths++)
      expect(percentText(tenths / 10)).toBe(`${String(tenths / 10)} %`);
  });
});

const CORRECTED = [{ name: 'Kind & <short>', rate: 80, corrected: { rate: 87.5, low: 70.25, high: 99 } }];

describe('junitXml', () => {
  const junitOf = (title: string, prompt: string, reason: string): Report => {
    const findings: TestFinding[] = [
      { kind: 'failed', name: title, reason },
      { kind: 'skipped', name: title, reason },
    ];
    const test = { id: 't', prompt, verdict: 'failed' as const, findings, seconds: 1.5 };
    return {
      rate: null,
      advisory: [],
      corrected: [],
      tasks: [{ task: { id: 'task', title }, tests: [test], rate: null, corrected: CORRECTED }],
    };
  };

  it('has the raw and the corrected rate of a judge with a gate', () => {
    const xml = junitXml(junitOf('Task', 'Hello?', 'no'), NO_PROBLEM);
    for (const [name, value] of [
      ['passRate', 80],
      ['correctedPassRate', 87.5],
      ['correctedPassRateLow', 70.25],
      ['correctedPassRateHigh', 99],
    ])
      expect(xml).toContain(`<property name="Kind &amp; &lt;short&gt;: ${name}" value="${value}"/>`);
  });

  it('is well-formed whatever texts say', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 40 });
    const reports = fc.sample(fc.tuple(texts, texts, texts), { numRuns: 200, seed: 7 });
    const tasks = reports.flatMap((report) => junitOf(...report).tasks);
    const hostile = junitOf('"/><x>', ']]>&amp;\u0000\u001b\ud800', '<failure>\uFFFE\n\t');
    const suites = suitesOf(
      junitXml({ rate: null, advisory: [], corrected: [], tasks: [...tasks, ...hostile.tasks] }, NO_PROBLEM),
    );
    expect(suites).toHaveLength(201);
    expect(suites.at(-1)).toMatchObject({
      name: '"/><x>',
      cases: [
        {
          classname: '"/><x>',
          name: '1: ]]>&amp;\uFFFD\uFFFD\uFFFD',
          outcomes: ['failure'],
          message: '"/><x>: <failure>\uFFFD\n\t',
        },
      ],
    });
  });

  it('has a case for what kept the tests from running', () => {
    const [suite] = suitesOf(
      junitXml(
        { rate: null, advisory: [], corrected: [], tasks: [] },
        { problem: 'No <server>.', runSetId: null },
      ),
    );
    expect(suite).toMatchObject({ errors: '1', cases: [{ outcomes: ['error'], message: 'No <server>.' }] });
  });

  it('escapes nothing that need not be', () => {
    expect(escapeXml('Größe 5 €, 😀')).toBe('Größe 5 €, 😀');
  });
});
