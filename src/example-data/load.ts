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
import { createExperimentBody } from '../resources/experiments/contract.ts';
import { createVariantBody } from '../resources/experiments/variant-contract.ts';
import { createDrawnItems, drawTraces } from '../resources/human-annotation-queue-items/calls.ts';
import { createAnnotationQueue } from '../resources/human-annotation-queues/calls.ts';
import { createHumanAnnotation } from '../resources/human-annotations/calls.ts';
import { createTask } from '../resources/tasks/calls.ts';
import { createTaskBody } from '../resources/tasks/contract.ts';
import { listTests } from '../resources/tests/calls.ts';
import { testsQuery } from '../resources/tests/contract.ts';
import { createTopic } from '../resources/topics/calls.ts';
import { createTopicBody } from '../resources/topics/contract.ts';
import { getWebhook, removeWebhook, saveWebhook } from '../resources/webhook/calls.ts';
import type { SecretBox } from '../runtime/secrets.ts';
import type { Read, Write } from '../storage/calls.ts';
import { DEFINITIONS, type Plan, TASKS, TOPICS, VARIANTS } from './plan.ts';
import { ShopApp } from './shop-app.ts';

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
/** Share of live traces that definitions judge. */
const SAMPLE_RATE = 0.5;
/** Tests of each task. */
const REPEAT = 4;
const TASKS_OF_EXPERIMENT = 3;
const DRAWN = 25;
const ANNOTATED = 5;
/** Index of the one that fails. */
const FAILED_BY_PEOPLE = 2;
/** Milliseconds within which tests and their evaluation end, on a busy machine too. */
const LONGEST_MS = 900_000;
const POLL_MS = 250;

/** Makes the planned records by the commands that the API uses. Tests are delivered, linked and judged as usual. */
export class ExampleLoader {
  private readonly deps: LoadDeps;
  private readonly plan: Plan;
  private readonly owner: Owner;
  private readonly signal: AbortSignal;

  constructor(deps: LoadDeps, plan: Plan, { owner, signal }: { owner: Owner; signal: AbortSignal }) {
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
    await this.sendTraces();
    const app = await openApp(this.deps, this.owner, this.plan.made.webhookId);
    try {
      await this.begin('tests');
      await this.runTests();
      await this.begin('experiment');
      await this.runVariants();
    } finally {
      await app.close();
    }
    await this.begin('annotations');
    await this.makeQueue();
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
    const { definitionIds } = this.plan.made;
    for (const [index, [name, assertions]] of DEFINITIONS.entries()) {
      const globalConfig = { assertions, monitoring: { sampleRate: SAMPLE_RATE } };
      const fields = createDefinitionBody.parse({ name, type: 'ASSERT', globalConfig });
      await this.deps.write(createDefinition, { ...this.place(definitionIds[index] as string), fields });
    }
    const links = { owner: this.owner, evalIds: definitionIds, at: this.deps.now() };
    await this.deps.write(linkDefinitionsToApplication, links);
  }

  private async makeTasks(): Promise<void> {
    const { topicIds, taskIds } = this.plan.made;
    for (const [index, title] of TOPICS.entries()) {
      const fields = createTopicBody.parse({ title });
      await this.deps.write(createTopic, { ...this.place(topicIds[index] as string), fields });
    }
    for (const [index, { topic, title, prompts: inputExamples }] of TASKS.entries()) {
      const topicId = topicIds[TOPICS.indexOf(topic)];
      const fields = createTaskBody.parse({ title, type: 'STATIC', inputExamples, topicId });
      await this.deps.write(createTask, { ...this.place(taskIds[index] as string), fields });
    }
  }

  private async sendTraces(): Promise<void> {
    for (const { body } of this.plan.traces) {
      this.signal.throwIfAborted();
      await this.deps.storeSpans(this.owner.application, body, 'json');
    }
  }

  /** Runs all tasks, and at the same time the baseline of the experiment. */
  private async runTests(): Promise<void> {
    const { taskIds, experimentId, variantIds } = this.plan.made;
    const compared = { title: 'A larger model', taskIds: taskIds.slice(0, TASKS_OF_EXPERIMENT) };
    const fields = createExperimentBody.parse(compared);
    await this.deps.write(createExperiment, { ...this.place(experimentId), fields });
    const { application } = this.owner;
    const started = { type: 'MANUAL', experiment: null, promptSeed: null, at: this.deps.now() } as const;
    await triggerInSteps(this.deps.write, { application, taskIds, repeat: REPEAT, ...started });
    await this.runVariant(variantIds[0] as string, 0);
  }

  private async runVariants(): Promise<void> {
    for (const [index, id] of this.plan.made.variantIds.entries())
      if (index > 0) await this.runVariant(id, index);
  }

  private async runVariant(id: string, index: number): Promise<void> {
    const { experimentId, variantIds } = this.plan.made;
    const { title, model } = VARIANTS[index] as (typeof VARIANTS)[number];
    const configPatch = model === null ? {} : { answer: { model } };
    const parentId = index === 0 ? null : variantIds[0];
    const fields = createVariantBody.parse({ title, status: 'PENDING', configPatch, parentId });
    await this.deps.write(createVariant, { ...this.place(id), experimentId, fields });
    let { hasMore } = await this.deps.write(runVariant, {
      ...this.place(id),
      experimentId,
      repeat: REPEAT,
      hasPromptModel: false,
    });
    const { application } = this.owner;
    while (hasMore) {
      const step = { application, id, at: this.deps.now() };
      ({ hasMore } = await this.deps.write(startVariantTests, step));
    }
    this.deps.wake();
    await testsEnded(this.deps, this.owner, this.signal);
  }

  private async makeQueue(): Promise<void> {
    const { owner, deps } = this;
    const { queueId } = this.plan.made;
    const fields = { title: 'Answers of this week', topicId: null, assigneeId: null };
    await deps.write(createAnnotationQueue, { ...this.place(queueId), fields });
    const draw = { queueId, count: DRAWN, selection: 'RANDOM' } as const;
    const traceIds = await deps.read(drawTraces, { application: owner.application, draw });
    const drawn = traceIds.map((traceId) => ({ id: randomUUID(), traceId }));
    const items = await deps.write(createDrawnItems, { owner, items: { ...draw, drawn }, at: deps.now() });
    for (const [index, { id: queueItemId, traceId }] of items.slice(0, ANNOTATED).entries()) {
      const verdict = index !== FAILED_BY_PEOPLE;
      const critique = verdict ? null : 'The customer wanted to know a date and got none.';
      const annotation = {
        traceId,
        verdict,
        critique,
        correctedOutput: null,
        annotatorId: EXAMPLE_ANNOTATOR,
        source: 'REVIEW_QUEUE',
        queueItemId,
      } as const;
      await deps.write(createHumanAnnotation, {
        ...this.place(randomUUID()),
        annotation,
        annotatedBy: annotation.annotatorId,
      });
    }
  }
}

/** Receives the tests of the application in this process, until it is closed. */
async function openApp(
  deps: LoadDeps,
  { application }: Owner,
  webhookId: string,
): Promise<{ close: () => Promise<void> }> {
  const { write, relay, storeSpans } = deps;
  await ensureWebhook(deps, application, webhookId);
  const app = new ShopApp();
  const answer = async (request: RelayedRequest): Promise<void> => {
    const { answer: response, trace } = await app.respond(request);
    if (trace) await storeSpans(application, trace.body, 'json');
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
  return {
    close: async () => {
      leave();
      await write(removeWebhook, { application, id: webhookId, url: WEBHOOK_URL });
    },
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
  const query = testsQuery.parse({ status: 'PENDING,IN_PROGRESS', limit: '1' });
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    const { pagination } = await read(listTests, { owner, query });
    if (pagination.total === 0) return;
    await delay(POLL_MS, undefined, { signal });
  }
  throw new AppError('unavailable', `The tests did not end within ${LONGEST_MS / 1_000} seconds.`);
}
