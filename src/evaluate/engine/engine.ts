import type { ClaimedJob } from '../../jobs/claim.ts';
import type { JobKind } from '../../jobs/runner.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Call } from '../../storage/operations.ts';
import type { EvaluateThread } from '../evaluate-thread.ts';
import type { Evaluator, Verdict } from '../evaluator.ts';
import { evaluatorOf } from '../evaluators.ts';
import type { Judges } from '../judge/judges.ts';
import type { EvaluateCommands, evaluateQueries } from '../operations.ts';
import { EVALUATE, JUDGE, targetOf } from '../target.ts';
import type { EndedEval } from './finish.ts';
import type { WaitingEval } from './work.ts';

/** Targets looked at at once. The rules themselves are judged one after the other. */
const TARGETS = 32;
/** Evals on their way to the judges, for each question that these take at a time: so that none has to wait for the store. */
const READY = 4;
/** Runs that failed, or that an end of the process cut off, before it is given up; four minutes in all. */
const MAX_RUNS = 8;
/** After MAX_RUNS a run only gives up; a few should do for that. */
const MAX_ATTEMPTS = 2 * MAX_RUNS;

const NOT_RULED: Verdict = {
  status: 'SKIPPED',
  reason:
    'It is not to be judged any more: the definition was archived or unlinked, a newer eval took its place, or the test failed.',
};
const GIVEN_UP = `The service did not get to judge it in ${MAX_RUNS} runs; its log tells why.`;

export interface EngineOptions {
  read: Call<typeof evaluateQueries>;
  write: Call<EvaluateCommands>;
  thread: Pick<EvaluateThread, 'evaluateAll'>;
  judges: Judges;
  metrics: Pick<Metrics, 'evals'>;
  now: () => number;
}

/** How evals that were planned come to their end: as jobs, so that none is lost. */
export function evaluateKinds(options: EngineOptions): Record<typeof EVALUATE | typeof JUDGE, JobKind> {
  const { judges } = options;
  const kind = (total: number, run: JobKind['run']): JobKind => {
    return { run, total, perApplication: total, maxAttempts: MAX_ATTEMPTS };
  };
  return {
    [EVALUATE]: kind(TARGETS, (job) => evaluate(options, job)),
    [JUDGE]: kind(READY * judges.concurrency, (job, signal) => judge(options, job, signal)),
  };
}

/** Judges by rule what waits of a target, and hands the judge what is his. */
async function evaluate(
  { read, write, thread, metrics, now }: EngineOptions,
  job: ClaimedJob,
): Promise<void> {
  const { application, id: jobId, key } = job;
  const target = targetOf(key);
  if (job.attempt > MAX_RUNS)
    return write('giveUpEvals', { application, jobId, of: target, reason: GIVEN_UP, at: now() });
  let work = await read('findEvalWork', { application, target });
  if (work && work.changed.length > 0) {
    // First stored as waiting, then read: what is deleted in between is not judged.
    await write('planEvals', { application, target, evals: work.changed, force: false, at: now() });
    work = await read('findEvalWork', { application, target });
  }
  const startedAt = now();
  const verdicts = work
    ? await thread.evaluateAll(
        work.subject,
        work.byRule.map(({ rule }) => rule),
      )
    : [];
  const latencyMs = now() - startedAt;
  const byRule = (work?.byRule ?? []).map(({ id, rule, inputHash }: WaitingEval, index): EndedEval => {
    return { id, verdict: verdicts[index] as Verdict, by: { rule, inputHash, record: null, latencyMs } };
  });
  const unruled = (work?.unruled ?? []).map((id): EndedEval => ({ id, verdict: NOT_RULED, by: null }));
  const ended = [...byRule, ...unruled];
  const judged = work?.judged ?? [];
  await write('finishEvalWork', { application, jobId, target, ended, judged, at: now() });
  for (const { verdict, by } of ended) count(metrics, verdict, by?.rule.type);
}

/** Has the judge judge one eval. */
async function judge(
  { read, write, thread, judges, metrics, now }: EngineOptions,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  const { application, id: jobId, key: id } = job;
  if (job.attempt > MAX_RUNS)
    return write('giveUpEvals', { application, jobId, of: { id }, reason: GIVEN_UP, at: now() });
  const work = await read('findJudgeWork', { application, id });
  if (work.state !== 'waiting') {
    const ended = work.state === 'unruled' ? { id, verdict: NOT_RULED, by: null } : null;
    return write('endJudging', { application, jobId, id, ended, at: now() });
  }
  const { rule, subject, inputHash, runId } = work;
  // Its trace may have been deleted since it was read.
  if (!(await write('beginJudging', { application, id, rule, inputHash, at: now() })))
    return write('endJudging', { application, jobId, id, ended: null, at: now() });
  const evaluator = evaluatorOf(rule.type) as Evaluator;
  const asked = { application, evalId: id, runId };
  const judgeIt = async (): ReturnType<Judges['evaluate']> => {
    // The type of a definition may have changed since the judge was asked for.
    if (!evaluator.isJudged)
      return { verdict: (await thread.evaluateAll(subject, [rule]))[0] as Verdict, record: null };
    return judges.evaluate(rule, subject, evaluator, asked, signal);
  };
  const { verdict, record } = await judgeIt();
  const latencyMs = Math.round((record?.repeats ?? []).reduce((sum, repeat) => sum + repeat.latencyMs, 0));
  const ended: EndedEval = { id, verdict, by: { rule, inputHash, record, latencyMs } };
  await write('endJudging', { application, jobId, id, ended, at: now() });
  count(metrics, verdict, rule.type);
}

const count = (metrics: EngineOptions['metrics'], { status }: Verdict, type = 'none'): void =>
  metrics.evals.inc({ type, status });
