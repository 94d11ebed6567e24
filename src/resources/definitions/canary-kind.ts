import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import { evaluatorOf } from '../../evaluate/evaluators.ts';
import type { Judges } from '../../evaluate/judge/judges.ts';
import type { ClaimedJob } from '../../jobs/claim.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Read, Write } from '../../storage/calls.ts';
import {
  endCanaries,
  endCanary,
  findCanaryWork,
  freezeCanaries,
  isCanaryWaiting,
  pendingCanaries,
} from './calls.ts';
import { CANARIES, type CanaryKey, type EndedCanary } from './canary-store.ts';

/** Most runs of a job, after which canaries that still wait have failed. */
const MAX_RUNS = 5;
/** Canaries of one run set that are judged at once. */
const AT_ONCE = 4;

interface CanaryDeps {
  read: Read;
  write: Write;
  judges: Judges;
  now: () => number;
}

/** Thrown in place of a request whose canary is gone, because what was judged was deleted. */
class GoneError extends Error {}

/** Judges the canaries of run sets again. */
export const canaryKind = (deps: CanaryDeps): Record<string, JobKind> => ({
  [CANARIES]: {
    total: 4,
    perApplication: 2,
    maxAttempts: 2 * MAX_RUNS,
    run: async (job, signal) => {
      const { id: jobId, application, key: runSetId, attempt } = job;
      if (attempt <= MAX_RUNS) await judgeAll(deps, job, signal);
      await deps.write(endCanaries, { jobId, application, runSetId });
    },
  },
});

/** Freezes canaries that are missing, and judges all that wait. */
async function judgeAll(
  deps: CanaryDeps,
  { application, key: runSetId }: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  await deps.write(freezeCanaries, { application, runSetId, at: deps.now() });
  const waiting = await deps.read(pendingCanaries, { application, runSetId });
  const queue = new PQueue({ concurrency: AT_ONCE });
  const judgeOne = async (one: (typeof waiting)[number]): Promise<void> => {
    signal.throwIfAborted();
    const key = { application, runSetId, ...one };
    await deps.write(endCanary, { ...key, judged: await judgedAgain(deps, key, signal), at: deps.now() });
  };
  try {
    await queue.addAll(waiting.map((one) => () => judgeOne(one)));
  } finally {
    // The job is run again after a failure: no request of this run may be sent beside it.
    queue.clear();
    await queue.onIdle();
  }
}

/** Sends the request of a canary; returns null if what was judged has changed, or was deleted. */
async function judgedAgain(
  { read, judges }: CanaryDeps,
  key: CanaryKey,
  signal: AbortSignal,
): Promise<EndedCanary['judged']> {
  const work = await read(findCanaryWork, key);
  if (work.state !== 'waiting') return null;
  const { definition, subject } = work;
  const evaluator = evaluatorOf(definition.type);
  if (evaluator?.judgedBy !== 'model') return null;
  // A new subject, because stored responses are not requested again; their texts are not kept.
  const judged = { application: key.application, subjectId: randomUUID(), runId: null };
  // Waiting requests and retries may be sent long after the texts were read.
  const beforeSend = async (): Promise<void> => {
    if (!(await read(isCanaryWaiting, key))) throw new GoneError();
  };
  try {
    return await judges.evaluate(definition, subject, evaluator, judged, { signal, beforeSend });
  } catch (error) {
    if (error instanceof GoneError) return null;
    throw error;
  }
}
