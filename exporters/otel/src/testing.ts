/** Runs a function as the app of tests, in Vitest, Jest and other test runners. */
import { context, trace } from '@opentelemetry/api';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from './register.ts';
import { Reporter } from './reporter.ts';
import { isUuid, withTest } from './test-context.ts';
import { TestingApi } from './testing-api.ts';
import { type StreamedDelivery, TestingListener } from './testing-listener.ts';
import { lockTests } from './testing-lock.ts';
import { contextOf } from './webhook-context.ts';
import { SpanFlush } from './webhook-flush.ts';
import { readTest, type WebhookTest } from './webhook-payload.ts';

export type { WebhookExperiment, WebhookTest } from './webhook-payload.ts';

export interface TestTasksOptions {
  /** Titles or ids of tasks. */
  tasks: readonly string[];
  /** Number of tests of each task. Default: 1. */
  repeat?: number | undefined;
  /** Smallest pass rate in percent. Default: 100. */
  failUnder?: number | undefined;
  /** Time limit of all tests and their verdicts. Default: 600000. */
  timeoutMillis?: number | undefined;
}

/** App of tests: it is called once for each. */
export type TestApp = (test: WebhookTest) => unknown;

/** Function `test` or `it` of Vitest, Jest or Bun. */
export type RunnerTest = (name: string, run: () => Promise<void>, timeoutMillis?: number) => unknown;

const TIMEOUT_MILLIS = 600_000;
const FLUSH_MILLIS = 10_000;
const POLL_MILLIS = 100;
const MAX_TASKS = 100;
/** Time in which the own error is reported before the runner ends the test. */
const GRACE_MILLIS = 5_000;

/** Declares a test of the runner that runs the tests of tasks: `testTasks(test, 'capitals', { tasks: ['Capitals'] }, app)`. */
export function testTasks(test: RunnerTest, name: string, options: TestTasksOptions, app: TestApp): void {
  test(name, () => runTests(options, app), (options.timeoutMillis ?? TIMEOUT_MILLIS) + GRACE_MILLIS);
}

/** Runs tests of tasks with the function as the app. Rejects with its first error, or with a report if too few verdicts passed. */
export async function runTests(options: TestTasksOptions, app: TestApp): Promise<void> {
  const api = new TestingApi(process.env);
  if (!isProviderSet()) register({ serviceName: 'tests' });
  const run = new TestRun(api, options, app);
  const unlock = await lockTests(api.applicationId, run.left());
  try {
    await run.all();
  } finally {
    unlock();
  }
}

function isProviderSet(): boolean {
  const proxy = trace.getTracerProvider() as { getDelegateTracer?: (name: string) => unknown };
  return !proxy.getDelegateTracer || proxy.getDelegateTracer('touchstone-otel') !== undefined;
}

/** Members of a test that the server returns. */
interface EndedTest {
  id: string;
  status: string;
  phase: string;
  prompt: string;
  failure: { message: string } | null;
  result: { passRate: number | null };
  evals: { definition: { name: string }; passed: boolean | null; reason: string }[];
}

class TestRun {
  readonly #api: TestingApi;
  readonly #options: TestTasksOptions;
  readonly #app: TestApp;
  readonly #timeoutMillis: number;
  readonly #deadline: number;
  readonly #flush: SpanFlush;
  #error: { of: unknown } | undefined;

  constructor(api: TestingApi, options: TestTasksOptions, app: TestApp) {
    this.#api = api;
    this.#options = options;
    this.#app = app;
    this.#timeoutMillis = options.timeoutMillis ?? TIMEOUT_MILLIS;
    this.#deadline = performance.now() + this.#timeoutMillis;
    this.#flush = new SpanFlush(undefined, FLUSH_MILLIS, new Reporter({}, process.env));
  }

  left(): number {
    return Math.max(this.#deadline - performance.now(), 0);
  }

  async all(): Promise<void> {
    const listener = await TestingListener.open(this.#api);
    let testIds: string[];
    try {
      testIds = await this.#trigger();
      await this.#answer(listener, new Set(testIds));
    } finally {
      listener.close();
    }
    if (this.#error) throw this.#error.of;
    const tests: EndedTest[] = [];
    for (const testId of testIds) tests.push(await this.#endOf(testId));
    const report = reportOf(tests, this.#options.failUnder ?? 100);
    if (report !== undefined) throw new Error(report);
  }

  async #trigger(): Promise<string[]> {
    const taskIds = await Promise.all(this.#options.tasks.map((name) => this.#taskId(name)));
    const body = { taskIds, repeat: this.#options.repeat ?? 1 };
    const { data } = (await this.#api.call('/v0/tasks/trigger', body, {
      prefer: 'return=representation',
    })) as {
      data: { testIds: string[] }[];
    };
    return data.flatMap(({ testIds }) => testIds);
  }

  async #taskId(name: string): Promise<string> {
    if (isUuid(name)) return name;
    const { data = [] } = (await this.#api.call(`/v0/tasks?limit=${MAX_TASKS}`)) as {
      data?: { id: string; title: string }[];
    };
    const ids = data.filter(({ title }) => title === name).map(({ id }) => id);
    if (ids.length !== 1) throw new Error(`${ids.length} tasks have the title "${name}": use the id of one.`);
    return ids[0] as string;
  }

  async #answer(listener: TestingListener, waiting: Set<string>): Promise<void> {
    while (waiting.size > 0) {
      const delivery = await listener.next(this.left());
      const test = readTest(new TextEncoder().encode(delivery.body));
      if (!waiting.delete(test.testId)) {
        await listener.reject(delivery);
        continue;
      }
      const error = await this.#call(delivery, { ...test, signal: new AbortController().signal });
      this.#error ??= error;
      if (error) await listener.answer(delivery, 500, textOf(error.of));
      else await listener.answer(delivery, 200, '');
    }
  }

  /** Calls the app inside the test and in the trace of the delivery. Resolves with what it throws. */
  async #call(
    { headers }: StreamedDelivery,
    test: Omit<WebhookTest, 'context'>,
  ): Promise<{ of: unknown } | undefined> {
    const flush = this.#flush.start();
    try {
      await context.with(contextOf(new Headers(headers)), () =>
        withTest(test.testId, (inTest) => this.#app({ ...test, context: inTest })),
      );
    } catch (error) {
      return { of: error };
    } finally {
      await flush();
    }
    return undefined;
  }

  async #endOf(testId: string): Promise<EndedTest> {
    for (;;) {
      const { test } = (await this.#api.call(`/v0/tests/${testId}`)) as { test: EndedTest };
      if (test.status === 'COMPLETED' || test.status === 'FAILED') return test;
      if (this.left() <= 0)
        throw new Error(
          `Test ${testId} has not ended within ${this.#timeoutMillis} ms; its phase is ${test.phase}.`,
        );
      await sleep(POLL_MILLIS);
    }
  }
}

const textOf = (error: unknown): string => (error instanceof Error && error.message) || String(error);

/** A report if the pass rate is too low. A test without any verdict proves nothing, so it counts as failed. */
function reportOf(tests: readonly EndedTest[], failUnder: number): string | undefined {
  const rates = tests.map(({ status, result }) => (status === 'FAILED' ? 0 : (result.passRate ?? 0)));
  const rate = rates.reduce((sum, one) => sum + one, 0) / Math.max(rates.length, 1);
  if (rate >= failUnder) return undefined;
  const shown = Number(rate.toFixed(2));
  return [
    `The pass rate is ${shown} %, below ${failUnder} % (${tests.length} tests)`,
    ...tests.flatMap(failuresOf),
  ].join('\n');
}

function failuresOf({ id, status, prompt, failure, result, evals }: EndedTest): string[] {
  const name = `${prompt.replaceAll(/\s+/g, ' ').slice(0, 80)} (test ${id})`;
  if (status === 'FAILED') return [`${name}: ${failure?.message ?? 'failed'}`];
  if (result.passRate === null) return [`${name}: no verdict; link a definition to the task`];
  return evals
    .filter(({ passed }) => passed === false)
    .map(({ definition, reason }) => `${name}: ${definition.name}: ${reason}`);
}
