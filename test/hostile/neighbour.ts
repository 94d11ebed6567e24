import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { callTarget, PREPARE_TIMEOUT_MS, spansOf, startTests, type Target, TIMEOUT_MS } from './target.ts';
import { startWebhookApp } from './webhook-app.ts';

/** A kind of call that the neighbour makes at an even pace, whether or not earlier ones are answered. */
interface Operation {
  name: string;
  perSecond: number;
  run: () => Promise<unknown>;
}

/** What became of the calls of one kind. */
export interface Measured {
  /** Successful calls a second. */
  rate: number;
  /** Milliseconds of the calls that succeeded or timed out, sorted. */
  latencies: number[];
  failed: number;
  failure: string | null;
}
export type Measurement = Record<string, Measured>;

const TESTS = 4;
const MAX_IN_FLIGHT = 32;
const POLL_MS = 20;
/** Name of the operation that waits for a verdict; all others are single requests. */
export const VERDICT = 'verdict';

const RULE = {
  name: 'Mentions the order',
  type: 'ASSERT',
  globalConfig: {
    assertions: [
      { type: 'regex', value: 'order \\d+' },
      { type: 'icontains', value: 'order' },
    ],
  },
};

/** Prepares the data of the neighbour; returns the function that measures for so many seconds. */
export async function openNeighbour(target: Target): Promise<(seconds: number) => Promise<Measurement>> {
  const app = await startWebhookApp(target, 'Your order 17 arrives today.');
  const tests = await startTests(target, app.url, [RULE], TESTS);
  await Promise.all(tests.testIds.map((id) => untilJudged(target, id, PREPARE_TIMEOUT_MS)));
  const traceId = randomBytes(16).toString('hex');
  await callTarget(target, 'POST', '/v1/traces', spansOf(traceId, 20, 'On its way.'));
  const operations = operationsOf(target, traceId, tests, await createTag(target));
  return async (seconds) => {
    const measured = await Promise.all(
      operations.map(async (operation) => [operation.name, await paced(operation, seconds)] as const),
    );
    return Object.fromEntries(measured);
  };
}

function operationsOf(
  target: Target,
  traceId: string,
  { taskId, testIds }: { taskId: string; testIds: readonly string[] },
  tagId: string,
): Operation[] {
  const [testId = ''] = testIds;
  const call = (method: string, path: string, body?: unknown): Promise<unknown> =>
    callTarget(target, method, path, body, TIMEOUT_MS);
  const get = (path: string) => () => call('GET', path);
  let changes = 0;
  return [
    {
      name: 'ingest',
      perSecond: 12,
      run: () => call('POST', '/v1/traces', spansOf(randomBytes(16).toString('hex'), 8, 'On its way.')),
    },
    { name: 'list', perSecond: 6, run: get('/v0/traces?limit=25') },
    { name: 'trace', perSecond: 6, run: get(`/v0/traces/${traceId}`) },
    {
      name: 'change',
      perSecond: 6,
      run: () => call('PUT', `/v0/tags/${tagId}`, { description: `${++changes}` }),
    },
    // Often enough that one slow call in a hundred is not the slowest of all.
    { name: 'upload', perSecond: 4, run: () => upload(target) },
    { name: 'stream', perSecond: 5, run: () => readStream(target, testId) },
    {
      name: VERDICT,
      perSecond: 1,
      run: async () => {
        await call('POST', `/v0/tasks/${taskId}/evaluate`, { force: true });
        await Promise.all(testIds.map((id) => untilJudged(target, id, TIMEOUT_MS)));
      },
    },
  ];
}

/** Makes calls at the pace of the operation; those in progress at the end have until the time limit to be answered. */
async function paced({ perSecond, run }: Operation, seconds: number): Promise<Measured> {
  const result: Measured = { rate: 0, latencies: [], failed: 0, failure: null };
  const calls = new Set<Promise<void>>();
  let answered = 0;
  const one = async (): Promise<void> => {
    const began = performance.now();
    try {
      await run();
      answered += 1;
      result.latencies.push(performance.now() - began);
    } catch (error) {
      result.failed += 1;
      result.failure ??= String(error).slice(0, 160);
      const elapsed = performance.now() - began;
      if (elapsed >= TIMEOUT_MS) result.latencies.push(elapsed);
    }
  };
  for (let due = 0; due < seconds * perSecond; due++) {
    if (calls.size < MAX_IN_FLIGHT) {
      const call: Promise<void> = one().finally(() => calls.delete(call));
      calls.add(call);
    } else result.failed += 1;
    await delay(1000 / perSecond);
  }
  await Promise.all(calls);
  result.rate = answered / seconds;
  result.latencies.sort((a, b) => a - b);
  return result;
}

async function createTag(target: Target): Promise<string> {
  const { tag, data } = (await callTarget(target, 'POST', '/v0/tags', { name: 'Neighbour' })) as {
    tag?: { id: string };
    data?: { id: string };
  };
  return (tag ?? data)?.id ?? '';
}

async function untilJudged(target: Target, testId: string, timeoutMs: number): Promise<void> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; ) {
    const path = `/v0/tests/${testId}`;
    const { test } = (await callTarget(target, 'GET', path, undefined, timeoutMs)) as {
      test: { status: string };
    };
    if (test.status === 'COMPLETED') return;
    await delay(POLL_MS);
  }
  throw new Error('no verdict within the time limit');
}

async function upload({ port, headers }: Target): Promise<void> {
  const form = new FormData();
  form.append('type', 'KNOWLEDGE');
  form.append('file', new Blob(['# Orders\n\nThey arrive within two days.\n']), 'orders.md');
  const response = await fetch(`http://127.0.0.1:${port}/v0/documents/upload`, {
    method: 'POST',
    headers,
    body: form,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`an upload was answered ${response.status}: ${text.slice(0, 100)}`);
}

/** Opens the stream of a test and reads its first event. */
async function readStream({ port, headers }: Target, testId: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v0/tests/${testId}/stream`, {
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  if (!response.ok) throw new Error(`a stream was answered ${response.status}`);
}
