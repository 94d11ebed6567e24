import { useApi } from '../api/use-api.ts';

/** Verdicts of a trace that are shown at most. */
export const MAX_EVALS = 100;

/** Returns the current verdicts of evaluators on a trace. */
export const useTraceEvals = (traceId: string) =>
  useApi('/v0/evals', { query: { traceId: [traceId], superseded: false, limit: MAX_EVALS } });
