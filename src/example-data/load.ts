import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Owner } from '../contract/owner.ts';
import type { Relay, RelayedRequest } from '../deliver/relay.ts';
import { generateSecret } from '../deliver/signature.ts';
import { triggerInSteps } from '../deliver/trigger-in-steps.ts';
import { sealSecret } from '../deliver/webhook-seal.ts';
import { AppError } from '../errors.ts';
import type { IngestReceiver } from '../ingest/receiver.ts';
import { createDefinition, linkDefinitionsToApplication } from '../resources/definitions/calls.ts';
import { createDefinitionBody } from '../resources/definitions/contract.ts';
import { noteExampleStep } from '../resources/example-data/calls.ts';
import type { ExampleStep } from '../resources/example-data/contract.ts';
import { EXAMPLE_ANNOTATOR } from '../resources/example-data/own-records.ts';
import {
  createExperiment,
  createVariant,
  runVariant,
  startVariantTests,
} from '../resources/experiments/calls.ts';
import { listEvals } from '../resources/evals/calls.ts';
import { evalsQuery } from '../resources/evals/contract.ts';
import { importExamples } from '../resources/examples/calls.ts';
import { createExampleBody } from '../resources/examples/contract.ts';
import { createExperimentBody } from '../resources/experiments/contract.ts';
import { createVariantBody } from '../resources/experiments/variant-contract.ts';
import { createDrawnItems, drawTraces } from '../resources/human-annotation-queue-items/calls.ts';
import { createAnnotationQueue } from '../resources/human-annotation-queues/calls.ts';
import { createQueueBody } from '../resources/human-annotation-queues/contract.ts';
import { createHumanAnnotation } from '../resources/human-annotations/calls.ts';
import { createIssue, linkTraces } from '../resources/issues/calls.ts';
import { createIssueBody } from '../resources/issues/contract.ts';
import { createTask } from '../resources/tasks/calls.ts';
import { createTaskBody } from '../resources/tasks/contract.ts';
import { listTests } from '../resources/tests/calls.ts';
import { testsQuery } from '../resources/tests/contract.ts';
import { createTopic } from '../resources/topics/calls.ts';
import { createTopicBody } from '../resources/topics/contract.ts';
import { getWebhook, removeWebhook, saveWebhook } from '../resources/webhook/calls.ts';
import type { SecretBox } from '../runtime/secrets.ts';
import type { Read, Write } from '../storage/calls.ts';
import type { ExampleDataPlan } from './plan.ts';
import { RecordedApp } from './recorded-app.ts';
import { parseTrace, place, requestOf } from './recording.ts';

export interface LoadDeps {
  read: Read;
  write: Write;
  now: () => number;
  storeSpans: IngestReceiver['storeOwn'];
  relay: Relay;
  secretBox: SecretBox;
  webhookTimeoutMs: number;
  /** Wakes the job runner after tests were started. */
  wake: () => void;
}

/** URL of the webhook while tests run. No request is sent to it: the relay passes them to the app in this process. */
export const WEBHOOK_URL = 'https://example-shop.invalid/webhook';
/** Milliseconds within which tests and their evaluation end, on a busy machine too. */
const LONGEST_MS = 900_000;
const POLL_MS = 250;
/** Live traces of one request. */
const TRACES_AT_ONCE = 20;

/** Makes the planned records by the commands that the API uses. Tests are delivered, linked and judged as usual. */
export class ExampleLoader {
  private readonly deps: LoadDeps;
  private readonly plan: ExampleDataPlan;
  private readonly owner: Owner;
  private readonly signal: AbortSignal;

  constructor(
    deps: LoadDeps,
    plan: ExampleDataPlan,
    { owner, signal }: { owner: Owner; signal: AbortSignal },
  ) {
    this.deps = deps;
    this.plan = plan;
    this.owner = owner;
    this.signal = signal;
  }

  async load(): Promise<void> {
    await this.begin('definitions');
    await this.makeDefinitions();
    await this.makeTasks();
    await this.begin('traces');
    await this.sendTraffic();
    const app = new RecordedApp(this.plan.responses);
    const close = await openApp(this.deps, app, { owner: this.owner, webhookId: this.plan.made.webhookId });
    try {
      await this.begin('tests');
      await this.runTests(app);
      await this.begin('experiment');
      await this.runExperiment();
    } finally {
      await close();
    }
    await this.begin('annotations');
    await this.makeQueue();
    await this.makeIssue();
  }

  private begin(step: ExampleStep): Promise<void> {
    this.signal.throwIfAborted();
    const { application } = this.owner;
    return this.deps.write(noteExampleStep, { application, step, at: this.deps.now() });
  }

  private place(id: string): { owner: Owner; id: string; at: number } {
    return { owner: this.owner, id, at: this.deps.now() };
  }

  private async makeDefinitions(): Promise<void> {
    const { made, records } = this.plan;
    for (const [id, definition] of pairs(made.definitionIds, records.definitions)) {
      const fields = createDefinitionBody.parse(definition);
      await this.deps.write(createDefinition, { ...this.place(id), fields });
    }
    const links = { owner: this.owner, evalIds: made.definitionIds, at: this.deps.now() };
    await this.deps.write(linkDefinitionsToApplication, links);
  }

  private async makeTasks(): Promise<void> {
    const { made, records } = this.plan;
    const { application } = this.owner;
    for (const [id, topic] of pairs(made.topicIds, records.topics))
      await this.deps.write(createTopic, { ...this.place(id), fields: createTopicBody.parse(topic) });
    for (const [taskId, { topic, examples, ...task }] of pairs(made.taskIds, records.tasks)) {
      const fields = createTaskBody.parse({ ...task, topicId: made.topicIds[topic] });
      const created = this.place(taskId);
      await this.deps.write(createTask, { ...created, fields });
      const rows = examples.map((example, index) => ({
        fields: { ...createExampleBody.parse(example), key: `example-${index + 1}` },
        given: ['input', 'expected', 'key'] as const,
      }));
      // At the time of the task: removal takes later ones for examples that a user added.
      await this.deps.write(importExamples, { application, taskId, rows, dryRun: false, at: created.at });
    }
  }

  private async sendTraffic(): Promise<void> {
    const { made, records, traffic } = this.plan;
    const shiftMs = this.deps.now() - Date.parse(records.recordedUntil);
    const lines = pairs(made.traceIds, traffic);
    for (let from = 0; from < lines.length; from += TRACES_AT_ONCE) {
      this.signal.throwIfAborted();
      const traces = lines
        .slice(from, from + TRACES_AT_ONCE)
        .map(([traceId, line]) => place(parseTrace(line), { traceId, shiftMs }));
      await this.deps.storeSpans(this.owner.application, requestOf(traces), 'json');
    }
  }

  /** Runs all tasks with each version of the app. */
  private async runTests(app: RecordedApp): Promise<void> {
    const { made, records } = this.plan;
    const { application } = this.owner;
    const how = { repeat: 1, examples: {}, type: 'MANUAL', experiment: null, promptSeed: null } as const;
    const { taskIds } = made;
    for (const version of records.runs) {
      app.version = version;
      await triggerInSteps(this.deps.write, { application, taskIds, ...how, at: this.deps.now() });
      await this.testsEnd();
    }
  }

  /** Runs all variants with each example of the tasks. */
  private async runExperiment(): Promise<void> {
    const { made, records } = this.plan;
    const { experimentId, variantIds } = made;
    const { tasks, ...experiment } = records.experiment;
    const taskIds = tasks.map((index) => made.taskIds[index]);
    const fields = createExperimentBody.parse({ ...experiment, taskIds });
    await this.deps.write(createExperiment, { ...this.place(experimentId), fields });
    const repeat = Math.max(...tasks.map((index) => records.tasks[index]?.examples.length ?? 0));
    for (const [id, variant] of pairs(variantIds, records.variants)) {
      const parentId = id === variantIds[0] ? null : variantIds[0];
      const ofVariant = { ...this.place(id), experimentId };
      const body = createVariantBody.parse({ ...variant, status: 'PENDING', parentId });
      await this.deps.write(createVariant, { ...ofVariant, fields: body });
      let { hasMore } = await this.deps.write(runVariant, { ...ofVariant, repeat, promptSeed: null });
      const { application } = this.owner;
      while (hasMore)
        ({ hasMore } = await this.deps.write(startVariantTests, { application, id, at: this.deps.now() }));
      // One variant runs at a time.
      await this.testsEnd();
    }
  }

  private async testsEnd(): Promise<void> {
    this.deps.wake();
    await testsEnded(this.deps, this.owner, this.signal);
  }

  private async makeQueue(): Promise<void> {
    const { owner, deps } = this;
    const { made, records } = this.plan;
    const { queueId } = made;
    const fields = createQueueBody.parse(records.queue);
    await deps.write(createAnnotationQueue, { ...this.place(queueId), fields, person: EXAMPLE_ANNOTATOR });
    const draw = { queueId, count: records.drawn, selection: 'RANDOM' } as const;
    const { traces, ...found } = await deps.read(drawTraces, { application: owner.application, draw });
    const drawn = traces.map((trace) => ({ id: randomUUID(), ...trace }));
    const drawing = { draw, drawId: randomUUID(), ...found, drawn };
    const items = await deps.write(createDrawnItems, { owner, items: drawing, at: deps.now() });
    for (const [index, critique] of records.critiques.entries()) {
      const item = items[index];
      if (!item) break;
      const annotation = {
        traceId: item.traceId,
        evalDefinitionId: null,
        score: null,
        unsure: false,
        verdict: critique === null,
        critique,
        correctedOutput: null,
        annotatorId: EXAMPLE_ANNOTATOR,
        source: 'REVIEW_QUEUE',
        queueItemId: item.id,
        leaseToken: null,
        criteria: null,
      } as const;
      const annotatedBy = EXAMPLE_ANNOTATOR;
      const ids = { partIds: [], reviewId: randomUUID() };
      await deps.write(createHumanAnnotation, {
        ...this.place(randomUUID()),
        ...ids,
        annotation,
        annotatedBy,
      });
    }
  }

  /** Makes an issue of the traces that a definition fails. */
  private async makeIssue(): Promise<void> {
    const { owner, deps } = this;
    const { made, records } = this.plan;
    const { definition, topic, ...issue } = records.issue;
    const evalDefinitionId = made.definitionIds[definition];
    const fields = createIssueBody.parse({ ...issue, topicId: made.topicIds[topic], evalDefinitionId });
    const actor = { type: 'user', id: EXAMPLE_ANNOTATOR, name: EXAMPLE_ANNOTATOR } as const;
    await deps.write(createIssue, { ...this.place(made.issueId), fields, actor });
    const query = evalsQuery.parse({ evalDefinitionId, passed: 'false', limit: String(MAX_SHOWN) });
    const seenBy = { reviewer: { id: EXAMPLE_ANNOTATOR, isPerson: false }, now: deps.now() };
    const { data } = await deps.read(listEvals, { owner, query, seenBy });
    const traces = data.flatMap(({ traceId }) => (traceId === null ? [] : { id: randomUUID(), traceId }));
    await deps.write(linkTraces, { ...this.place(made.issueId), traces, source: 'SELECTION' });
  }
}

/** Most traces that show the problem of the issue. */
const MAX_SHOWN = 100;

/** Pairs planned ids with what they are for. */
const pairs = <T>(ids: readonly string[], records: readonly T[]): [id: string, record: T][] =>
  ids.map((id, index) => [id, records[index] as T]);

/** Passes the tests of the application to the app in this process, until the returned function is called. */
async function openApp(
  deps: LoadDeps,
  app: RecordedApp,
  { owner: { application }, webhookId }: { owner: Owner; webhookId: string },
): Promise<() => Promise<void>> {
  const { write, relay, storeSpans } = deps;
  await ensureWebhook(deps, application, webhookId);
  const answer = async (request: RelayedRequest): Promise<void> => {
    const { answer: response, trace } = await app.respond(request);
    if (trace) await storeSpans(application, requestOf([trace]), 'json');
    relay.answer(application, request.id, response);
  };
  const fail = (request: RelayedRequest, error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error);
    relay.answer(application, request.id, { error: { kind: 'lost', message } });
  };
  const leave = relay.listen(application, {
    send: (request) => {
      answer(request).catch((error: unknown) => fail(request, error));
      return true;
    },
    end: () => undefined,
  });
  return async () => {
    leave();
    await write(removeWebhook, { application, id: webhookId, url: WEBHOOK_URL });
  };
}

/** Creates a webhook with this id, whose secret signs the tests, unless the application has one. */
async function ensureWebhook(
  { read, write, now, secretBox, webhookTimeoutMs: timeoutMs }: LoadDeps,
  application: number,
  id: string,
): Promise<void> {
  if (await read(getWebhook, { application })) return;
  const secret = sealSecret(secretBox, application, generateSecret());
  const fresh = { id, secret, timeoutMs };
  await write(saveWebhook, { application, given: { url: WEBHOOK_URL }, fresh, at: now() });
}

/** Resolves when no test of the application is in flight. Throws `unavailable` if that takes too long. */
async function testsEnded(
  { read }: Pick<LoadDeps, 'read'>,
  owner: Owner,
  signal: AbortSignal,
): Promise<void> {
  const { q: _, ...query } = testsQuery.parse({ status: 'PENDING,IN_PROGRESS', limit: '1' });
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    const { pagination } = await read(listTests, { owner, query });
    if (pagination.total === 0) return;
    await delay(POLL_MS, undefined, { signal });
  }
  throw new AppError('unavailable', `The tests did not end within ${LONGEST_MS / 1_000} seconds.`);
}
