/** A customer's app whose tests are started by webhook, and the judge of its responses. */
import { setTimeout as delay } from 'node:timers/promises';
import { type CustomerApp, type Received, startCustomerApp } from '../support/customer-app.ts';
import { callUntilDone } from './insist.ts';

/** What the app knows of a test that it received. */
export interface AppRecord {
  requests: number;
  /** Status that it responded with; null while it has not. */
  status: number | null;
  isSpanAcknowledged: boolean;
}

export interface TestedAppOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  random: () => number;
  /** Pause between two triggers, milliseconds. */
  pauseMs: number;
}

const PER_TRIGGER = 3;
/** Tests that are started however slow the machine is, so that some of them complete. */
const LEAST_TESTS = 30;
const MAX_WORK_MS = 300;
/** Responses of the app: the span before the response, after it, never, or a failure. */
const BEFORE = 0.7;
const AFTER = 0.9;
const NO_SPAN = 0.95;
export const DEFINITIONS = 2;

/** Starts tests and runs them as the app. */
export class TestedApp {
  readonly records = new Map<string, AppRecord>();
  /** Ids of tests whose trigger was acknowledged. */
  readonly triggered: string[] = [];
  private readonly options: TestedAppOptions;
  private readonly app: CustomerApp;
  private readonly deadline: AbortSignal;
  private readonly working = new Set<Promise<void>>();
  private taskId = '';
  readonly faults: string[] = [];

  private constructor(options: TestedAppOptions, app: CustomerApp, deadline: AbortSignal) {
    this.options = options;
    this.app = app;
    this.deadline = deadline;
    app.behave((request, response) => {
      const work = this.serve(request, (status) => response.writeHead(status).end())
        .catch((error: unknown) => void this.faults.push(String(error)))
        .finally(() => this.working.delete(work));
      this.working.add(work);
    });
  }

  static async open(options: TestedAppOptions, deadline: AbortSignal): Promise<TestedApp> {
    const app = new TestedApp(options, await startCustomerApp(), deadline);
    await app.configure();
    return app;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { headers, pauseMs, random } = this.options;
    while (!stop.aborted || this.triggered.length < LEAST_TESTS) {
      const reply = (await this.call(
        '/v0/tasks/trigger',
        { taskIds: [this.taskId], repeat: PER_TRIGGER },
        { ...headers, prefer: 'return=representation' },
      )) as { data: { testIds: string[] }[] };
      this.triggered.push(...reply.data.flatMap(({ testIds }) => testIds));
      await delay(pauseMs * (0.5 + random()));
    }
  }

  /** Number of requests that the app still works on. */
  get inProgress(): number {
    return this.working.size;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  private async configure(): Promise<void> {
    await this.call('/v0/webhook', { url: this.app.url });
    const contains = { type: 'ASSERT', globalConfig: { assertions: [{ type: 'contains', value: 'Paris' }] } };
    const judged = { type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' } };
    const evalDefinitions: { evalDefinitionId: string }[] = [];
    for (const definition of [contains, judged]) {
      const { data } = (await this.call('/v0/definitions', { name: 'Rule', ...definition })) as {
        data: { id: string };
      };
      evalDefinitions.push({ evalDefinitionId: data.id });
    }
    const body = { title: 'Capital', type: 'STATIC', inputExamples: ['Capital of France?'], evalDefinitions };
    const { task } = (await this.call('/v0/tasks', body)) as { task: { id: string } };
    this.taskId = task.id;
  }

  private async serve(request: Received, respond: (status: number) => void): Promise<void> {
    const { random } = this.options;
    const { testId } = JSON.parse(request.body) as { testId: string };
    const record = this.records.get(testId) ?? { requests: 0, status: null, isSpanAcknowledged: false };
    this.records.set(testId, record);
    record.requests += 1;
    const [workMs, kind] = [random() * MAX_WORK_MS, random()];
    await delay(workMs);
    if (kind < BEFORE) await this.sendSpan(request, testId, record);
    record.status = kind < NO_SPAN ? 200 : 500;
    respond(record.status);
    if (kind >= BEFORE && kind < AFTER) await this.sendSpan(request, testId, record);
  }

  private async sendSpan({ headers }: Received, testId: string, record: AppRecord): Promise<void> {
    const [, traceId = '', parentSpanId] = String(headers['traceparent']).split('-');
    const attributes = { 'service.test.id': testId, 'input.value': 'Capital?', 'output.value': 'Paris' };
    const now = BigInt(Date.now()) * 1_000_000n;
    const span = {
      traceId,
      spanId: `a${testId.replaceAll('-', '').slice(0, 15)}`,
      parentSpanId,
      name: 'answer',
      startTimeUnixNano: String(now),
      endTimeUnixNano: String(now + 1_000_000n),
      attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
    };
    await this.call('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    record.isSpanAcknowledged = true;
  }

  private call(path: string, body: unknown, headers = this.options.headers): Promise<unknown> {
    return callUntilDone(this.options.url + path, { headers, body, deadline: this.deadline });
  }
}
