/** Target of evals: a test, or a trace (16 bytes) without a test. */
export type Target = { testId: string } | { traceId: Uint8Array };

/** Jobs that look what there is to judge of a target, and judge it by rule. Their keys are those of `jobKey`. */
export const EVALUATE = 'evaluate';
/** Jobs that ask a judge, in a lane for each judge; their keys are ids of evals. Those that no judge is there for have no lane. */
export const JUDGE = 'judge';

/** Ids of traces are unique within their application only. */
export function jobKey(application: number, target: Target): string {
  if ('testId' in target) return target.testId;
  return `${application}:${Buffer.from(target.traceId).toString('hex')}`;
}

export function targetOf(key: string): Target {
  const [, traceId] = key.split(':');
  return traceId === undefined ? { testId: key } : { traceId: Buffer.from(traceId, 'hex') };
}
