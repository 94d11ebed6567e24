import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, call } from '../api.ts';
import { shopTraces } from './shop-traces.ts';

const TRACES = 300;
/** Requests at the same time. */
const AT_ONCE = 8;
/** Milliseconds within which tests and their evaluation are expected to end. */
const LONGEST_MS = 90_000;
const TOPICS: readonly (readonly [
  title: string,
  tasks: readonly (readonly [title: string, prompts: string[]])[],
])[] = [
  [
    'Refunds',
    [
      ['Refund within 30 days', ['I want my money back', 'How do I get a refund?']],
      ['Refund of a broken vase', ['My vase arrived broken', 'It is broken, I want my money back']],
    ],
  ],
  [
    'Shipping',
    [
      ['Find a parcel', ['Where is my parcel 4711?', 'When does my order arrive?']],
      ['Change the delivery address', ['Can I change the delivery address?']],
    ],
  ],
  ['Accounts', [['Reset a password', ['I forgot my password']]]],
];

export type Report = (progress: string) => void;

/** Fills an application through its API, as customers do: OTLP requests, tests by webhook, evaluation, an experiment, a queue. */
export async function fillApplication(api: Api, report: Report): Promise<void> {
  await call(api, 'PUT', `/v0/applications/${api.applicationId}`, {
    title: 'Example shop',
    context: 'Helps customers of a web shop.',
  });
  await makeDefinitions(api);
  report('has evaluators: three by rules, one with a stand-in judge');
  await sendTraces(api);
  report(`received ${TRACES} traces of the last seven days by OTLP`);
  const taskIds = await makeTasks(api);
  const { data } = await call<{ data: { testIds: string[] }[] }>(api, 'POST', '/v0/tasks/trigger', {
    taskIds,
    repeat: 4,
  });
  report(`started ${data.flatMap(({ testIds }) => testIds).length} tests of ${taskIds.length} tasks`);
  await testsEnded(api);
  await runExperiment(api, taskIds.slice(0, 3), report);
  await makeQueue(api);
  report('has a queue for people');
}

const created = async (api: Api, path: string, body: object): Promise<string> => {
  const answer = await call<Record<string, { id: string }>>(api, 'POST', path, body);
  return Object.values(answer)[0]?.id ?? '';
};

async function makeDefinitions(api: Api): Promise<void> {
  const monitoring = { sampleRate: 0.5 };
  const rules: readonly (readonly [name: string, assertions: object[]])[] = [
    ['Helps', [{ type: 'contains-none', value: ['cannot help'] }]],
    ['Is brief', [{ type: 'word-count', value: { max: 40 } }]],
    ['Names the order', [{ type: 'contains', value: '4711' }]],
  ];
  const evalIds: string[] = [];
  for (const [name, assertions] of rules)
    evalIds.push(
      await created(api, '/v0/definitions', {
        name,
        type: 'ASSERT',
        status: 'ACTIVE',
        globalConfig: { assertions, monitoring },
      }),
    );
  const globalConfig = { criterion: 'The answer addresses the question of the customer.', monitoring };
  const body = { name: 'Answers the question', type: 'CUSTOM', status: 'ACTIVE', globalConfig };
  evalIds.push(await created(api, '/v0/definitions', body));
  await call(api, 'POST', '/v0/definitions/link-application', { evalIds });
}

async function sendTraces(api: Api): Promise<void> {
  const traces = shopTraces(TRACES, Date.now());
  for (let index = 0; index < traces.length; index += AT_ONCE)
    await Promise.all(
      traces.slice(index, index + AT_ONCE).map((trace) => call(api, 'POST', '/v1/traces', trace)),
    );
}

async function makeTasks(api: Api): Promise<string[]> {
  const taskIds: string[] = [];
  for (const [title, tasks] of TOPICS) {
    const topicId = await created(api, '/v0/topics', { title, status: 'ACTIVE' });
    for (const [task, inputExamples] of tasks)
      taskIds.push(
        await created(api, '/v0/tasks', {
          title: task,
          type: 'STATIC',
          status: 'ACTIVE',
          inputExamples,
          topicId,
        }),
      );
  }
  return taskIds;
}

/** Waits until no test is in flight. */
async function testsEnded(api: Api): Promise<void> {
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    const path = '/v0/tests?status=PENDING,IN_PROGRESS&limit=1';
    const { pagination } = await call<{ pagination: { total: number } }>(api, 'GET', path);
    if (pagination.total === 0) return;
    await sleep(500);
  }
}

async function runExperiment(api: Api, taskIds: string[], report: Report): Promise<void> {
  await created(api, '/v0/inference-steps', { type: 'LLM', externalId: 'answer', title: 'Answer' });
  const experiment = await created(api, '/v0/experiments', { title: 'A larger model', taskIds });
  const path = `/v0/experiments/${experiment}/variants`;
  const baseline = await created(api, path, { title: 'Baseline', status: 'PENDING', configPatch: {} });
  await call(api, 'POST', `${path}/${baseline}/run`, { repeat: 4 });
  await testsEnded(api);
  for (const model of ['gpt-5.4', 'claude-opus-5']) {
    const configPatch = { answer: { model } };
    const body = { title: model, status: 'PENDING', configPatch, parentId: baseline };
    const variant = await created(api, path, body);
    await call(api, 'POST', `${path}/${variant}/run`, { repeat: 4 });
    await testsEnded(api);
  }
  report('has an experiment with a baseline and two variants');
}

async function makeQueue(api: Api): Promise<void> {
  const queueId = await created(api, '/v0/human-annotation-queues', { title: 'Answers of this week' });
  await call(api, 'POST', '/v0/human-annotation-queue-items/draw', { queueId, count: 25 });
  const { data } = await call<{ data: { id: string; traceId: string }[] }>(
    api,
    'GET',
    `/v0/human-annotation-queue-items?queueId=${queueId}&limit=5`,
  );
  for (const [index, { id: queueItemId, traceId }] of data.entries()) {
    const verdict = index !== 2;
    await call(api, 'POST', '/v0/human-annotations', {
      traceId,
      verdict,
      critique: verdict ? null : 'The customer wanted to know a date and got none.',
      annotatorId: 'ada',
      source: 'REVIEW_QUEUE',
      queueItemId,
    });
  }
}
