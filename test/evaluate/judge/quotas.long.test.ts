import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { JudgedEvaluator } from '../../../src/evaluate/evaluator.ts';
import { evaluatorOf } from '../../../src/evaluate/evaluators.ts';
import type { Judges } from '../../../src/evaluate/judge/judges.ts';
import { effort } from '../../support/effort.ts';
import { appliedDefinition, subjectOf } from '../../support/judged.ts';
import { judgeOf, openJudges, waitingEval } from '../../support/judges.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../../support/stand-in-judge.ts';
import { useStore } from '../../support/storage.ts';

const { database, newTenant } = useStore();
const EVALS = effort(20);

const YES = { rationale: 'polite', verdict: 'yes' };

const standIns: StandInJudge[] = [];
afterEach(async () => {
  for (const started of standIns.splice(0)) await started[Symbol.asyncDispose]();
});

const judge = (judges: Judges, runId: string | null = null) =>
  judges.evaluate(
    appliedDefinition('CUSTOM'),
    subjectOf(),
    evaluatorOf('CUSTOM') as JudgedEvaluator,
    waitingEval(newTenant(), { runId }),
    { signal: new AbortController().signal },
  );

/** How a provider rejects a request beyond its quota. `ms`: time until it takes the next. */
type Rejection = (ms: number) => JudgeBehaviour;

const PAUSE_MS = 40;
const REQUESTS = 5;

/** Starts a judge that takes some requests, then rejects all for a time, and so on. */
async function startLimited(rejection: Rejection): Promise<StandInJudge & { rejections: () => number }> {
  let [taken, rejected] = [0, 0];
  let opensAt: number | null = null;
  const started = await startStandInJudge(() => {
    const now = performance.now();
    if (opensAt !== null && now >= opensAt) [taken, opensAt] = [0, null];
    if (opensAt === null && taken < REQUESTS) {
      taken += 1;
      return { say: YES };
    }
    opensAt ??= now + PAUSE_MS;
    rejected += 1;
    return rejection(opensAt - now);
  });
  standIns.push(started);
  return Object.assign(started, { rejections: () => rejected });
}

const json = (value: object): string => JSON.stringify(value);
const said = (message: string): string => json({ error: { message } });

describe('evals wait for a judge whose quota is used up', () => {
  it.each<[who: string, rejection: Rejection]>([
    [
      'Retry-After',
      (ms) => ({ status: 429, body: said('slow down'), headers: { 'retry-after': String(ms / 1_000) } }),
    ],
    [
      'retry-after-ms',
      (ms) => ({ status: 429, body: said('slow down'), headers: { 'retry-after-ms': String(ms) } }),
    ],
    ['its message', (ms) => ({ status: 429, body: said(`Please try again in ${Math.ceil(ms)}ms.`) })],
    [
      "Google's RetryInfo",
      (ms) => ({ status: 429, body: json([{ error: { details: [{ retryDelay: `${ms / 1_000}s` }] } }]) }),
    ],
    [
      'the limits in its headers',
      (ms) => ({
        status: 429,
        body: said('slow down'),
        headers: {
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': `${Math.ceil(ms)}ms`,
        },
      }),
    ],
    ['a date', () => ({ status: 429, body: '', headers: { 'retry-after': new Date().toUTCString() } })],
    ['the status of Anthropic alone', () => ({ status: 529, body: said('Overloaded') })],
    ['the status of an overloaded server alone', () => ({ status: 503, body: 'upstream overloaded' })],
    [
      'an error inside a 200',
      () => ({
        status: 200,
        body: json({ choices: null, error: { message: 'Provider returned error', code: 429 } }),
      }),
    ],
  ])('and says so by %s', async (_who, rejection) => {
    const model = await startLimited(rejection);
    const judges = openJudges(database(), [judgeOf(model.openAi, { concurrency: 8 })]);
    const judged = await Promise.all(Array.from({ length: EVALS }, () => judge(judges)));
    expect(judged.map(({ verdict }) => verdict.status)).toEqual(Array(EVALS).fill('COMPLETED'));
    expect(model.rejections()).toBeGreaterThan(0);
    expect(await judges.metrics.text()).toMatch(/touchstone_judge_slow_downs_total\{judge="first"\} [1-9]/);
  });
});

it('a judge reports that evals wait, until it answers', async () => {
  let isOpen = false;
  const model = await startStandInJudge(() =>
    isOpen ? { say: YES } : { status: 429, body: '', headers: { 'retry-after-ms': '200' } },
  );
  standIns.push(model);
  const judges = openJudges(database(), [judgeOf(model.openAi)]);
  const runId = randomUUID();
  const judged = judge(judges, runId);
  expect(judges.waitOf('first')).toBeNull();
  await expect
    .poll(() => judges.waitOf('first'))
    .toMatchObject({ pausedMs: expect.any(Number) as number, ratePerSecond: null });
  expect(judges.waitOf('second')).toBeNull();
  isOpen = true;
  expect((await judged).verdict.status).toBe('COMPLETED');
  expect(judges.waitOf('first')).toBeNull();
});
