import type { ClaimedJob } from '../../jobs/claim.ts';
import { queueKind } from '../../jobs/queue-kind.ts';
import type { JobKind, RunProgress } from '../../jobs/job-kind.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Read, Write } from '../../storage/calls.ts';
import {
  beginJudging,
  endEvals,
  endJudging,
  findJudgeWork,
  finishEvalWork,
  giveUpEvals,
  isJudging,
  planEvals,
  reassignEval,
} from '../calls.ts';
import { DELETED_VERDICT } from '../deleted-evidence.ts';
import type { EvaluatePool } from '../evaluate-pool.ts';
import type { Evaluator, AppliedDefinition, Verdict } from '../evaluator.ts';
import { evaluatorOf } from '../evaluators.ts';
import type { Judges } from '../judge/judges.ts';
import type { Score } from '../scorer/scorers.ts';
import { EVALUATE, JUDGE, SCORE, type Target, targetOf } from '../target.ts';
import { endedParts } from './ended-parts.ts';
import { type EvalRecord, latencyOf } from './eval-costs.ts';
import type { EndedEval } from './finish.ts';
import type { EvalWork, JudgeWork, WaitingEval } from './work.ts';
import { type ReadWork, workReads } from './work-reads.ts';

/** Most targets in progress at once. Most of them wait for a turn of their deterministic definitions. */
const TARGETS = 32;
/** Most requests to scorers in progress at once, each of which may take a minute. */
const SCORED = 64;
/** Evals prepared for a judge, per request that it accepts at once, so that the judge never waits for the store. */
const READY = 4;
/** Most runs that failed or were interrupted before an eval is marked as failed; about four minutes in total. */
const MAX_RUNS = 8;
/** Most attempts of a job. After MAX_RUNS a run only marks the evals as failed, which should need few attempts. */
const MAX_ATTEMPTS = 2 * MAX_RUNS;

const NOT_APPLICABLE: Verdict = {
  status: 'SKIPPED',
  reason:
    'This eval is no longer needed: the definition was archived or unlinked, a newer eval replaced it, or the test failed.',
};
/** Verdicts of evals that a judge's job finds with nothing to judge; null for one that has already ended. */
const ENDED: Readonly<Record<Exclude<JudgeWork['state'], 'waiting'>, Verdict | null>> = {
  over: null,
  unruled: NOT_APPLICABLE,
  deleted: DELETED_VERDICT,
};
const GIVEN_UP = `The service could not finish this eval in ${MAX_RUNS} runs; see its log for the reason.`;

export interface EngineOptions {
  read: Read;
  write: Write;
  evaluatePool: Pick<EvaluatePool, 'evaluateAll'>;
  judges: Judges;
  score: Score;
  metrics: Pick<Metrics, 'evals'>;
  now: () => number;
}

/**
 * Declares the jobs that run planned evals, so that none is lost. Each judge has its own queue: a stalled judge
 * delays only its own evals, and no application ever occupies a complete queue.
 */
export function evaluateKinds(options: EngineOptions): Record<string, JobKind> {
  const kind = (total: number, run: JobKind['run']): JobKind => {
    return { run, total, perApplication: total / 2, maxAttempts: MAX_ATTEMPTS, waits: true };
  };
  const readWork = workReads(options.read);
  const judging: JobKind['run'] = (job, signal, progress) => judge(options, job, signal, progress);
  const queues = options.judges.queues.map(({ name, concurrency }): [string, JobKind] => [
    queueKind(JUDGE, name),
    kind(READY * concurrency, judging),
  ]);
  return {
    [EVALUATE]: kind(TARGETS, (job, _signal, progress) => evaluate(options, readWork, job, progress)),
    [JUDGE]: kind(TARGETS, judging),
    [SCORE]: kind(SCORED, judging),
    ...Object.fromEntries(queues),
  };
}

/** Returns the kind of the job that sends the requests of a definition to its judge or its scorer. */
function judgeKind(judges: Judges, definition: AppliedDefinition): string {
  if (evaluatorOf(definition.type)?.judgedBy === 'scorer') return SCORE;
  const name = judges.nameFor(definition);
  return name === null ? JUDGE : queueKind(JUDGE, name);
}

/** Ends evals that did not finish within the maximum number of runs. */
const giveUp = (
  { write, judges, now }: EngineOptions,
  { application, id: jobId }: ClaimedJob,
  of: Target | { id: string },
): Promise<void> => {
  const judgeKinds = [JUDGE, SCORE, ...judges.queues.map(({ name }) => queueKind(JUDGE, name))];
  return write(giveUpEvals, { application, jobId, of, judgeKinds, reason: GIVEN_UP, at: now() });
};

/** Runs the deterministic evals of a target, and enqueues jobs for its judged evals. */
async function evaluate(
  options: EngineOptions,
  readWork: ReadWork,
  job: ClaimedJob,
  progress: RunProgress,
): Promise<void> {
  const { write, evaluatePool, judges, metrics, now } = options;
  const { application, id: jobId, key } = job;
  const target = targetOf(key);
  if (job.attempt > MAX_RUNS) return giveUp(options, job, target);
  let work = await readWork(application, target);
  if (work && work.changed.length > 0) {
    // The evals are stored as waiting before their subject is read, so that a subject deleted in between is not
    // judged.
    await write(planEvals, { application, target, evals: work.changed, force: false, at: now() });
    work = await readWork(application, target);
  }
  let begunAt: number | null = null;
  const definitions = (work?.deterministic ?? []).map(({ definition }) => definition);
  if (definitions.length > 0) await progress.waits();
  const verdicts = work
    ? await evaluatePool.evaluateAll({
        application,
        subject: work.subject,
        definitions,
        onBegin: async () => {
          await progress.begins();
          begunAt = performance.now();
        },
      })
    : [];
  // Does not include the wait for the first turn.
  const latencyMs = begunAt === null ? 0 : Math.round(performance.now() - begunAt);
  const deterministic = (work?.deterministic ?? []).map(
    ({ id, definition, inputHash }: WaitingEval, index): EndedEval => {
      return {
        id,
        verdict: verdicts[index] as Verdict,
        by: { definition, inputHash, record: null, latencyMs },
      };
    },
  );
  const ended = [...deterministic, ...(work ? endedWithout(work) : [])];
  const judged = (work?.judged ?? []).map(({ id, definition }) => ({
    id,
    kind: judgeKind(judges, definition),
  }));
  // If the process ends in between, the next run finds the evals that still wait.
  const parts = endedParts(ended);
  for (const part of parts.slice(0, -1)) await write(endEvals, { application, ended: part, at: now() });
  const last = parts.at(-1) ?? [];
  await write(finishEvalWork, { application, jobId, target, ended: last, judged, at: now() });
  progress.ends();
  for (const { verdict, by } of ended) count(metrics, verdict, by?.definition.type);
}

/** Returns the ends of evals that nothing can or need be judged by. */
const endedWithout = ({ notApplicable, withoutEvidence }: EvalWork): EndedEval[] => [
  ...notApplicable.map((id): EndedEval => ({ id, verdict: NOT_APPLICABLE, by: null })),
  ...withoutEvidence.map((id): EndedEval => ({ id, verdict: DELETED_VERDICT, by: null })),
];

/** Runs one eval with its judge or its scorer. */
async function judge(
  options: EngineOptions,
  job: ClaimedJob,
  signal: AbortSignal,
  progress: RunProgress,
): Promise<void> {
  const { read, write, judges, metrics, now } = options;
  const { application, id: jobId, key: id } = job;
  if (job.attempt > MAX_RUNS) return giveUp(options, job, { id });
  const work = await read(findJudgeWork, { application, id });
  if (work.state !== 'waiting') {
    const verdict = ENDED[work.state];
    const ended = verdict && { id, verdict, by: null };
    return write(endJudging, { application, jobId, id, ended, at: now() });
  }
  const { definition, inputHash } = work;
  // The definition, or the settings of this process, may have another judge by now.
  const kind = judgeKind(judges, definition);
  if (kind !== job.kind) return write(reassignEval, { application, jobId, id, kind, at: now() });
  // The trace may have been deleted since it was read; an eval that no longer waits stays as it is.
  if (!(await write(beginJudging, { application, id, definition, inputHash, at: now() }))) {
    const ended: EndedEval = { id, verdict: DELETED_VERDICT, by: null };
    return write(endJudging, { application, jobId, id, ended, at: now() });
  }
  await progress.waits();
  const judged = await judgement(options, job, work, signal, () => progress.begins());
  if (judged === null) return write(endJudging, { application, jobId, id, ended: null, at: now() });
  const { verdict, record } = judged;
  const ended: EndedEval = {
    id,
    verdict,
    by: { definition, inputHash, record, latencyMs: record ? latencyOf(record) : 0 },
  };
  await write(endJudging, { application, jobId, id, ended, at: now() });
  progress.ends();
  count(metrics, verdict, definition.type);
}

/** Thrown in place of a request whose eval has ended, because its evidence was deleted. */
class NotAwaitedError extends Error {}

/** Asks the judge or the scorer of a definition; returns null if the eval has ended before a request was sent. */
async function judgement(
  options: EngineOptions,
  job: ClaimedJob,
  work: JudgeWork & { state: 'waiting' },
  signal: AbortSignal,
  onBegin: () => Promise<void>,
): Promise<Judgement | null> {
  const { application, key: id } = job;
  // Waiting requests and retries may be sent long after the texts were read.
  const beforeSend = async (): Promise<void> => {
    if (!(await options.read(isJudging, { application, id }))) throw new NotAwaitedError();
  };
  try {
    return await ask(options, job, work, { signal, onBegin, beforeSend });
  } catch (error) {
    if (error instanceof NotAwaitedError) return null;
    throw error;
  }
}

interface Judgement {
  verdict: Verdict;
  record: EvalRecord | null;
}

async function ask(
  { judges, score, evaluatePool }: EngineOptions,
  { application, key: evalId }: ClaimedJob,
  { definition, subject, runId, testId, traceId }: JudgeWork & { state: 'waiting' },
  {
    signal,
    onBegin,
    beforeSend,
  }: { signal: AbortSignal; onBegin: () => Promise<void>; beforeSend: () => Promise<void> },
): Promise<Judgement> {
  const evaluator = evaluatorOf(definition.type) as Evaluator;
  if (evaluator.judgedBy === 'model')
    return judges.evaluate(
      definition,
      subject,
      evaluator,
      { application, subjectId: evalId, runId },
      { signal, onBegin, beforeSend },
    );
  if (evaluator.judgedBy === 'scorer') {
    await onBegin();
    const scored = { application, evalId, testId, traceId };
    return score({ definition, subject, evaluator, scored }, { signal, beforeSend });
  }
  // The type of the definition may have changed since the job was enqueued.
  const definitions = [definition];
  const [verdict] = await evaluatePool.evaluateAll({ application, subject, definitions, onBegin });
  return { verdict: verdict as Verdict, record: null };
}

const count = (metrics: EngineOptions['metrics'], { status }: Verdict, type = 'none'): void =>
  metrics.evals.inc({ type, status });
