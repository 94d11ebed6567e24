/** Target of evals: a test, or a trace (16 bytes) without a test. */
export type Target = { testId: string } | { traceId: Uint8Array };

/** Kind of jobs that find the evals of a target and run the deterministic ones. Their keys are those of `jobKey`. */
export const EVALUATE = 'evaluate';
/**
 * Kind of jobs that send requests to a judge, with a queue for each judge. Their keys are ids of evals. Jobs without
 * an available judge have no queue.
 */
export const JUDGE = 'judge';
/** Kind of jobs that send an eval to a scorer, an endpoint of the user. Their keys are ids of evals. */
export const SCORE = 'score';

/** Returns the key of a job. Trace ids are unique within their application only. */
export function jobKey(application: number, target: Target): string {
  if ('testId' in target) return target.testId;
  return `${application}:${Buffer.from(target.traceId).toString('hex')}`;
}

export function targetOf(key: string): Target {
  const [, traceId] = key.split(':');
  return traceId === undefined ? { testId: key } : { traceId: Buffer.from(traceId, 'hex') };
}
