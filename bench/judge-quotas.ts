import { text } from 'node:stream/consumers';
import { createJudges } from '../src/evaluate/judge/judges.ts';
import { evaluatorOf } from '../src/evaluate/evaluators.ts';
import type { JudgedEvaluator } from '../src/evaluate/evaluator.ts';
import { NO_JUDGES } from '../src/evaluate/judge/settings.ts';
import { createMetrics } from '../src/runtime/metrics.ts';
import { appliedDefinition, subjectOf } from '../test/support/judged.ts';
import { judgeOf } from '../test/support/judges.ts';
import { listen } from './judged-tests.ts';

/**
 * Measures how many evals fail, and which share of the quota is used, when a judge limits requests, for each way in which
 * providers say so. `npm run bench:judge-quotas` takes about five minutes.
 */
const EVALS = 400;
const PER_SECOND = 8;
const BURST = 8;

const CONTENT = JSON.stringify({ rationale: 'It does.', verdict: 'yes' });
const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_800_000_000,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: CONTENT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 500, completion_tokens: 50, total_tokens: 550 },
});

interface Rejection {
  status: number;
  headers?: Record<string, string>;
  body?: object;
}

const WAYS: readonly [name: string, of: (ms: number) => Rejection][] = [
  ['Retry-After', (ms) => ({ status: 429, headers: { 'retry-after': String(Math.ceil(ms / 1_000)) } })],
  ['retry-after-ms', (ms) => ({ status: 429, headers: { 'retry-after-ms': String(Math.ceil(ms)) } })],
  [
    'a message',
    (ms) => ({ status: 429, body: { error: { message: `Please retry in ${Math.ceil(ms)}ms.` } } }),
  ],
  ['RetryInfo', (ms) => ({ status: 429, body: { error: { details: [{ retryDelay: `${ms / 1_000}s` }] } } })],
  [
    'headers of limits',
    (ms) => ({
      status: 429,
      headers: { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': `${Math.ceil(ms)}ms` },
    }),
  ],
  ['the status alone', () => ({ status: 429 })],
  ['503 alone', () => ({ status: 503 })],
];

async function measure(name: string, rejectionOf: (ms: number) => Rejection): Promise<void> {
  let [level, at, first, last] = [BURST, performance.now(), 0, 0];
  const judge = await listen(async (incoming, response) => {
    await text(incoming);
    const now = performance.now();
    level = Math.min(BURST, level + ((now - at) * PER_SECOND) / 1_000);
    at = now;
    response.setHeader('content-type', 'application/json');
    if (level >= 1) {
      level -= 1;
      first ||= now;
      last = now;
      response.end(ANSWER);
      return;
    }
    const { status, headers = {}, body = {} } = rejectionOf(((1 - level) * 1_000) / PER_SECOND);
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  const metrics = createMetrics({
    storeNumbers: () => Promise.reject(new Error()),
    memory: { used: 0, limit: 0 },
  });
  const settings = {
    ...NO_JUDGES,
    judges: [judgeOf(`${judge.url}/v1`, { concurrency: 8 })],
    default: 'first',
  };
  const none = async (): Promise<never> => undefined as never;
  const judges = createJudges(settings, { read: none, write: none, metrics, now: Date.now });
  const evaluate = (subjectId: string) =>
    judges.evaluate(
      appliedDefinition('CUSTOM'),
      subjectOf(),
      evaluatorOf('CUSTOM') as JudgedEvaluator,
      { application: 1, subjectId, runId: null },
      { signal: new AbortController().signal },
    );
  const judged = await Promise.all(Array.from({ length: EVALS }, (_, index) => evaluate(String(index))));
  const failed = judged.filter(({ verdict }) => verdict.status !== 'COMPLETED').length;
  const share = (EVALS - BURST) / ((last - first) / 1_000) / PER_SECOND;
  console.log(`${name.padEnd(20)} ${failed} of ${EVALS} failed, ${Math.round(100 * share)} % of the quota`);
  judge.close();
}

for (const [name, rejectionOf] of WAYS) await measure(name, rejectionOf);
