import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FailureCode } from '../../src/tests/failures.ts';
import type { TestStatus } from '../../src/tests/states.ts';
import { assess } from '../../src/evaluate/assessment.ts';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { commands } from '../../src/operations.ts';
import { dueMetrics, storedMetrics } from '../../src/evaluate/quality-metric-store.ts';
import { markMetricsOfTest, markMetricsOfTopics } from '../../src/evaluate/due-quality-metrics.ts';
import {
  type MetricsKind,
  type QualityMetrics,
  computeMetrics,
  WINDOW_MS,
} from '../../src/evaluate/quality-metrics.ts';
import { LEVELS, TASK_STATUSES } from '../../src/evaluate/statistics/levels.ts';
import { computeRateInterval, type TestRate } from '../../src/evaluate/statistics/rate-interval.ts';
import { settled } from '../../src/evaluate/statistics/settled.ts';
import type { TaskFilter } from '../../src/resources/tasks/contract.ts';
import { taskQueries } from '../../src/resources/tasks/store.ts';
import { mulberry32 } from '../support/random.ts';
import { BASE_MS, traceBytes } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { evalOf, PENDING_EVAL, verdict } from '../support/stored-evals.ts';
import { recount, storeRun, type StoredTest, storeTask, storeTest } from '../support/stored-tests.ts';
import { type CountedTest, healthScore, passRate, pooledDeviation } from './quality-metrics-oracle.ts';

const { newTenant } = useStore();

const DAY = 86_400_000;
const NOW = BASE_MS + 100 * DAY;

/** The interval as the pure function tells it. */
function intervalOf(counted: readonly TestRate[]) {
  const tests = counted.length;
  if (tests === 0) return { tests, examples: 0, passRateLow: null, passRateHigh: null };
  const { examples, low, high } = computeRateInterval(counted);
  return { tests, examples, passRateLow: settled(low), passRateHigh: settled(high) };
}

const countsOf = (tests: readonly CountedTest[]) => ({
  finished: tests.reduce((sum, { finished }) => sum + finished, 0),
  passed: tests.reduce((sum, { passed }) => sum + passed, 0),
  passedTests: tests.filter(({ finished, passed }) => finished === passed).length,
});

/** An application in the store, beside what was put into it, so that what should be reported of it can be computed by hand. */
class MetricsFixture {
  readonly tests: StoredTest[] = [];
  readonly evals: (SavedEval & { at: number })[] = [];
  readonly topics = new Map<string, string | null>();
  readonly tenant: Tenant;

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  task(topicId: string | null = null): string {
    const id = randomUUID();
    storeTask(this.tenant.database, this.tenant.application, id);
    this.move(id, topicId);
    return id;
  }

  move(task: string, topicId: string | null): void {
    const { database, application } = this.tenant;
    const before = this.topics.get(task) ?? null;
    this.topics.set(task, topicId);
    database.run('UPDATE task SET topic_id = ? WHERE id = ?', topicId, task);
    markMetricsOfTopics(database, application, [before, topicId]);
  }

  /** A test in progress; `end` ends it. */
  test(
    taskId: string,
    createdAt: number,
    more: { type?: string; exampleIndex?: number; prompt?: string } = {},
  ): StoredTest {
    const { database, application } = this.tenant;
    const run = { id: randomUUID(), taskId, type: more.type ?? 'MANUAL', createdAt };
    const test: StoredTest = { id: randomUUID(), run, createdAt, status: 'IN_PROGRESS' };
    if (more.exampleIndex !== undefined) test.exampleIndex = more.exampleIndex;
    if (more.prompt !== undefined) test.prompt = more.prompt;
    storeRun(database, application, run);
    storeTest(database, application, test);
    this.tests.push(test);
    return test;
  }

  end(test: StoredTest, status: TestStatus, code?: FailureCode): void {
    test.status = status;
    delete test.failure;
    if (code) test.failure = { code, message: '', hint: '' };
    const { database, application } = this.tenant;
    database.run(
      'UPDATE test SET status = ?, failure = ? WHERE id = ?',
      status,
      test.failure ? JSON.stringify(test.failure) : null,
      test.id,
    );
    recount(database, { application, testId: test.id });
    markMetricsOfTest(database, { application, testId: test.id });
  }

  save(at: number, ...evals: SavedEval[]): void {
    saveEvals(this.tenant.database, { application: this.tenant.application, evals, at });
    this.evals.push(...evals.map((saved) => ({ ...saved, at })));
  }

  /** One of each (test or trace, definition), the last that was saved. */
  private current(): (SavedEval & { at: number })[] {
    const key = ({ testId, traceId, definitionId }: SavedEval): string =>
      `${testId ?? Buffer.from(traceId ?? []).toString('hex')} ${definitionId}`;
    return [...new Map(this.evals.map((saved) => [key(saved), saved])).values()].filter(
      ({ status }) => status === 'COMPLETED',
    );
  }

  /** The metrics as the pure functions tell them. */
  expected(kind: MetricsKind, id: string, at = NOW): QualityMetrics {
    const isOf = (taskId: string | null, definitionId: string): boolean =>
      kind === 'definition'
        ? definitionId === id
        : taskId !== null && (kind === 'task' ? taskId === id : this.topics.get(taskId) === id);
    const recent = this.tests.filter(
      ({ run, createdAt }) => createdAt > at - WINDOW_MS && ['MANUAL', 'SCHEDULED'].includes(run.type ?? ''),
    );
    const current = this.current();
    const byTest = Map.groupBy(current, ({ testId }) => testId);
    const counted: (CountedTest & TestRate)[] = [];
    const groups = new Map<string, number[]>();
    let errors = 0;
    for (const { id: testId, run, status, failure, createdAt, exampleIndex } of recent) {
      const ofExample = {
        taskId: run.taskId,
        // These metrics count an input that two tasks share as two examples.
        input: `${run.taskId} ${exampleIndex}`,
      };
      const judged = (byTest.get(testId) ?? []).filter(({ definitionId }) => isOf(run.taskId, definitionId));
      if (status === 'COMPLETED' && judged.length > 0) {
        counted.push({
          passed: judged.filter(({ passed }) => passed).length,
          finished: judged.length,
          createdAt,
          ...ofExample,
          rate: judged.filter(({ passed }) => passed).length / judged.length,
        });
        for (const { definitionId, definitionVersion, normalised } of judged) {
          const key = [run.taskId, exampleIndex, definitionId, definitionVersion].join();
          groups.set(key, [...(groups.get(key) ?? []), normalised as number]);
        }
      }
      if (status === 'FAILED' && kind !== 'definition' && isOf(run.taskId, '')) {
        const isFault = ['webhook_status', 'webhook_timeout', 'trace_missing'].includes(failure?.code ?? '');
        if (isFault) counted.push({ passed: 0, finished: 1, createdAt, ...ofExample, rate: 0 });
        else errors++;
      }
    }
    const monitored = current.filter(
      (saved) =>
        saved.runType === 'MONITORING' && saved.at > at - WINDOW_MS && isOf(saved.taskId, saved.definitionId),
    );
    const subjects = Map.groupBy(monitored, ({ testId, traceId }) => testId ?? String(traceId));
    const all = counted.length + errors;
    const monitoredTests = [...subjects.values()].map((evals) => ({
      passed: evals.filter(({ passed }) => passed).length,
      finished: evals.length,
      createdAt: 0,
    }));
    const [of, monitoring] = [countsOf(counted), countsOf(monitoredTests)];
    return {
      ...intervalOf(counted),
      passRate: passRate(counted),
      errorRate: kind === 'definition' || all === 0 ? null : settled(errors / all),
      monitoringPassRate: passRate(monitoredTests),
      evaluations: of.finished,
      passedEvaluations: of.passed,
      passedTests: of.passedTests,
      monitoredTests: monitoredTests.length,
      monitoredEvaluations: monitoring.finished,
      monitoredPassedEvaluations: monitoring.passed,
      monitoredPassedTests: monitoring.passedTests,
      health: healthScore(counted),
      deviation: pooledDeviation(groups.values()),
    };
  }

  live(kind: MetricsKind, id: string, at = NOW): QualityMetrics {
    const { database, application } = this.tenant;
    return computeMetrics(database, { application, kind, id, at }).metrics;
  }

  stored(kind: MetricsKind, id: string): QualityMetrics | undefined {
    const { database, application } = this.tenant;
    return storedMetrics(database, { application, kind, ids: [id] }).get(id);
  }

  /** What is due, as `kind id`. */
  due(at = NOW): string[] {
    return dueMetrics(this.tenant.database, { now: at, limit: 10_000 })
      .filter(({ application }) => application === this.tenant.application)
      .map(({ kind, id }) => `${kind} ${id}`);
  }

  /** What is done behind. */
  maintain(at = NOW): void {
    const { database } = this.tenant;
    const computed = dueMetrics(database, { now: at, limit: 10_000 }).map((due) => {
      const { version: _, ...key } = due;
      return { ...due, ...computeMetrics(database, { ...key, at }), readyAt: 0 };
    });
    commands.saveMetrics(database, { computed });
  }

  tasksThat(filter: TaskFilter): Set<string> {
    const { database, application } = this.tenant;
    return new Set(taskQueries.listTaskIds(database, { application, filter }));
  }
}

const DEFINITIONS = [randomUUID(), randomUUID(), randomUUID()];
const [DEFINITION, SECOND] = DEFINITIONS as [string, string];

describe('metrics', () => {
  const random = mulberry32(7);
  const below = (n: number): number => Math.floor(random() * n);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const fixture = new MetricsFixture({} as Tenant);
  const topics = [randomUUID(), randomUUID(), null];
  const tasks: string[] = [];

  function anyEval(test: StoredTest): void {
    const isOver = random() < 0.8;
    const outcome = isOver ? verdict(random() < 0.7, oneOf([0, 0.25, 0.5, 0.6, 1, random()])) : {};
    const status = oneOf(['PENDING', 'FAILED', 'SKIPPED'] as const);
    const begun = evalOf(test, oneOf(DEFINITIONS), { definitionVersion: oneOf([1, 1, 2]) });
    const at = test.createdAt + below(DAY);
    if (random() < 0.5) fixture.save(at, begun);
    fixture.save(at, { ...begun, status, ...outcome });
  }

  function anyEnd(test: StoredTest): void {
    if (random() < 0.7) fixture.end(test, 'COMPLETED');
    else if (random() < 0.1) fixture.end(test, 'IN_PROGRESS');
    else
      fixture.end(
        test,
        'FAILED',
        oneOf([
          'webhook_status',
          'webhook_timeout',
          'trace_missing',
          'delivery_unknown',
          'cancelled',
        ] as const),
      );
  }

  function anything(): void {
    const kind = random();
    if (kind < 0.45) {
      const createdAt = NOW - below(40 * DAY);
      const type = oneOf(['MANUAL', 'MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING']);
      // Of some tasks there is nothing but failures, or nothing at all.
      const test = fixture.test(oneOf(tasks.slice(3)), createdAt, { type, exampleIndex: below(2) });
      for (let i = below(4); i > 0; i--) anyEval(test);
      anyEnd(test);
    } else if (kind < 0.7) anyEval(oneOf(fixture.tests));
    else if (kind < 0.85) anyEnd(oneOf(fixture.tests));
    else if (kind < 0.9) fixture.move(oneOf(tasks), oneOf(topics));
    else {
      const trace = 1 + below(20);
      fixture.save(NOW - below(40 * DAY), {
        ...PENDING_EVAL,
        ...verdict(random() < 0.5),
        id: randomUUID(),
        traceId: traceBytes(trace),
        taskId: tasks[trace] as string,
        definitionId: oneOf(DEFINITIONS),
      });
    }
  }

  function each(check: (kind: MetricsKind, id: string) => void): void {
    for (const id of tasks) check('task', id);
    for (const id of topics) if (id !== null) check('topic', id);
    for (const id of DEFINITIONS) check('definition', id);
  }

  it('are what the pure functions make of the same tests, and those that are stored follow whatever happens', () => {
    Object.assign(fixture, { tenant: newTenant() });
    for (let i = 0; i < 40; i++) tasks.push(fixture.task(oneOf(topics)));
    const failing = fixture.test(tasks[1] as string, NOW - DAY);
    fixture.end(failing, 'FAILED', 'delivery_unknown');
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 60; i++) if (i === 0 || fixture.tests.length > 0) anything();
      fixture.maintain();
      each((kind, id) => {
        const expected = fixture.expected(kind, id);
        expect([kind, id, fixture.live(kind, id)]).toEqual([kind, id, expected]);
        if (fixture.stored(kind, id) || expected.tests > 0)
          expect(fixture.stored(kind, id)).toEqual(expected);
      });
    }
    const all = tasks.map((id) => assess(fixture.expected('task', id)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(TASK_STATUSES));
    expect(new Set(all.map(({ stability }) => stability?.level)).size).toBeGreaterThan(2);
    expect(new Set(all.map(({ confidence }) => confidence?.level)).size).toBeGreaterThan(1);
    expect(new Set(all.map(({ health }) => health?.level)).size).toBeGreaterThan(2);
  });

  it('of tasks are what the tasks can be filtered by, alone and together', () => {
    const assessed = tasks.map((id) => ({ id, ...assess(fixture.expected('task', id)) }));
    const some = <T>(list: readonly T[]): T[] | undefined => {
      const chosen = list.filter(() => random() < 0.5);
      return chosen.length > 0 && random() < 0.6 ? chosen : undefined;
    };
    const filters: TaskFilter[] = [
      ...TASK_STATUSES.map((status) => ({ status: [status] })),
      ...LEVELS.flatMap((level) => [
        { confidence: [level] },
        { stability: [level] },
        { healthScore: [level] },
      ]),
      ...Array.from({ length: 200 }, () => ({
        status: some(TASK_STATUSES),
        confidence: some(LEVELS),
        stability: some(LEVELS),
        healthScore: some(LEVELS),
        topicId: random() < 0.2 ? [topics[0] as string] : undefined,
      })),
    ];
    for (const filter of filters) {
      const isIn = <T>(wanted: readonly T[] | undefined, value: T | undefined): boolean =>
        !wanted || (value !== undefined && wanted.includes(value));
      const expected = assessed.filter(
        ({ id, status, confidence, stability, health }) =>
          isIn(filter.status, status) &&
          isIn(filter.confidence, confidence?.level) &&
          isIn(filter.stability, stability?.level) &&
          isIn(filter.healthScore, health?.level) &&
          isIn(filter.topicId, fixture.topics.get(id) ?? ''),
      );
      expect([filter, fixture.tasksThat(filter)]).toEqual([filter, new Set(expected.map(({ id }) => id))]);
    }
  });

  it('of another application are not touched by any of it', () => {
    const other = new MetricsFixture(newTenant());
    expect(other.live('task', tasks[3] as string)).toEqual(other.expected('task', tasks[3] as string));
    expect(other.live('definition', DEFINITION).tests).toBe(0);
    expect(other.stored('definition', DEFINITION)).toBeUndefined();
    expect(other.tasksThat({ status: ['success'] })).toEqual(new Set());
  });
});

describe('what counts', () => {
  it.each<[name: string, passRate: number | null, make: (fixture: MetricsFixture, task: string) => void]>([
    [
      'a test counts once, whatever its evals',
      0.75,
      (fixture, task) => {
        for (const passes of [[true], [true, false]]) {
          const test = fixture.test(task, NOW - DAY);
          fixture.save(
            NOW,
            ...passes.map((passed, i) => evalOf(test, DEFINITIONS[i] as string, verdict(passed))),
          );
          fixture.end(test, 'COMPLETED');
        }
      },
    ],
    [
      'a test that is not over does not count',
      null,
      (fixture, task) => {
        const test = fixture.test(task, NOW - DAY);
        fixture.save(NOW, evalOf(test, DEFINITION, verdict(true)));
      },
    ],
    [
      'a completed test without evals does not count',
      null,
      (fixture, task) => fixture.end(fixture.test(task, NOW - DAY), 'COMPLETED'),
    ],
    [
      'skipped and failed evals do not count',
      1,
      (fixture, task) => {
        const test = fixture.test(task, NOW - DAY);
        fixture.save(
          NOW,
          evalOf(test, DEFINITION, verdict(true)),
          evalOf(test, SECOND, { status: 'SKIPPED' }),
        );
        fixture.save(NOW, evalOf(test, DEFINITIONS[2] as string, { status: 'FAILED' }));
        fixture.end(test, 'COMPLETED');
      },
    ],
    [
      "a failure by the app's fault counts as 0, whatever its evals",
      0,
      (fixture, task) => {
        const test = fixture.test(task, NOW - DAY);
        fixture.save(NOW, evalOf(test, DEFINITION, verdict(true)));
        fixture.end(test, 'FAILED', 'trace_missing');
      },
    ],
    [
      'a test of 30 days is too old',
      0.5,
      (fixture, task) => {
        for (const [age, passed] of [
          [30 * DAY, true],
          [30 * DAY - 1, false],
          [0, true],
        ] as const) {
          const test = fixture.test(task, NOW - age);
          fixture.save(NOW, evalOf(test, DEFINITION, verdict(passed)));
          fixture.end(test, 'COMPLETED');
        }
      },
    ],
    [
      'only the newest version counts',
      0,
      (fixture, task) => {
        const test = fixture.test(task, NOW - DAY);
        fixture.end(test, 'COMPLETED');
        fixture.save(NOW - 1, evalOf(test, DEFINITION, verdict(true)));
        fixture.save(NOW, evalOf(test, DEFINITION, verdict(false)));
      },
    ],
    [
      'experiments do not count',
      null,
      (fixture, task) => {
        const test = fixture.test(task, NOW - DAY, { type: 'EXPERIMENT' });
        fixture.save(NOW, evalOf(test, DEFINITION, verdict(true)));
        fixture.end(test, 'COMPLETED');
        expect(fixture.due()).toEqual([]);
      },
    ],
  ])('%s', (_name, expected, make) => {
    const fixture = new MetricsFixture(newTenant());
    const task = fixture.task();
    make(fixture, task);
    expect(fixture.live('task', task).passRate).toBe(expected);
    expect(fixture.expected('task', task).passRate).toBe(expected);
  });
});

describe('metrics become due', () => {
  function judgedTest(fixture: MetricsFixture, task: string, createdAt = NOW - DAY): StoredTest {
    const test = fixture.test(task, createdAt);
    fixture.save(NOW, evalOf(test, DEFINITION, verdict(true)));
    fixture.end(test, 'COMPLETED');
    return test;
  }

  it('of the task, its topic and its definitions when a test ends, is taken up again, or is judged again', () => {
    const fixture = new MetricsFixture(newTenant());
    const [topic, second] = [randomUUID(), randomUUID()];
    const task = fixture.task(topic);
    fixture.maintain();
    expect(fixture.due()).toEqual([]);
    const test = judgedTest(fixture, task);
    const all = [`definition ${DEFINITION}`, `task ${task}`, `topic ${topic}`];
    expect(fixture.due().sort()).toEqual(all);
    fixture.maintain();
    expect(fixture.due()).toEqual([]);
    fixture.end(test, 'IN_PROGRESS');
    expect(fixture.due().sort()).toEqual(all);
    fixture.end(test, 'COMPLETED');
    fixture.maintain();
    fixture.save(NOW, evalOf(test, DEFINITION));
    expect(fixture.due().sort()).toEqual(all);
    fixture.maintain();
    fixture.move(task, second);
    expect(fixture.due().sort()).toEqual([`topic ${topic}`, `topic ${second}`].sort());
  });

  it('again when the oldest test leaves what counts', () => {
    const fixture = new MetricsFixture(newTenant());
    const task = fixture.task();
    judgedTest(fixture, task, NOW - 20 * DAY);
    judgedTest(fixture, task, NOW - DAY);
    fixture.maintain();
    expect(fixture.due(NOW + 10 * DAY - 1)).toEqual([]);
    expect(fixture.due(NOW + 10 * DAY)).toContain(`task ${task}`);
    fixture.maintain(NOW + 10 * DAY);
    expect(fixture.stored('task', task)).toEqual(fixture.expected('task', task, NOW + 10 * DAY));
    expect(fixture.stored('task', task)?.tests).toBe(1);
    fixture.maintain(NOW + 29 * DAY);
    expect(fixture.tasksThat({ status: ['no-tests'] })).toEqual(new Set([task]));
    expect(fixture.due(NOW + 1_000 * DAY)).toEqual([]);
  });

  it('but not when what is computed is older than the change, nor before they are ready again', () => {
    const fixture = new MetricsFixture(newTenant());
    const { database } = fixture.tenant;
    const task = fixture.task();
    const test = judgedTest(fixture, task);
    const due = dueMetrics(database, { now: NOW, limit: 10_000 });
    fixture.end(test, 'FAILED', 'webhook_status');
    const metrics = fixture.live('task', task);
    commands.saveMetrics(database, {
      computed: due.map((key) => ({ ...key, metrics, until: null, readyAt: NOW + 5_000 })),
    });
    expect(fixture.due(NOW + 4_999)).toEqual([]);
    expect(fixture.due(NOW + 5_000)).toContain(`task ${task}`);
  });
});

it('examples of one task with the same input count as one, those of two tasks as two', () => {
  const fixture = new MetricsFixture(newTenant());
  const topic = randomUUID();
  const tasks = [fixture.task(topic), fixture.task(topic)];
  for (const task of tasks)
    for (const [exampleIndex, prompt] of ['Same?', 'Same?', 'Other?'].entries()) {
      const test = fixture.test(task, NOW - DAY, { exampleIndex, prompt });
      fixture.save(NOW - DAY, { ...evalOf(test, DEFINITION, {}), ...verdict(true, 1) });
      fixture.end(test, 'COMPLETED');
    }
  expect(fixture.live('task', tasks[0] as string)).toMatchObject({ tests: 3, examples: 2 });
  expect(fixture.live('topic', topic)).toMatchObject({ tests: 6, examples: 4 });
  expect(fixture.live('definition', DEFINITION)).toMatchObject({ tests: 6, examples: 4 });
});

it('tests of an upgraded store count by input as soon as it is known, without another change', () => {
  const fixture = new MetricsFixture(newTenant());
  const { database, application } = fixture.tenant;
  const task = fixture.task();
  const old = fixture.task();
  for (const [exampleIndex, prompt] of ['Same?', 'Same?', 'Other?'].entries()) {
    const test = fixture.test(task, NOW - DAY, { exampleIndex, prompt });
    fixture.save(NOW - DAY, { ...evalOf(test, DEFINITION, {}), ...verdict(true, 1) });
    fixture.end(test, 'COMPLETED');
    database.run(`UPDATE test SET example_id = ? WHERE id = ?`, randomUUID(), test.id);
  }
  fixture.end(fixture.test(old, NOW - 40 * DAY), 'COMPLETED');
  database.run('DELETE FROM test_result WHERE application = ?', application);
  fixture.maintain();
  expect(fixture.stored('task', task)).toMatchObject({ tests: 3, examples: 3 });
  database.run(`INSERT INTO outcome_fill (application, definition_id) VALUES (?, '')`, application);
  while (commands.fillOutcomes(database, { now: NOW }));
  expect(fixture.due(NOW + DAY)).toContain(`task ${task}`);
  expect(fixture.due(NOW + DAY)).not.toContain(`task ${old}`);
  fixture.maintain(NOW + 60_000);
  expect(fixture.stored('task', task)).toMatchObject({ tests: 3, examples: 2 });
  expect(fixture.stored('definition', DEFINITION)).toMatchObject({ tests: 3, examples: 2 });
});
